"""What a message of ours says first, and what after it."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.shown.advice import MAX_CAUSE, MAX_TODO, in_two


@pytest.mark.parametrize(
    ("message", "cause", "todo"),
    [
        ("No such font.", "No such font.", None),
        ("No such font. Correct it.  Nothing was paid.", "No such font.", "Correct it.\nNothing was paid."),
        (
            "No such font. It is 'x'.\nVideo 'tide', job 's-1'.\n\n  Correct it.\nNothing was paid.\n",
            "No such font.",
            "It is 'x'.\nVideo 'tide', job 's-1'.\nCorrect it.\nNothing was paid.",
        ),
        ("", "", None),
    ],
)
def test_the_first_sentence_says_what_happened(message: str, cause: str, todo: str | None) -> None:
    assert in_two(message) == (cause, todo)


def test_what_somebody_said_at_length_is_cut() -> None:
    cause, todo = in_two(f"{'a' * 2000}\n{'b' * 2000}")
    assert (len(cause), len(todo or "")) == (MAX_CAUSE, MAX_TODO)
