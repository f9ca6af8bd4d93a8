"""The sentences that matter, in their order, within a target length, the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.transcripts.extract import centrality, extract
from airflow_video_creation.provider.transcripts.sentences import Sentence

TALK = [
    "Hello and welcome here.",
    "The winter ferry costs ninety euros a day.",
    "The nurse takes the winter ferry to work every day.",
    "Right.",
    "Bread was fine, too.",
    "The winter ferry costs ninety euros a day!",
    "Volunteers steer the winter ferry every day.",
]


def sentences(*texts: str, seconds: float = 4) -> list[Sentence]:
    return [Sentence(text, i * seconds, (i + 1) * seconds) for i, text in enumerate(texts)]


def test_what_the_others_are_about_is_chosen_in_order_and_once() -> None:
    assert [s.text for s in extract(sentences(*TALK), 13)] == [TALK[1], TALK[2], TALK[6]]


def test_greetings_and_single_words_are_no_filling() -> None:
    assert not {TALK[0], TALK[3]} & {s.text for s in extract(sentences(*TALK), 1000)}


def test_any_callable_may_rank() -> None:
    shortest = extract(sentences(*TALK), 8, rank=lambda texts: [1 / len(text) for text in texts])
    assert [s.text for s in shortest] == ["Right.", "Bread was fine, too."]
    with pytest.raises(ValueError, match="gave 1 numbers for 7 sentences"):
        extract(sentences(*TALK), 8, rank=lambda texts: [1.0])


def test_the_length_may_be_that_of_another_voice() -> None:
    chosen = extract(sentences(*TALK), 10, length=lambda sentence: 10)
    assert len(chosen) == 1


def test_where_nothing_fits_the_one_that_matters_most_is_taken() -> None:
    assert len(extract(sentences(*TALK), 0.5)) == 1
    assert extract([], 60) == []
    with pytest.raises(ValueError, match="above 0"):
        extract(sentences(*TALK), 0)


def test_languages_without_spaces_are_ranked_too() -> None:
    ranks = centrality(
        ["冬の渡し船は高いです。", "看護師は毎日冬の渡し船に乗ります。", "パンはおいしかった。"]
    )
    assert ranks[2] < min(ranks[:2])


@given(
    st.lists(st.text(max_size=30) | st.sampled_from(TALK), max_size=12),
    st.floats(0.1, 100),
    st.floats(0.01, 20),
)
def test_an_extract_is_within_its_length_and_keeps_the_order(
    texts: list[str], seconds: float, lasts: float
) -> None:
    said = sentences(*texts, seconds=lasts)
    chosen = extract(said, seconds)
    assert chosen == extract(said, seconds)
    assert chosen == [s for s in said if s in chosen]
    assert sum(s.seconds for s in chosen) <= seconds + 1e-6 or len(chosen) == 1
    assert bool(chosen) == bool(said)
