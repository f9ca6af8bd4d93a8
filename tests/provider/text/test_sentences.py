"""Sentences are told apart as a reader would; the table is sentences.txt."""
# ruff: noqa: RUF001 - it holds texts in ten languages

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.text.sentences import sentences_of

WITHOUT_SPACES = ("ja", "zh")
KNOWN_FAILURES = [
    ("en", "“Why?” asked the boy. | “Because I say so.” | He left.", "a quotation that goes on"),
    ("de", "Es gibt Brot, Käse usw. Alles ist frisch.", "usw. at the end of a sentence"),
    ("ru", "Он родился в 1950 г. Она умерла в 2001 г.", "г. at the end of a sentence"),
    ("ja", "「行こう！」 | 「うん。」 | 二人は歩き出した。", "two quotations side by side"),
    ("zh", "“走吧！” | “好。” | 他们走了。", "two quotations side by side"),
]
"""What is not told apart as a reader would, as it is told apart now (docs/measured/sentences.md)."""


def table() -> list[tuple[str, str]]:
    """(language, sentences) of each line."""
    rows = []
    language = ""
    for line in Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines()[1:]:
        if line.startswith("# "):
            language = line[2:]
        elif line:
            rows.append((language, line))
    return rows


def split(language: str, sentences: list[str]) -> list[str]:
    text = ("" if language in WITHOUT_SPACES else " ").join(sentences)
    return [sentence.strip() for sentence in sentences_of(text, language)]


@pytest.mark.parametrize(("language", "text"), table())
def test_sentences_are_told_apart(language: str, text: str) -> None:
    sentences = text.split(" | ")

    assert split(language, sentences) == sentences


@pytest.mark.parametrize(
    ("language", "text"), [row[:2] for row in KNOWN_FAILURES], ids=lambda text: text[:20]
)
def test_what_is_known_to_fail_is_as_the_documents_say(language: str, text: str) -> None:
    sentences = text.split(" | ")

    assert split(language, sentences) == sentences


def test_japanese_of_an_unknown_language_is_split_too() -> None:
    assert sentences_of("今日は晴れです。明日は雨でしょう。") == ["今日は晴れです。", "明日は雨でしょう。"]


def test_the_table_is_whole() -> None:
    languages = [language for language, _ in table()]

    assert len(set(languages)) == 10
    assert min(languages.count(language) for language in set(languages)) >= 10


@pytest.mark.parametrize("language", [None, "en-GB", "de_AT", "xx", "no such language"])
def test_any_word_for_a_language_is_taken(language: str | None) -> None:
    assert sentences_of("One here. Two there.", language) == ["One here. ", "Two there."]


@pytest.mark.parametrize(
    ("part", "count"),
    [("Str. 1 ", 1), ("A! ", 20_000), ("://", 1), ("www.", 1), ("b. ", 1), ("A (b.) ", 20_000)],
)
@pytest.mark.parametrize("before", ["", "“"])
def test_a_text_of_any_shape_is_read_to_its_end(before: str, part: str, count: int) -> None:
    sentences = sentences_of(before + part * 20_000)

    assert len(sentences) == (1 if before and "(" in part else count)


@pytest.mark.parametrize("mark", [*"“‘«'\"„‚‹「『（([<{¿¡", "” ", "“A. ", "« a ", "Mr. ", "..."])
def test_marks_that_open_and_never_close_do_not_make_it_endless(mark: str) -> None:
    text = (mark * 200_000)[:200_000]

    assert "".join(sentences_of(text)) == text


def test_a_long_paragraph_is_told_apart_like_a_short_one() -> None:
    sentences = ["“Is it far?” she asked. ", "Dr. Smith (who is from St. Ives) left at 3.15 p.m. on foot. "]

    assert sentences_of("".join(sentences * 1_000)) == sentences * 1_000


@pytest.mark.parametrize("length", [4_900, 5_100, 12_345])
def test_a_sentence_of_any_length_stays_one(length: int) -> None:
    sentence = "W" + ("ord, w" * length)[: length - 7] + " end. "

    assert sentences_of(f"Before. {sentence}After.") == ["Before. ", sentence, "After."]


@given(
    st.text(st.sampled_from("aÉs“”‘«»()「」.!?。！15\"' "), min_size=1, max_size=50),
    st.integers(5_000, 12_000),
)
def test_no_character_of_a_long_text_is_lost(part: str, length: int) -> None:
    text = (part * length)[:length]

    assert "".join(sentences_of(text)) == text


@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from([*'aÉs“”()「」.!?。！15"', " ", "Dr. ", "im 5. ", "www.a.b", "と", "А. "])
        ).map("".join),
    ),
    st.sampled_from(["en", "de", "ja", "zh", "ru", None]),
)
def test_no_character_is_lost(text: str, language: str | None) -> None:
    paragraph = " ".join(text.split())

    assert "".join(sentences_of(paragraph, language)) == paragraph
