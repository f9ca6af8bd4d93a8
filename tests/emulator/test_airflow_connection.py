import json

import pytest
from airflow.sdk import Connection

from airflow_video_creation.emulator.airflow_connection import airflow_connection, as_json, as_uri
from airflow_video_creation.emulator.conduct.dialect import Dialect

BASE_URL = "http://127.0.0.1:8123"


@pytest.mark.parametrize("fetch_token", [False, True])
@pytest.mark.parametrize("form", ["uri", "json"])
def test_airflow_reads_the_connection_as_it_was_meant(form: str, fetch_token: bool) -> None:
    described = airflow_connection(BASE_URL, fetch_token=fetch_token)
    if form == "uri":
        connection = Connection.from_uri(as_uri(described), conn_id="video_creation_default")
    else:
        connection = Connection.from_json(as_json(described), conn_id="video_creation_default")
    assert connection.conn_type == "video_creation"
    assert (connection.host, connection.port) == ("http://127.0.0.1", 8123)
    assert connection.password == ("emulator-secret" if fetch_token else "emulator-token")
    assert (connection.login or None) == ("emulator-client" if fetch_token else None)
    extra = connection.extra_dejson
    assert extra["user_id"] == "emulator-user"
    assert extra.get("auth_url") == (f"{BASE_URL}/auth/token" if fetch_token else None)
    assert connection.get_uri() == as_uri(described)


def test_the_json_is_for_an_environment_variable() -> None:
    dialect = Dialect(token_prefix="Bearer", user_id_header="X-User", state_words={"completed": "DONE"})
    told = airflow_connection(BASE_URL, dialect=dialect)["extra"]
    assert told == {
        "user_id": "emulator-user",
        "token_prefix": "Bearer",
        "user_id_header": "X-User",
        "state_words": '{"DONE": "completed"}',
    }
    assert json.loads(as_json(airflow_connection(BASE_URL)))["extra"] == {"user_id": "emulator-user"}
