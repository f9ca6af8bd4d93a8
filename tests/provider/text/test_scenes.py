"""A text -> pieces of the length of a scene."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.speech_rate import spoken_words
from airflow_video_creation.provider.text.scenes import one_line, scene_pieces

ANY_CHARACTER = st.characters(exclude_categories=())
TEXTS = st.one_of(
    st.text(ANY_CHARACTER),
    st.lists(st.sampled_from([*"abcé€“”,.;:!?&<>{}%", " ", "\n", "Dr.", "the", "3.5", "今日は。", "، "])).map(
        "".join
    ),
)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One two three. Four five. Six.", ["One two three. Four five.", "Six."]),
        ("A heading\nOne two three.", ["A heading", "One two three."]),
        (
            "One two three, four five, six seven eight nine.",
            ["One two three, four five,", "six seven eight nine."],
        ),
        ("one two three four five six seven", ["one two three four five", "six seven"]),
        ("  \n\n ", []),
    ],
    ids=["whole sentences", "paragraphs apart", "at commas", "between words", "nothing"],
)
def test_scenes_of_five_words(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in scene_pieces(text, words_per_scene=5)] == pieces


@pytest.mark.parametrize("language", ["ja", None])
def test_japanese_scenes_are_not_endless(language: str | None) -> None:
    text = "今日は晴れです。" * 40
    pieces = scene_pieces(text, language=language, words_per_scene=30)
    assert max(len(piece.text) for piece in pieces) <= 60


def test_a_piece_tells_whether_a_sentence_ends_with_it() -> None:
    pieces = scene_pieces("One two, three four. Five. Six", words_per_scene=3)
    assert pieces == [("One two,", False), ("three four. Five.", True), ("Six", True)]


@settings(deadline=None)
@given(TEXTS, st.sampled_from(["en", "de-DE", "ja", "ar", "zz", None]), st.integers(1, 12))
def test_no_word_is_lost_no_scene_empty_or_too_long(text: str, language: str | None, limit: int) -> None:
    pieces = [piece.text for piece in scene_pieces(text, language=language, words_per_scene=limit)]
    assert "".join("".join(pieces).split()) == "".join(one_line(text).split())
    assert all(piece.strip() for piece in pieces)
    assert all(spoken_words(piece) <= limit or " " not in piece for piece in pieces)


@settings(deadline=None)
@given(st.text(ANY_CHARACTER))
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    line.encode()


def test_a_scene_needs_a_word() -> None:
    with pytest.raises(ValueError, match="at least one word"):
        scene_pieces("Hello", words_per_scene=0)


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(
        ConfigurationError, match=r"pip install 'airflow-provider-video-creation\[articles\]'"
    ):
        scene_pieces("Hello")
