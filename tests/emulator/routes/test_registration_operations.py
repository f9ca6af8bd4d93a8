"""Connections to private media, and voices for the voiceover library."""

from typing import Any

import pytest

from airflow_video_creation.emulator import Emulator

CONNECTIONS = "/serviceapis/v1/awsconnections"
TRACKS = "/serviceapis/v1/voiceovers/tracks"

CONNECTION = {"name": "media", "awsAccountId": "123456789012", "awsRegion": "us-east-2", "enabled": True}
TRACK = {
    "name": "Anna",
    "service": "aws",
    "engine": "neural",
    "language": "en-US",
    "voiceId": "Anna",
    "accent": "American",
    "age": "Adult",
    "gender": "Female",
}
SETTINGS = {"similarityBoost": 0.5, "stability": 0.5}


def test_a_connection_is_answered_with_its_id_and_version(caller: Any) -> None:
    body = caller.post(CONNECTIONS, CONNECTION).json()
    assert {key: body[key] for key in CONNECTION} == CONNECTION
    assert body["connectionId"]
    assert body["version"] == 1


@pytest.mark.parametrize(("path", "body"), [(CONNECTIONS, CONNECTION), (TRACKS, TRACK)])
def test_names_are_unique(caller: Any, path: str, body: dict[str, Any]) -> None:
    assert caller.post(path, body).status_code == 200
    again = caller.post(path, body)
    assert again.status_code == 400
    assert again.json()["fields"][0]["name"] == "name"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("awsAccountId", "12345678901"),
        ("awsAccountId", 123456789012),
        ("awsRegion", "Ohio"),
        ("enabled", "true"),
    ],
)
def test_a_connection_with_a_wrong_field_is_refused(caller: Any, field: str, value: Any) -> None:
    reply = caller.post(CONNECTIONS, {**CONNECTION, field: value})
    assert reply.status_code == 400
    assert [problem["name"] for problem in reply.json()["fields"]] == [field]


@pytest.mark.parametrize("field", CONNECTION)
def test_a_connection_without_a_field_is_refused(caller: Any, field: str) -> None:
    body = {key: value for key, value in CONNECTION.items() if key != field}
    assert caller.post(CONNECTIONS, body).json()["fields"][0]["name"] == field


@pytest.mark.parametrize(
    ("service", "engine", "category"),
    [
        ("aws", "neural", "standard"),
        ("aws", "standard", "standard"),
        ("google", "standard", "standard"),
        ("google", "WaveNet", "standard"),
        ("google", "Neural2", "standard"),
        ("elevenlabs", "eleven_monolingual_v1", "premium"),
        ("elevenlabs", "eleven_multilingual_v2", "premium"),
    ],
)
def test_a_track_is_answered_with_its_category(caller: Any, service: str, engine: str, category: str) -> None:
    body = caller.post(TRACKS, {**TRACK, "service": service, "engine": engine}).json()
    assert isinstance(body["id"], int)
    assert (body["service"], body["engine"], body["category"]) == (service, engine, category)
    assert body["ssmlSupportCategory"] in "ABCD"
    assert caller.get(body["ssmlHelp"]).status_code == 200


@pytest.mark.parametrize(
    ("service", "engine"),
    [
        ("aws", "WaveNet"),
        ("google", "neural"),
        ("elevenlabs", "standard"),
        ("azure", "neural"),
        ("aws", "Neural"),
    ],
)
def test_an_engine_belongs_to_its_service(caller: Any, service: str, engine: str) -> None:
    reply = caller.post(TRACKS, {**TRACK, "service": service, "engine": engine})
    assert reply.status_code == 400


@pytest.mark.parametrize(("field", "value"), [("publicUserId", "u"), ("elevenlabsVoiceSettings", SETTINGS)])
@pytest.mark.parametrize(("service", "engine"), [("aws", "neural"), ("google", "WaveNet")])
def test_some_fields_are_for_elevenlabs_only(
    caller: Any, service: str, engine: str, field: str, value: Any
) -> None:
    reply = caller.post(TRACKS, {**TRACK, "service": service, "engine": engine, field: value})
    assert reply.status_code == 400
    assert reply.json()["fields"] == [{"name": field, "errors": ["is valid only when service is elevenlabs"]}]


def test_voice_settings_need_both_numbers(caller: Any) -> None:
    track = {**TRACK, "service": "elevenlabs", "engine": "eleven_multilingual_v2"}
    assert (
        caller.post(TRACKS, {**track, "publicUserId": "u", "elevenlabsVoiceSettings": SETTINGS}).status_code
        == 200
    )
    reply = caller.post(TRACKS, {**track, "name": "B", "elevenlabsVoiceSettings": {"stability": 1}})
    assert reply.json()["fields"][0]["name"] == "elevenlabsVoiceSettings.similarityBoost"


@pytest.fixture
def connection(caller: Any) -> Any:
    """A connection that is registered."""
    return caller.post(CONNECTIONS, {**CONNECTION, "description": "pictures"}).json()


