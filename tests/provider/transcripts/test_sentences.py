"""Whole sentences with their times: no word is lost, whatever the cues cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.speech_rate import spoken_words
from airflow_video_creation.provider.transcripts.cue import Cue
from airflow_video_creation.provider.transcripts.sentences import (
    MAX_SENTENCE,
    Sentence,
    spoken_sentences,
)
from airflow_video_creation.provider.transcripts.transcript import Transcript

CUES = st.lists(
    st.tuples(
        st.floats(0, 3),
        st.floats(0, 5),
        st.lists(
            st.sampled_from(["so", "Dr.", "Then", "it.", "3.5", "end!", "你好。", "“why?”"]),
            min_size=1,
            max_size=9,
        ),
        st.sampled_from([None, "A"]),
    ),
    min_size=1,
    max_size=30,
)


def transcript(cues: list[tuple[float, float, list[str], str | None]]) -> Transcript:
    made: list[Cue] = []
    start = 0.0
    for pause, seconds, words, speaker in cues:
        start += pause
        made.append(Cue(start, start + seconds, " ".join(words), speaker))
    return Transcript(tuple(made), "en")


def test_a_sentence_goes_across_cues_and_starts_where_its_words_are() -> None:
    cues = (Cue(1, 3, "Good day. My name"), Cue(3, 4, "is Dr. Smith."), Cue(4, 5, "And yours?"))
    assert spoken_sentences(Transcript(cues, "en")) == [
        Sentence("Good day.", 1, pytest.approx(2.06, abs=0.01)),
        Sentence("My name is Dr. Smith.", pytest.approx(2.18, abs=0.01), 4),
        Sentence("And yours?", 4, 5),
    ]


def test_another_speaker_or_a_pause_ends_a_sentence() -> None:
    cues = (Cue(0, 1, "so he", "A"), Cue(1, 2, "what?", "B"), Cue(2, 3, "And", "B"), Cue(7, 8, "then", "B"))
    texts = [(s.speaker, s.text) for s in spoken_sentences(Transcript(cues))]
    assert texts == [("A", "so he"), ("B", "what?"), ("B", "And"), ("B", "then")]


def test_speech_without_full_stops_is_cut_between_cues() -> None:
    cues = tuple(Cue(i, i + 1, "one two three four five six seven") for i in range(20))
    pieces = spoken_sentences(Transcript(cues, "en"))
    assert [spoken_words(piece.text) for piece in pieces] == [35, 35, 35, 35]
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 5), (5, 10), (10, 15), (15, 20)]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("de", "Am 5. Oktober kam Dr. Huber. Er zahlte 3,50 €.", 2),
        ("fr", "« C'est bon ! » dit-il. Puis il partit.", 2),
        ("ja", "今日は晴れです。明日は雨でしょう。", 2),
    ],
)
def test_other_languages(language: str, text: str, count: int) -> None:
    assert len(spoken_sentences(Transcript((Cue(0, 4, text),), language))) == count


def test_a_turn_of_very_many_sentences_is_read_to_its_end() -> None:
    found = spoken_sentences(Transcript((Cue(0, 100, "So! " * 100_000),), "en"))
    assert len(found) == 100_000
    assert found[-1].end == pytest.approx(100, abs=0.01)


@given(CUES)
def test_no_word_is_lost_and_times_go_forward(cues: list[tuple[float, float, list[str], str | None]]) -> None:
    given_cues = transcript(cues)
    found = spoken_sentences(given_cues)
    assert [w for s in found for w in s.text.split()] == [
        w for cue in given_cues.cues for w in cue.text.split()
    ]
    assert [s.start for s in found] == sorted(s.start for s in found)
    assert all(0 <= s.start <= s.end <= given_cues.end + 1e-6 for s in found)
    longest_cue = max(spoken_words(cue.text) for cue in given_cues.cues)
    assert all(spoken_words(s.text) <= max(MAX_SENTENCE, longest_cue) + longest_cue for s in found)
