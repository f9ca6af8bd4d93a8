"""The ready-made Airflow connection to an emulator, as Airflow's URI and JSON. Source: ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from .credentials import CLIENT_ID, CLIENT_SECRET, TOKEN, USER_ID

if TYPE_CHECKING:
    from .conduct.dialect import Dialect

CONN_TYPE = "video_creation"
ENVIRONMENT_VARIABLE = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"


def airflow_connection(
    base_url: str, *, fetch_token: bool = False, dialect: Dialect | None = None
) -> dict[str, Any]:
    """Describe the connection to the emulator at `base_url`, in the keys of Airflow's JSON form.

    :param base_url: such as `http://127.0.0.1:8123`
    :param fetch_token: the connection holds client id and secret and fetches its token, instead of the
        published token, which never expires
    :param dialect: the replies' words; what a client must be told of them goes into the extra
    """
    address = urlsplit(base_url)
    connection: dict[str, Any] = {
        "conn_type": CONN_TYPE,
        "host": f"{address.scheme}://{address.hostname}",
        "port": address.port,
        "password": TOKEN,
        "extra": {"user_id": USER_ID},
    }
    if dialect is not None:
        connection["extra"] |= _told(dialect)
    if fetch_token:
        connection |= {"login": CLIENT_ID, "password": CLIENT_SECRET}
        connection["extra"]["auth_url"] = f"{base_url}/auth/token"
    return connection


def _told(dialect: Dialect) -> dict[str, Any]:
    """What the connection must say for a client to understand a dialect."""
    told: dict[str, Any] = {}
    if dialect.token_prefix:
        told["token_prefix"] = dialect.token_prefix
    if dialect.user_id_header != "X-Service-User-Id":
        told["user_id_header"] = dialect.user_id_header
    if dialect.state_words:
        told["state_words"] = json.dumps({word: state for state, word in dialect.state_words.items()})
    return told


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
