"""The ready-made Airflow connection to an emulator, as Airflow's URI and JSON. Source: ours."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from .credentials import CLIENT_ID, CLIENT_SECRET, TOKEN, USER_ID

CONN_TYPE = "video_creation"
ENVIRONMENT_VARIABLE = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"


def airflow_connection(base_url: str, *, fetch_token: bool = False) -> dict[str, Any]:
    """Describe the connection to the emulator at `base_url`, in the keys of Airflow's JSON form.

    :param base_url: such as `http://127.0.0.1:8123`
    :param fetch_token: the connection holds client id and secret and fetches its token, instead of the
        published token, which never expires
    """
    address = urlsplit(base_url)
    connection: dict[str, Any] = {
        "conn_type": CONN_TYPE,
        "host": f"{address.scheme}://{address.hostname}",
        "port": address.port,
        "password": TOKEN,
        "extra": {"user_id": USER_ID},
    }
    if fetch_token:
        connection |= {"login": CLIENT_ID, "password": CLIENT_SECRET}
        connection["extra"]["auth_url"] = f"{base_url}/auth/token"
    return connection


def as_json(connection: dict[str, Any]) -> str:
    """Write the connection as the JSON which Airflow reads from a variable `AIRFLOW_CONN_...`.

    :param connection: as `airflow_connection` returns it
    """
    return json.dumps(connection)


def as_uri(connection: dict[str, Any]) -> str:
    """Write the connection as Airflow's URI; the scheme has a hyphen, since a URI's may not have `_`.

    :param connection: as `airflow_connection` returns it
    """
    scheme, _, host = connection["host"].partition("://")
    login = quote(connection.get("login", ""), safe="")
    password = quote(connection["password"], safe="")
    authority = f"{login}:{password}@{host}:{connection['port']}"
    return f"{CONN_TYPE.replace('_', '-')}://{scheme}://{authority}/?{urlencode(connection['extra'])}"
