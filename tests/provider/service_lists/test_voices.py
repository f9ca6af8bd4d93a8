"""A speaker is compared with what the service lists; what cannot be told refuses nothing."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.service_lists.listing import Listed
from airflow_video_creation.provider.service_lists.voices import Voices, nearest, speaker_of


def voices(*entries: dict[str, Any], field: str | None = None, is_whole: bool = True) -> Voices:
    return Voices.of(Listed(list(entries), is_whole), field)


MATTHEW = {"id": "m-1", "name": "Matthew", "language": "en-US"}


@pytest.mark.parametrize("speaker", ["m-1", "Matthew"])
def test_a_speaker_is_any_of_the_usual_fields_of_a_voice(speaker: str) -> None:
    assert voices(MATTHEW).problem(speaker) is None


@pytest.mark.parametrize("name", ["voiceId", "displayName", "short_name", "speaker"])
def test_each_way_to_name_a_voice_counts(name: str) -> None:
    assert voices({name: "Joanna"}).names == {"Joanna"}


def test_a_number_is_a_name_as_it_would_be_written() -> None:
    assert voices({"id": 17}).problem("17") is None


def test_what_else_is_told_of_a_voice_is_no_name_of_it() -> None:
    assert voices(MATTHEW).problem("en-US") is not None


def test_the_field_that_the_connection_names_counts_alone() -> None:
    of_one = voices({**MATTHEW, "engine": {"key": "matt"}}, field="engine.key")

    assert of_one.names == {"matt"}
    assert of_one.problem("Matthew") is not None


def test_an_unknown_speaker_is_told_with_the_nearest_names() -> None:
    problem = voices(MATTHEW, {"name": "Mathieu"}, {"name": "Joanna"}).problem("Mathew")

    assert str(problem).startswith(
        "audio.aiVoiceOver.speaker: is not among the 3 voices that the service lists; "
        "did you mean 'Matthew' or 'Mathieu'?"
    )
    assert "reply_fields.voice" in str(problem)
    assert str(problem).endswith("(given: 'Mathew')")


def test_capitals_make_another_voice_and_the_hint_says_which() -> None:
    assert "did you mean 'Matthew'?" in str(voices(MATTHEW).problem("MATTHEW"))


def test_what_is_like_no_voice_has_no_hint() -> None:
    assert "did you mean" not in str(voices(MATTHEW).problem("zzz"))


@pytest.mark.parametrize(
    "listed",
    [voices(), voices({"uuid": "x"}), voices({"name": None}, {"name": " "}), voices(MATTHEW, is_whole=False)],
    ids=["empty", "no usual field", "no name", "one page of several"],
)
def test_a_list_that_cannot_tell_refuses_nothing(listed: Voices) -> None:
    assert not listed.can_refuse
    assert listed.problem("nobody") is None


def test_at_most_three_names_are_near() -> None:
    assert nearest("anna", [f"Anna{number}" for number in range(9)]) == ["Anna8", "Anna7", "Anna6"]


@pytest.mark.parametrize(
    ("body", "speaker"),
    [
        ({"audio": {"aiVoiceOver": {"speaker": "Joanna"}}}, "Joanna"),
        ({"audio": {"aiVoiceOver": {"speed": "100"}}}, None),
        ({"audio": {"aiVoiceOver": {"speaker": " "}}}, None),
        ({"audio": {}}, None),
        ({}, None),
    ],
)
def test_a_storyboard_need_not_name_a_speaker(body: dict[str, Any], speaker: str | None) -> None:
    assert speaker_of(body) == speaker
