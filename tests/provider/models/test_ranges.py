"""Values that comparable services do not take are sent, and worth a warning."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.models.ranges import range_warnings


def warnings(audio: dict[str, Any] | None) -> list[str]:
    return range_warnings(Storyboard.read({"videoName": "x", "scenes": [{"text": "x"}], "audio": audio}))


@pytest.mark.parametrize(
    "audio",
    [
        None,
        {},
        {"aiVoiceOver": {}},
        {"aiVoiceOver": {"speed": 50, "amplifyLevel": "-1"}, "backGroundMusicVolume": 1},
        {"aiVoiceOver": {"speed": "200", "amplifyLevel": 1}, "backGroundMusicVolume": 0},
        {"aiVoiceOver": {"speed": "fast", "amplifyLevel": "loud"}},
    ],
)
def test_no_warning(audio: dict[str, Any] | None) -> None:
    assert not warnings(audio)


def test_each_value_out_of_range_is_named() -> None:
    assert warnings({"aiVoiceOver": {"speed": 300, "amplifyLevel": "-1.5"}, "backGroundMusicVolume": 50}) == [
        "audio.aiVoiceOver.speed is 300, but comparable services accept 50 to 200. It is sent unchanged.",
        "audio.aiVoiceOver.amplifyLevel is -1.5, but comparable services accept -1 to 1. It is sent unchanged.",
        "audio.backGroundMusicVolume is 50, but comparable services accept 0 to 1. It is sent unchanged.",
    ]