def test_connections_are_listed_as_they_were_answered(caller: Any, connection: Any) -> None:
    other = caller.post(CONNECTIONS, {**CONNECTION, "name": "archive"}).json()
    assert caller.get(CONNECTIONS).json() == {"data": [connection, other]}
    assert caller.get(f"{CONNECTIONS}/{connection['connectionId']}").json() == connection


def test_a_connection_is_turned_off_and_its_storyboards_are_refused(caller: Any, connection: Any) -> None:
    place = f"{CONNECTIONS}/{connection['connectionId']}"
    reply = caller.call("PATCH", place, {"enabled": False})
    assert (reply.status_code, reply.json()) == (200, {**connection, "enabled": False, "version": 2})
    assert caller.get(place).json() == reply.json()
    body = {"videoName": "v", "awsConnectionId": connection["connectionId"]}
    assert caller.post("/api/v1/video/storyboard", body).status_code == 400


def test_a_put_replaces_all_of_a_connection_but_its_id(caller: Any, connection: Any) -> None:
    place = f"{CONNECTIONS}/{connection['connectionId']}"
    assert caller.put(place, {"enabled": False}).status_code == 400
    reply = caller.put(place, {**CONNECTION, "awsRegion": "eu-west-1"}).json()
    assert reply == {
        **CONNECTION,
        "awsRegion": "eu-west-1",
        "connectionId": connection["connectionId"],
        "version": 2,
    }


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_changed_name_is_unique_too(caller: Any, connection: Any, method: str) -> None:
    caller.post(CONNECTIONS, {**CONNECTION, "name": "archive"})
    place = f"{CONNECTIONS}/{connection['connectionId']}"
    reply = caller.call(method, place, {**CONNECTION, "name": "archive"})
    assert reply.status_code == 400
    assert reply.json()["fields"][0]["name"] == "name"
    assert caller.get(place).json() == connection


def test_a_deleted_connection_is_gone_and_its_name_is_free(caller: Any, connection: Any) -> None:
    place = f"{CONNECTIONS}/{connection['connectionId']}"
    assert caller.call("DELETE", place).status_code == 204
    assert caller.get(CONNECTIONS).json() == {"data": []}
    assert caller.post(CONNECTIONS, CONNECTION).status_code == 200
    for method in ("GET", "PATCH", "PUT", "DELETE"):
        assert caller.call(method, place, CONNECTION).status_code == 404


def test_tracks_are_listed_read_and_deleted(caller: Any) -> None:
    anna, berta = (caller.post(TRACKS, {**TRACK, "name": name}).json() for name in ("Anna", "Berta"))
    assert caller.get(TRACKS).json() == {"data": [anna, berta]}
    place = f"{TRACKS}/{berta['id']}"
    assert caller.get(place).json() == berta
    assert caller.call("DELETE", place).status_code == 204
    assert caller.get(TRACKS).json() == {"data": [anna]}
    for method in ("GET", "DELETE"):
        assert caller.call(method, place).status_code == 404


def test_the_id_of_a_deleted_track_is_not_given_again(caller: Any) -> None:
    first = caller.post(TRACKS, TRACK).json()["id"]
    caller.call("DELETE", f"{TRACKS}/{first}")
    assert caller.post(TRACKS, TRACK).json()["id"] != first


@pytest.mark.parametrize("track_id", ["0", "-1", str(2**70)])
def test_a_track_that_never_was_is_a_404(caller: Any, track_id: str) -> None:
    assert caller.get(f"{TRACKS}/{track_id}").status_code == 404


@pytest.mark.parametrize(
    ("path", "plural", "one"), [(CONNECTIONS, "connections", CONNECTION), (TRACKS, "tracks", TRACK)]
)
def test_lists_in_another_services_form(
    caller: Any, emulator: Emulator, path: str, plural: str, one: dict[str, Any]
) -> None:
    caller.post(path, one)
    emulator.admin.change(dialect={"list_envelope": "plural", "list_fields": {"name": "title"}})
    (listed,) = caller.get(path).json()[plural]
    assert listed["title"] == one["name"]


def test_calls_of_lists_are_told_from_registrations(caller: Any, emulator: Emulator) -> None:
    connection_id = caller.post(CONNECTIONS, CONNECTION).json()["connectionId"]
    track_id = caller.post(TRACKS, TRACK).json()["id"]
    for path in (CONNECTIONS, f"{CONNECTIONS}/{connection_id}", TRACKS, f"{TRACKS}/{track_id}"):
        caller.get(path)
    assert [call["operation"] for call in emulator.admin.calls()] == [
        "aws_connections",
        "voiceover_tracks",
        "aws_connection_list",
        "aws_connection",
        "voiceover_track_list",
        "voiceover_track",
    ]


def test_a_wrong_method_is_told_which_ones_there_are(caller: Any) -> None:
    reply = caller.call("OPTIONS", f"{CONNECTIONS}/7")
    assert reply.status_code == 405
    assert reply.headers["Allow"] == "DELETE, GET, PATCH, PUT"
