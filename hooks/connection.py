"""An Airflow connection read into a service profile, on the worker and in the triggerer."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

from ..provider.connection.profile import ServiceProfile
from ..provider.errors import ConfigurationError, ConnectionMissingError
from ..provider.info import CONNECTION_TYPE
from .async_connection import aget_connection, aget_extra


def read_profile(conn_id: str, hook: type[BaseHook] = BaseHook) -> ServiceProfile:
    """The profile of a connection.

    :param conn_id: the connection.
    :param hook: the class through which the connection is looked up.
    :raises ConnectionMissingError: there is no such connection, or Airflow cannot look it up.
    :raises ConfigurationError: its fields must be changed.
    """
    try:
        conn = hook.get_connection(conn_id)
    except AirflowNotFoundException:
        raise _missing(conn_id) from None
    return _profile(conn_id, conn, conn.extra_dejson)


async def aread_profile(conn_id: str, hook: type[BaseHook] = BaseHook) -> ServiceProfile:
    """The profile of a connection, looked up without blocking the event loop.

    :param conn_id: the connection.
    :param hook: the class through which the connection is looked up.
    :raises ConnectionMissingError: there is no such connection, or Airflow cannot look it up.
    :raises ConfigurationError: its fields must be changed.
    """
    try:
        conn = await aget_connection(conn_id, hook)
    except AirflowNotFoundException:
        raise _missing(conn_id) from None
    except Exception as error:
        # The error's own message may quote the connection.
        raise ConnectionMissingError(
            f"Airflow could not read the connection {conn_id!r} ({type(error).__name__}). Check that the API server "
            "and the secrets backend are up. If they are, correct the connection where your deployment defines it."
        ) from None
    return _profile(conn_id, conn, await aget_extra(conn))


def _profile(conn_id: str, conn: Any, extra: Any) -> ServiceProfile:
    # Another system's password would be sent to that system's host. A URI writes the type with a hyphen.
    if (conn.conn_type or "").replace("-", "_") != CONNECTION_TYPE:
        has = f"has the type {conn.conn_type!r}" if conn.conn_type else "has no type"
        raise ConfigurationError(
            f"Connection {conn_id!r} {has}, but must have the type {CONNECTION_TYPE!r} ('Video Creation'). "
            "Nothing was sent. If it leads to the video service, change its type in Airflow under Admin > Connections, "
            "or where your deployment defines it. If not, name another connection in video_creation_conn_id=."
        )
    # Airflow treats invalid JSON as an empty extra, so the two are told apart by the text.
    if not (isinstance(extra, Mapping) and extra) and "".join((conn.extra or "").split()) not in ("", "{}"):
        raise ConfigurationError(
            f"Connection {conn_id!r} cannot be used: its extra is not a JSON object. "
            "Correct the extra in Airflow under Admin > Connections, or where your deployment defines it."
        )
    return ServiceProfile.from_connection(
        conn_id,
        host=conn.host,
        schema=conn.schema,
        port=conn.port,
        login=conn.login,
        password=conn.password,
        extra=extra,
    )


def _missing(conn_id: str) -> ConnectionMissingError:
    return ConnectionMissingError(
        f"There is no Airflow connection {conn_id!r}: create it under Admin > Connections with the type "
        f"'Video Creation', or with:\n    airflow connections add {quote(conn_id)} --conn-type {CONNECTION_TYPE} "
        '--conn-host BASE_URL --conn-password TOKEN --conn-extra \'{"user_id": "USER_ID"}\'\nNothing was sent.'
    )
