"""Connections to private media, and voices for the voiceover library."""

from typing import Any

import pytest

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
