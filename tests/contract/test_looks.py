"""What is left and which voices there are is understood in every form that a running service answers in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    RequestRefusedError,
)

PATHS = {"quota": "/api/v1/quota", "voices": "/api/v1/voices"}
TRACK = {
    **{"name": "newsroom-evening", "service": "aws", "engine": "neural", "voiceId": "Brian"},
    **{"language": "en-GB", "accent": "British", "age": "Adult", "gender": "Male"},
}
DIALECTS = [
    *({"list_envelope": envelope} for envelope in ("data", "items", "plural", "bare")),
    {"list_fields": {"minutes_left": "minutesLeft", "name": "displayName"}},
    {"list_fields": {"minutes_left": "remaining", "name": "speaker"}, "list_envelope": "items"},
]


@pytest.fixture
def look(video_creation_emulator: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A new hook, as each task makes one, of a service of this behaviour: ``look(quota_minutes=3)``."""

    def hook(fields: dict[str, str] | None = None, **behaviour: Any) -> VideoCreationHook:
        video_creation_emulator.admin.change(**behaviour)
        connection = json.loads(video_creation_emulator.connection_json)
        connection["extra"] |= {"paths": PATHS, "reply_fields": fields or {}}
        monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
        return VideoCreationHook()

    return hook


def storyboard(speaker: str, minutes: float = 0.1) -> dict[str, Any]:
    return {
        "videoName": "v",
        "scenes": [{"text": "t", "minimumDuration": minutes * 60}],
        "audio": {"aiVoiceOver": {"speaker": speaker}},
    }


@pytest.mark.parametrize("dialect", DIALECTS, ids=json.dumps)
def test_quota_and_voices_are_read(look: Any, dialect: dict[str, Any]) -> None:
    hook = look(quota_minutes=3, dialect=dialect)

    assert hook.get_quota() == 3
    assert len(hook.get_voices()) > 5
    assert hook.create_storyboard(storyboard("Joanna"))
    with pytest.raises(InvalidRequestError, match="did you mean 'Joanna'"):
        hook.create_storyboard(storyboard("Johanna"))


def test_fields_of_any_name_are_read_where_the_connection_names_them(look: Any) -> None:
    dialect = {"list_fields": {"minutes_left": "account.rest", "name": "called", "id": "number"}}
    fields = {"quota_minutes": "account.rest", "voice": "called"}
    hook = look(fields, quota_minutes=3, dialect=dialect)

    assert hook.get_quota() == 3
    assert hook.create_storyboard(storyboard("Joanna"))
    with pytest.raises(ConfigurationError, match=r"its fields: .*account\.rest"):
        look(quota_minutes=3, dialect=dialect).get_quota()


def test_a_voice_that_was_added_is_known_at_once(look: Any) -> None:
    look().check_speaker(storyboard("Joanna"))
    with pytest.raises(InvalidRequestError):
        look().check_speaker(storyboard(TRACK["name"]))

    look().add_voiceover_track(TRACK)
    look().check_speaker(storyboard(TRACK["name"]))


def test_what_a_render_used_is_not_left_any_more(look: Any) -> None:
    hook = look(quota_minutes=3)
    job = hook.get_job(hook.create_storyboard(storyboard("Joanna", minutes=1)))
    hook.render_video(job.render_settings or {})

    assert hook.get_quota() == pytest.approx(2, abs=0.1)
    with pytest.raises(RequestRefusedError, match="payment"):
        hook.create_storyboard(storyboard("Joanna", minutes=5))


@pytest.mark.parametrize("status", [401, 403, 404, 500, 503])
def test_a_list_that_fails_stops_no_video(look: Any, video_creation_emulator: Any, status: int) -> None:
    hook = look()
    video_creation_emulator.admin.add_fault("status", on="voices", status=status)

    assert hook.create_storyboard(storyboard("whoever"))
