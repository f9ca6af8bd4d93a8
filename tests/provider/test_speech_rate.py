"""How long a text takes to be spoken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.speech_rate import (
    seconds_to_say,
    speed_of,
    spoken_words,
    words_a_minute,
    words_in,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("One two three.", 3),
        ("今日は晴れ", 2.5),
        ("AIの時代", 2.5),
        ("Tokyo 東京 is big", 4),
        ("안녕 하세요", 2.5),
        ("— Oh!", 2),
    ],
)
def test_words_are_counted(text: str, words: float) -> None:
    assert spoken_words(text) == words


def test_a_minute_of_english_is_a_minute() -> None:
    text = "word " * words_a_minute("en")
    assert seconds_to_say(text, "en-GB") == 60
    assert seconds_to_say(text, "en", speed=200) == 30
    assert seconds_to_say(text, None) == 60


@pytest.mark.parametrize("language", ["en", "de-AT", "pt_BR", "ja", "xx", None])
def test_words_in_is_the_way_back(language: str | None) -> None:
    text = "word " * words_in(20, language, 110)
    assert 19 < seconds_to_say(text, language, 110) <= 20


@given(st.floats(0, 1e6), st.floats(1, 1000))
def test_at_least_one_word_fits(seconds: float, speed: float) -> None:
    assert words_in(seconds, "en", speed) >= 1


def test_so_many_words_that_no_number_holds_them_are_very_many() -> None:
    assert words_in(1e300, "en", 1e300) == words_in(float("inf"), "en") == 10**9


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
def test_a_voice_without_speed_says_nothing(speed: float) -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        seconds_to_say("Hello", "en", speed)


@pytest.mark.parametrize(
    ("given_speed", "speed"),
    [("110", 110), ("87.5", 87.5), (None, 100), ("fast", 100), ("0", 100), ("inf", 100), ("nan", 100)],
)
def test_a_voices_speed_is_read_or_normal(given_speed: str | None, speed: float) -> None:
    assert speed_of(given_speed) == speed
