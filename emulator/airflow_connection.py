"""The ready-made Airflow connection to an emulator, as Airflow's URI and JSON. Source: ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from .contract.operation_paths import (
    AWS_CONNECTION_PATH,
    AWS_CONNECTIONS_PATH,
    CANCEL_PATH,
    JOBS_PATH,
    QUOTA_PATH,
    VOICEOVER_TRACK_PATH,
    VOICEOVER_TRACKS_PATH,
    VOICES_PATH,
)
from .credentials import CLIENT_ID, CLIENT_SECRET, TOKEN, USER_ID

if TYPE_CHECKING:
    from .conduct.behaviour import Behaviour

CONN_TYPE = "video_creation"
ENVIRONMENT_VARIABLE = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"


FURTHER_PATHS = {
    "cancel": CANCEL_PATH,
    "jobs": JOBS_PATH,
    "voices": VOICES_PATH,
    "quota": QUOTA_PATH,
    "aws_connection_list": AWS_CONNECTIONS_PATH,
    "aws_connection": AWS_CONNECTION_PATH,
    "voiceover_track_list": VOICEOVER_TRACKS_PATH,
    "voiceover_track": VOICEOVER_TRACK_PATH,
}
"""What a connection may name besides the operations of the interface."""

_REPLY_FIELDS = {
    "quota_minutes": "minutes_left",
    "voice": "name",
    "job_name": "videoName",
    "job_submitted_at": "created_at",
    "job_marker": "videoDescription",
}
"""What a client looks for in the lists -> the name of that field here."""


def airflow_connection(
    base_url: str,
    *,
    fetch_token: bool = False,
    behaviour: Behaviour | None = None,
    further_paths: bool = False,
) -> dict[str, Any]:
    """Describe the connection to the emulator at `base_url`, in the keys of Airflow's JSON form.

    :param base_url: such as `http://127.0.0.1:8123`
    :param fetch_token: the connection holds client id and secret and fetches its token, instead of the
        published token, which never expires
    :param behaviour: what a client must be told of it goes into the extra
    :param further_paths: the extra also names what comparable services have and the interface does not show
    """
    address = urlsplit(base_url)
    connection: dict[str, Any] = {
        "conn_type": CONN_TYPE,
        "host": f"{address.scheme}://{address.hostname}",
        "port": address.port,
        "password": TOKEN,
        "extra": {"user_id": USER_ID},
    }
    if behaviour is not None:
        connection["extra"] |= _told(behaviour)
        if behaviour.dialect.user_id_header is None:
            del connection["extra"]["user_id"]
    if further_paths:
        connection["extra"] |= _told_further(behaviour)
    if fetch_token:
        connection |= {"login": CLIENT_ID, "password": CLIENT_SECRET}
        connection["extra"]["auth_url"] = f"{base_url}/auth/token"
    return connection


def _told(behaviour: Behaviour) -> dict[str, Any]:
    """What the connection must say for a client to get along with a behaviour."""
    dialect = behaviour.dialect
    told: dict[str, Any] = {}
    if dialect.token_prefix:
        told["token_prefix"] = dialect.token_prefix
    if dialect.user_id_header != "X-Service-User-Id":
        # A word, since a URI has no null.
        told["user_id_header"] = dialect.user_id_header or "null"
    if dialect.state_words:
        told["state_words"] = json.dumps({word: state for state, word in dialect.state_words.items()})
    if not dialect.decodes_text:
        told["escape_text"] = "false"
    if behaviour.webhook_max_length is not None:
        told["webhook_max_length"] = str(behaviour.webhook_max_length)
    return told


def _told_further(behaviour: Behaviour | None) -> dict[str, Any]:
    """What the connection may say so that a client uses what the interface does not show."""
    told: dict[str, Any] = {"paths": json.dumps(FURTHER_PATHS)}
    if behaviour is None:
        return told
    if behaviour.idempotency_header:
        told["idempotency_header"] = behaviour.idempotency_header
    own = behaviour.dialect.list_fields
    if fields := {looked_for: own[field] for looked_for, field in _REPLY_FIELDS.items() if field in own}:
        told["reply_fields"] = json.dumps(fields)
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
