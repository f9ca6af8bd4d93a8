"""What others wrote is fit for a message when it is short, on one line, and without secrets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.quoting import MAX_QUOTED, quotable

JSON_WEB_TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (None, None),
        ("", None),
        (" \n\t", None),
        ("No such font", "No such font"),
        ("two\nlines\tand  more", "two lines and more"),
        ("see https://h.example/a?X-Sig=5ec7e7&b=1 and so on", "see https://h.example/a?*** and so on"),
        ("see https://h.example/a#5ec7e7", "see https://h.example/a#***"),
        ("https://ada:5ec7e7@h.example/a", "https://***@h.example/a"),
        ("https://ada:5e@c7e7@h.example/a", "https://***@h.example/a"),
        ("at /media/a.mp4?token=5ec7e7&x=5ec7e7 now", "at /media/a.mp4?token=***&x=*** now"),
        ("Authorization: Bearer 5ec7e7", "Authorization: Bearer ***"),
        ("Authorization: Basic 5ec7e7==", "Authorization: Basic ***"),
        (f"the token {JSON_WEB_TOKEN} is old", "the token *** is old"),
        ("client_secret=5ec7e7; api-key = 5ec7e7", "client_secret=***; api-key = ***"),
        ("token: expired", "token: expired"),
        (
            'the webhook "https://a.example/x/video_creation/webhook/1.eJx-_5ec7e7.aS.za0" is not reachable',
            'the webhook "https://a.example/x/video_creation/webhook/***" is not reachable',
        ),
    ],
)
def test_what_is_hidden(text: str | None, quoted: str | None) -> None:
    assert quotable(text) == quoted


def test_known_secrets_are_hidden_wherever_they_stand() -> None:
    assert quotable("x5ec7e7y", ["5ec7e7"]) == "x***y"
    assert quotable("a key", ["", "a"]) == "a key"


@given(st.text(), st.text())
def test_any_text_is_cut_and_on_one_line(text: str, secret: str) -> None:
    quoted = quotable(text * 50, [secret]) or ""
    assert len(quoted) <= MAX_QUOTED
    assert "\n" not in quoted


@given(before=st.text("ab: /?&=\"'", max_size=300), after=st.text("ab &\"'", max_size=300))
def test_a_known_secret_never_stays(before: str, after: str) -> None:
    assert "5ec7e7" not in (quotable(f"{before}5ec7e7{after}", ["5ec7e7"]) or "")


@pytest.mark.parametrize("piece", ["a", "-eyJ", "https://", "a?", "?a", "://@", "token="])
def test_a_long_text_does_not_hold_up_a_triggerer(piece: str) -> None:
    assert len(quotable(piece * 1_000_000) or "") <= MAX_QUOTED
