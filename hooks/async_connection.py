"""Reads an Airflow connection without blocking the event loop, on every supported Airflow."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook, Connection
from asgiref.sync import sync_to_async


async def aget_connection(conn_id: str, hook: type[BaseHook] = BaseHook) -> Any:
    """An Airflow connection (source: ours, after common-compat 1.23, which is newer than what Airflow ships).

    :param conn_id: the connection.
    :param hook: the class through which it is looked up.
    :return: Airflow's ``Connection``.
    """
    # Below Airflow 3.3.2 the asynchronous reader masks the secrets with a blocking call, which raises during another
    # one.
    if hasattr(Connection, "aextra_dejson"):
        # `airflow dags test` runs triggers itself, and there this reader finds no connections in Airflow's database.
        with suppress(AirflowNotFoundException):
            return await hook.aget_connection(conn_id)
    return await sync_to_async(hook.get_connection)(conn_id)


async def aget_extra(connection: Any) -> Any:
    """The extra of a connection, read as JSON (source: ours, as above).

    :param connection: Airflow's ``Connection``.
    :return: what the extra holds; its secrets are masked in the logs from now on.
    """
    if hasattr(connection, "aextra_dejson"):
        return await connection.aextra_dejson()
    return await sync_to_async(lambda: connection.extra_dejson)()
