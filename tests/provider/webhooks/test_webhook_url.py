"""The webhook's URL: signed, dated, naming one submission of one task, and nothing secret."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.webhooks.webhook_url import (
    MAX_AGE,
    MAX_AHEAD,
    MAX_TOKEN,
    Submitter,
    WebhookRefusedError,
    claimed,
    verified,
    webhook_url,
)

SECRET = "a secret of 22 letters"
NOW = 1_795_000_000.25
SUBMITTER = Submitter(
    "video_creation_default", "storyboard", "night", "scheduled__2026-11-21", "make", 2, NOW
)
IDS = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="/\\"), min_size=1, max_size=250
).filter(lambda name: name not in (".", ".."))


def token(submitter: Submitter = SUBMITTER, secret: str = SECRET, now: float = NOW) -> str:
    return webhook_url("https://airflow.example.com", secret, submitter, now).rpartition("/")[2]


def packed(payload: bytes) -> str:
    return f"1.{urlsafe_b64encode(zlib.compress(payload)).decode().rstrip('=')}.aaaa.bbbb"


def plain(payload: bytes) -> str:
    return f"1{urlsafe_b64encode(payload).decode().rstrip('=')}.aaaa.bbbb"


@pytest.mark.parametrize(
    "base", ["https://a.example", "https://a.example/", "https://a.example/airflow", "http://localhost:8080"]
)
def test_the_url_is_below_airflows_public_address(base: str) -> None:
    url = webhook_url(base, SECRET, SUBMITTER, NOW)
    assert url == f"{base.rstrip('/')}/video_creation/webhook/{token()}"


def test_a_request_that_is_sent_again_holds_the_same_url() -> None:
    assert token() == token()


def test_it_names_the_submission_and_no_secret() -> None:
    assert claimed(token()) == verified(token(), SECRET, NOW) == SUBMITTER
    assert SECRET not in token()


@given(
    submitter=st.builds(
        Submitter,
        conn_id=IDS,
        kind=st.sampled_from(["storyboard", "render"]),
        dag_id=IDS,
        run_id=IDS,
        task_id=IDS,
        generation=st.integers(0, 10**6),
        begun_at=st.floats(1e9, 4e9),
        map_index=st.integers(-1, 10**6),
        stage=st.sampled_from(["", "storyboard", "render"]),
    )
)
def test_whatever_a_task_is_called(submitter: Submitter) -> None:
    made = token(submitter)
    assert len(made) <= 4000 < MAX_TOKEN, "docs/connection.md and docs/webhooks.md say so"
    assert made.isascii()
    assert made.startswith("1"), "a proxy may take a segment that begins with a dot for a hidden file"
    assert claimed(made) == verified(made, SECRET, NOW) == submitter


@given(data=st.data(), long=st.booleans())
def test_any_altered_character_is_refused(data: st.DataObject, long: bool) -> None:
    made = token(replace(SUBMITTER, task_id="make." * 40) if long else SUBMITTER)
    place = data.draw(st.integers(0, len(made) - 1))
    other = data.draw(st.sampled_from("abcXYZ0189-_.=+/é \n").filter(lambda letter: letter != made[place]))
    kind = data.draw(st.sampled_from(["altered", "inserted", "left out", "cut off"]))
    forged = {
        "altered": made[:place] + other + made[place + 1 :],
        "inserted": made[:place] + other + made[place:],
        "left out": made[:place] + made[place + 1 :],
        "cut off": made[:place],
    }[kind]
    with pytest.raises(WebhookRefusedError):
        verified(forged, SECRET, NOW)


def test_the_last_character_counts_too_though_it_holds_bits_that_are_not_decoded() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for letter in set(letters) - {token()[-1]}:
        with pytest.raises(WebhookRefusedError, match="signature"):
            verified(token()[:-1] + letter, SECRET, NOW)


@pytest.mark.parametrize("secret", ["another secret of 22", SECRET.upper(), ""])
def test_a_token_of_another_secret_is_forged(secret: str) -> None:
    with pytest.raises(WebhookRefusedError, match="signature"):
        verified(token(secret=secret), SECRET, NOW)


@pytest.mark.parametrize(
    ("later", "taken"),
    [
        (0, True),
        (MAX_AGE - 1, True),
        (MAX_AGE + 1, False),
        (1e9, False),
        (1 - MAX_AHEAD, True),
        (-2 - MAX_AHEAD, False),
    ],
)
def test_a_token_is_taken_for_seven_days(later: float, taken: bool) -> None:
    if taken:
        assert verified(token(), SECRET, NOW + later) == SUBMITTER
        return
    with pytest.raises(WebhookRefusedError, match="expired"):
        verified(token(), SECRET, NOW + later)


FULL = b'{"c":"c","k":"render","d":"d","r":"r","t":"t","g":1,"b":2.0}'


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "1",
        "...",
        "1...",
        "a.b.c",
        f"2{token()[1:]}",
        "1" * 100_000,
        f"1.{'a' * MAX_TOKEN}.b.c",
        packed(b'"' + b"x" * 10**6 + b'"'),
        packed(FULL)[:40] + ".aaaa.bbbb",
        plain(b"[" * 4000),
        plain(b"9" * 4400),
        plain(b"[]"),
        plain(b"null"),
        plain(b"\xff\xfe"),
        plain(b"{}"),
        *(
            plain(FULL.replace(right, wrong))
            for right, wrong in [
                (b'"render"', b'"other"'),
                (b'"render"', b'["render"]'),
                (b'"c":"c"', b'"c":7'),
                (b'"c":"c"', b'"c":"' + b"c" * 251 + b'"'),
                (b'"c":"c"', b'"c":"\\ud800"'),
                (b'"c":"c"', b'"c":"c\\n"'),
                (b'"g":1', b'"g":true'),
                (b'"g":1', b'"g":1.5'),
                (b'"b":2.0', b'"b":"2"'),
                (b'"t":"t",', b""),
                (b'"t":"t"', b'"t":"../t"'),
                (b'"d":"d"', b'"d":"d/dagRuns/r"'),
                (b'"r":"r"', b'"r":".."'),
                (b'"c":"c"', b'"c":"c/../other"'),
                (b'"t":"t"', b'"t":"t","s":"x/../y"'),
                (b'"t":"t"', b'"t":"t","s":"x?map_index=1"'),
            ]
        ),
    ],
    ids=lambda odd: odd[:20],
)
def test_what_is_no_token_is_told_before_anything_is_looked_up(odd: str) -> None:
    with pytest.raises(WebhookRefusedError, match="malformed"):
        claimed(odd)
    with pytest.raises(WebhookRefusedError, match=r"malformed|signature"):
        verified(odd, SECRET, NOW)


@given(st.text(max_size=200) | st.text("1.aZ_-", max_size=200))
def test_any_text_is_refused_or_a_claim(text: str) -> None:
    for read in (claimed, lambda odd: verified(odd, SECRET, NOW)):
        with pytest.raises(WebhookRefusedError):
            read(text)


def test_a_claim_is_not_verified() -> None:
    assert claimed(plain(FULL)) == Submitter("c", "render", "d", "r", "t", 1, 2.0)
    with pytest.raises(WebhookRefusedError, match="signature"):
        verified(plain(FULL), SECRET, NOW)


def test_a_later_release_may_add_to_it() -> None:
    payload: Any = FULL.replace(b"{", b'{"z":1,')
    assert claimed(plain(payload)).task_id == "t"
