"""How long a video will be, about, is known before it is paid for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.speech_rate import words_a_minute
from airflow_video_creation.provider.spending.estimate import (
    MAX_VIDEO,
    MIN_SCENE,
    PAUSE_AFTER_SCENE,
    SECONDS_WITHOUT_TEXT,
    estimated_seconds,
    spoken_part,
)

ENDLESS_BREAK = f"<break time='{'9' * 400}s'/>"
MINUTE_OF_ENGLISH = " ".join(["word"] * words_a_minute("en"))
BACKGROUND = "https://example.com/a.jpg"


def seconds(*scenes: dict[str, Any], **fields: Any) -> float:
    return estimated_seconds(Storyboard.read({"videoName": "v", "scenes": list(scenes), **fields}))


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        ({"text": MINUTE_OF_ENGLISH, "voiceOver": True}, 60 + PAUSE_AFTER_SCENE),
        ({"text": MINUTE_OF_ENGLISH}, 60 + PAUSE_AFTER_SCENE),
        ({"text": MINUTE_OF_ENGLISH, "voiceOver": False}, 60 + PAUSE_AFTER_SCENE),
        ({"text": "Hi", "voiceOver": True}, MIN_SCENE),
        ({"text": "Hi", "minimumDuration": 7.5}, 7.5),
        ({"text": MINUTE_OF_ENGLISH, "minimumDuration": 7.5}, 60 + PAUSE_AFTER_SCENE),
        ({"backgroundUri": BACKGROUND}, SECONDS_WITHOUT_TEXT),
        ({"backgroundUri": BACKGROUND, "minimumDuration": 20}, 20),
        ({"text": f"<speak>{MINUTE_OF_ENGLISH}<break time='1500ms'/></speak>"}, 61.5 + PAUSE_AFTER_SCENE),
    ],
)
def test_a_scene_lasts_as_long_as_its_words(scene: dict[str, Any], expected: float) -> None:
    assert seconds(scene) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("speed", "expected"), [("200", 31.0), ("50", 121.0), ("quick", 61.0), ("0", 61.0), ("-5", 61.0)]
)
def test_the_voices_speed_counts(speed: str, expected: float) -> None:
    voice = {"aiVoiceOver": {"speaker": "Joan", "speed": speed}}
    assert seconds({"text": MINUTE_OF_ENGLISH, "voiceOver": True}, audio=voice) == pytest.approx(expected)


def test_a_scene_without_a_voice_is_read_at_normal_speed() -> None:
    scene = {"text": MINUTE_OF_ENGLISH, "voiceOver": False}
    assert seconds(scene, audio={"aiVoiceOver": {"speed": "200"}}) == pytest.approx(60 + PAUSE_AFTER_SCENE)


@pytest.mark.parametrize("language", ["de-DE", "ru", "pt-BR"])
def test_the_language_counts(language: str) -> None:
    scene = {"text": " ".join(["слово"] * words_a_minute(language))}
    assert seconds(scene, language=language) == pytest.approx(60 + PAUSE_AFTER_SCENE)


def test_scenes_add_up() -> None:
    scene = {"text": MINUTE_OF_ENGLISH}
    assert seconds(scene, scene) == pytest.approx(2 * seconds(scene))


@pytest.mark.parametrize(
    ("text", "words", "pauses"),
    [
        ("plain words", "plain words", 0.0),
        ("a<break time='2s'/>b", "a b", 2.0),
        ('a<break strength="strong"/>b<break/>c', "a b c", 1.5),
        ("a<break time='.5s' strength='x-strong'/>b", "a b", 0.5),
        ("<p>one</p><p>two</p>", "one two", 0.0),
        ("fish &amp; chips", "fish & chips", 0.0),
        ("fish & chips < 5", "fish & chips < 5", 0.0),
        ("<amazon:effect name='whispered'>hush</amazon:effect>", "hush", 0.0),
    ],
)
def test_tags_are_not_spoken_and_breaks_are_waited_for(text: str, words: str, pauses: float) -> None:
    said, waited = spoken_part(text)
    assert (said.split(), waited) == (words.split(), pauses)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    said, pauses = spoken_part(text)
    assert isinstance(said, str)
    assert pauses >= 0


@pytest.mark.parametrize(
    "scenes",
    [
        [{"text": f"{ENDLESS_BREAK}x"}],
        [{"text": "x", "minimumDuration": 1e308}] * 3,
        [{"text": "x", "minimumDuration": 80_000}] * 2,
    ],
)
def test_nothing_lasts_longer_than_a_day(scenes: list[dict[str, Any]]) -> None:
    assert seconds(*scenes) == MAX_VIDEO
