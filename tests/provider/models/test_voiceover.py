"""The six rules of the interface for a voiceover track (the sixth is about the reply)."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models import VoiceoverTrack
from airflow_video_creation.provider.models.voiceover import ENGINES

TRACK = {
    "name": "Ada",
    "language": "en-US",
    "voiceId": "v",
    "accent": "a",
    "age": "Adult",
    "gender": "Female",
}
ALL_ENGINES = sorted({engine for engines in ENGINES.values() for engine in engines})


def problems(**fields: Any) -> dict[str, str]:
    try:
        VoiceoverTrack.read({**TRACK, **fields})
    except InvalidRequestError as error:
        return {problem.path: problem.message for problem in error.problems}
    return {}


@pytest.mark.parametrize("engine", ALL_ENGINES)
@pytest.mark.parametrize("service", ENGINES)
def test_rules_1_to_3_each_service_has_its_engines(service: str, engine: str) -> None:
    found = problems(service=service, engine=engine)
    assert found.keys() == (set() if engine in ENGINES[service] else {"engine"})


def test_the_message_names_the_engines_that_the_service_has() -> None:
    found = problems(service="aws", engine="WaveNet")
    assert found == {"engine": "must be 'neural' or 'standard' for service 'aws'"}


@pytest.mark.parametrize("service", ["aws", "google"])
def test_rule_4_some_fields_are_for_elevenlabs_only(service: str) -> None:
    settings = {"similarityBoost": 1, "stability": 1}
    found = problems(service=service, engine="standard", publicUserId="u", elevenlabsVoiceSettings=settings)
    message = f"is only for service 'elevenlabs', not for {service!r}"
    assert found == {"publicUserId": message, "elevenlabsVoiceSettings": message}
    assert not problems(service=service, engine="standard", publicUserId=None)


def test_rule_5_voice_settings_are_whole() -> None:
    found = problems(service="elevenlabs", engine="eleven_monolingual_v1", elevenlabsVoiceSettings={})
    assert found == {
        "elevenlabsVoiceSettings.similarityBoost": "is required",
        "elevenlabsVoiceSettings.stability": "is required",
    }


def test_a_wrong_service_is_told_once() -> None:
    assert problems(service="azure", engine="neural", publicUserId="u").keys() == {"service"}


def test_rules_across_fields_are_told_beside_all_other_problems() -> None:
    found = problems(service="aws", engine="Neural2", name="", publicUserId="u")
    assert found.keys() == {"name", "engine", "publicUserId"}
