import json

import pytest
from airflow.sdk import Connection

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.emulator.airflow_connection import (
    FURTHER_PATHS,
    airflow_connection,
    as_json,
    as_uri,
)
from airflow_video_creation.emulator.conduct.behaviour import Behaviour
from airflow_video_creation.emulator.conduct.dialect import Dialect
from airflow_video_creation.emulator.contract_document import contract_document

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
    told = airflow_connection(BASE_URL, behaviour=Behaviour(dialect=dialect))["extra"]
    assert told == {
        "user_id": "emulator-user",
        "token_prefix": "Bearer",
        "user_id_header": "X-User",
        "state_words": '{"DONE": "completed"}',
    }
    assert json.loads(as_json(airflow_connection(BASE_URL)))["extra"] == {"user_id": "emulator-user"}


def test_what_a_client_must_know_of_a_service_without_users_or_decoding_is_told() -> None:
    behaviour = Behaviour(
        webhook_max_length=200,
        dialect=Dialect(user_id_header=None, decodes_text=False),
    )
    assert airflow_connection(BASE_URL, behaviour=behaviour)["extra"] == {
        "user_id_header": "null",
        "escape_text": "false",
        "webhook_max_length": "200",
    }


def test_further_paths_are_named_only_where_that_is_asked_for() -> None:
    behaviour = Behaviour(
        idempotency_header="Idempotency-Key",
        dialect=Dialect(list_fields={"minutes_left": "left.minutes", "videoName": "title", "kind": "type"}),
    )
    assert airflow_connection(BASE_URL, behaviour=behaviour)["extra"] == {"user_id": "emulator-user"}
    extra = airflow_connection(BASE_URL, behaviour=behaviour, further_paths=True)["extra"]
    assert json.loads(extra["paths"])["cancel"] == "/api/v1/job/{job_id}/cancel"
    assert extra["idempotency_header"] == "Idempotency-Key"
    assert json.loads(extra["reply_fields"]) == {"quota_minutes": "left.minutes", "job_name": "title"}


def test_further_paths_come_through_a_uri() -> None:
    described = airflow_connection(BASE_URL, further_paths=True)
    connection = Connection.from_uri(as_uri(described), conn_id="video_creation_default")
    assert json.loads(connection.extra_dejson["paths"]) == FURTHER_PATHS


@pytest.mark.parametrize("name", FURTHER_PATHS)
def test_every_further_path_is_served(name: str) -> None:
    path = FURTHER_PATHS[name]
    served = contract_document()["paths"]
    assert ("post" if name == "cancel" else "get") in served[path]


def test_an_emulator_has_the_further_connection_at_hand() -> None:
    def names_paths(text: str) -> bool:
        return "paths" in json.loads(text)["extra"]

    for further_paths in (False, True):
        with Emulator(instant=True, further_paths=further_paths) as emulator:
            assert names_paths(emulator.connection_json) == further_paths
            assert ("paths=" in emulator.connection_uri) == further_paths
            assert names_paths(emulator.further_connection_json)
