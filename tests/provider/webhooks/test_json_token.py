"""The tokens that release 0.1.0 has given out: read as they were then, and as hard to forge."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
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
)

SECRET = "a secret of 22 letters"
NOW = 1_795_000_000.123456
PACKED = (
    "1.eJxVjsEKwjAQRP9lr6YlSW3FfkfvIc2uGpoaSFKhiP_uNuDBZZnDmxl23-BghJdHisYlssXHp0G62S0UELCwmUtM-xxtQgbIAK0Pu7GpeBfI1G5m"
    "Kx1Z9yDcAqExWuqhUarRepLdKCXvqSpHC0dXu_zKbb1MbNxhVAJm1su1l3VapbtzPwhYDyog_7_0-QKiBTqE.av2GwA."
    "-mkiIbkaWwQy9QXyW_0Q2paAPUHxZJoXY_IZPvX7qbI"
)
PLAIN = (
    "1.eJyrVkpWsgJiHaVsIF2UmpeSWgTkpAA5KUC6CCQIpEuAdAmQTleyMtRRSlKyMtIzrQUAzEYOmw.Ag.5vl6Z27FQa"
    "oGoEJWuYNfU_wBQi6L8IoyuaxmQsdmktA"
)
"""Both made by the code of 0.1.0."""
SUBMITTER = Submitter(
    "video_creation_default",
    "storyboard",
    "daily_article_videos",
    "scheduled__2026-11-22T03:00:00+00:00",
    "make_videos.create",
    1,
    NOW,
    17,
    "storyboard",
)


def packed(payload: bytes) -> str:
    return f"1.{urlsafe_b64encode(zlib.compress(payload)).decode().rstrip('=')}.aaaa.bbbb"


def plain(payload: bytes) -> str:
    return f"1{urlsafe_b64encode(payload).decode().rstrip('=')}.aaaa.bbbb"


def test_a_token_of_release_0_1_0_is_still_taken() -> None:
    assert claimed(PACKED) == verified(PACKED, SECRET, NOW) == SUBMITTER
    assert verified(PLAIN, SECRET, 3.0) == Submitter("c", "render", "d", "r", "t", 1, 2.5)


@given(data=st.data())
def test_any_altered_character_is_refused(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(PACKED) - 1))
    other = data.draw(st.sampled_from("abcXYZ0189-_.=+/é \n").filter(lambda letter: letter != PACKED[place]))
    kind = data.draw(st.sampled_from(["altered", "inserted", "left out", "cut off"]))
    forged = {
        "altered": PACKED[:place] + other + PACKED[place + 1 :],
        "inserted": PACKED[:place] + other + PACKED[place:],
        "left out": PACKED[:place] + PACKED[place + 1 :],
        "cut off": PACKED[:place],
    }[kind]
    with pytest.raises(WebhookRefusedError):
        verified(forged, SECRET, NOW)


def test_the_last_character_counts_too_though_it_holds_bits_that_are_not_decoded() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for letter in set(letters) - {PACKED[-1]}:
        with pytest.raises(WebhookRefusedError, match="signature"):
            verified(PACKED[:-1] + letter, SECRET, NOW)


@pytest.mark.parametrize("secret", ["another secret of 22", SECRET.upper(), ""])
def test_a_token_of_another_secret_is_forged(secret: str) -> None:
    with pytest.raises(WebhookRefusedError, match="signature"):
        verified(PACKED, secret, NOW)


@pytest.mark.parametrize("later", [MAX_AGE + 1, -2 - MAX_AHEAD])
def test_a_token_is_taken_for_seven_days(later: float) -> None:
    with pytest.raises(WebhookRefusedError, match="expired"):
        verified(PACKED, SECRET, NOW + later)
    assert verified(PACKED, SECRET, NOW + later / 2) == SUBMITTER


FULL = b'{"c":"c","k":"render","d":"d","r":"r","t":"t","g":1,"b":2.0}'


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "1",
        "...",
        "1...",
        "a.b.c",
        f"2{PACKED[1:]}",
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


def test_a_claim_is_not_verified() -> None:
    assert claimed(plain(FULL)) == Submitter("c", "render", "d", "r", "t", 1, 2.0)
    with pytest.raises(WebhookRefusedError, match="signature"):
        verified(plain(FULL), SECRET, NOW)


def test_a_later_release_may_add_to_it() -> None:
    payload: Any = FULL.replace(b"{", b'{"z":1,')
    assert claimed(plain(payload)).task_id == "t"
