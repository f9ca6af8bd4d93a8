from typing import Any

import pytest

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.sound.music import DEFAULT_VOLUME, Music
from airflow_video_creation.emulator.rendering.sound.speech import Voice
from airflow_video_creation.emulator.rendering.sound.voice_over import music_of, not_heard, voice_of


def storyboard(**fields: Any) -> StoryboardRequest:
    return StoryboardRequest.model_validate({"videoName": "trees", **fields})


def with_voice(**fields: Any) -> StoryboardRequest:
    return storyboard(audio={"aiVoiceOver": fields})


@pytest.mark.parametrize(
    ("asked", "voice"),
    [
        ({}, Voice("en-US", "", 100, 1)),
        ({"speaker": "Anna", "speed": "120", "amplifyLevel": "0.5"}, Voice("en-US", "Anna", 120, 1.5)),
        ({"speed": "20", "amplifyLevel": "-1"}, Voice("en-US", "", 50, 0)),
        ({"speed": "nonsense", "amplifyLevel": "9"}, Voice("en-US", "", 100, 2)),
    ],
)
def test_a_voice(asked: dict[str, str], voice: Voice) -> None:
    assert voice_of(with_voice(**asked)) == voice


def test_music_plays_when_it_is_asked_for() -> None:
    assert music_of(storyboard()) is None
    assert music_of(storyboard(audio={"autoBackgroundMusic": False})) is None
    assert music_of(storyboard(audio={"autoBackgroundMusic": True})) == Music("trees", DEFAULT_VOLUME)
    assert music_of(storyboard(audio={"autoBackgroundMusic": True, "backGroundMusicVolume": 0})) == Music(
        "trees", 0
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (with_voice(speed="100", amplifyLevel="1"), []),
        (with_voice(speed="500"), ["audio.aiVoiceOver.speed 500 (heard as 50 to 200)"]),
        (with_voice(amplifyLevel="loud"), ["audio.aiVoiceOver.amplifyLevel 'loud' (not a number)"]),
        (storyboard(language="xx-YY", scenes=[{"text": "a"}]), ["language xx-YY (spoken in English)"]),
        (storyboard(language="xx-YY", scenes=[{"text": "a", "voiceOver": False}]), []),
        (
            storyboard(scenes=[{"text": "<phoneme ph='x'>a</phoneme> <w>b</w>"}, {"text": "<lang>c</lang>"}]),
            ["SSML (its text is spoken as it is): lang, phoneme"],
        ),
    ],
)
def test_what_is_not_heard_is_said(asked: StoryboardRequest, said: list[str]) -> None:
    assert not_heard(asked) == said
