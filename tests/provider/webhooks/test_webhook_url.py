"""The webhook's URL: signed, dated, naming one submission of one task, and nothing secret."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from datetime import UTC
from random import Random

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
GIVEN_OUT = "2Qdq_YbAQAAAABmDZ67fHACPCnWATQYEGCaZiaNgheT3RyTjF1bIiigsc9gA-EI6t7dw7zs6FvzqgR9x_"
IDS = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="/\\"), min_size=1, max_size=250
).filter(lambda name: name not in (".", ".."))


def token(submitter: Submitter = SUBMITTER, secret: str = SECRET) -> str:
    return webhook_url("https://airflow.example.com", secret, submitter).rpartition("/")[2]


def bytes_of(made: str) -> bytes:
    return urlsafe_b64decode(made[1:] + "=" * (-len(made[1:]) % 4))


def of_bytes(data: bytes) -> str:
    return f"2{urlsafe_b64encode(data).decode().rstrip('=')}"


@pytest.mark.parametrize(
    "base", ["https://a.example", "https://a.example/", "https://a.example/airflow", "http://localhost:8080"]
)
def test_the_url_is_below_airflows_public_address(base: str) -> None:
    url = webhook_url(base, SECRET, SUBMITTER)
    assert url == f"{base.rstrip('/')}/video_creation/webhook/{token()}"


def test_a_request_that_is_sent_again_holds_the_same_url() -> None:
    assert token() == token()


def test_it_names_the_submission_and_no_secret() -> None:
    assert claimed(token()) == verified(token(), SECRET, NOW) == SUBMITTER
    assert SECRET not in token()


TIMES = st.datetimes(timezones=st.just(UTC)).map(lambda time: time.isoformat())
RUN_IDS = (
    IDS
    | TIMES
    | st.builds("scheduled__{}".format, TIMES)
    | st.builds("manual__{}_{}".format, TIMES, st.text("abXY01", min_size=8, max_size=8))
    | st.builds("{}{}".format, TIMES, TIMES)
    | st.from_regex(
        r"a\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00b", fullmatch=True, alphabet="ab0123456789-T:.+"
    )
)
SUBMITTERS = st.builds(
    Submitter,
    conn_id=IDS,
    kind=st.sampled_from(["storyboard", "render"]),
    dag_id=IDS,
    run_id=RUN_IDS,
    task_id=IDS,
    generation=st.integers(-1, 10**6),
    begun_at=st.floats(0, 4e9) | st.integers(0, 10**10),
    map_index=st.integers(-1, 10**6),
    stage=st.sampled_from(["", "storyboard", "render"]),
)


@given(submitter=SUBMITTERS)
def test_whatever_a_task_is_called(submitter: Submitter) -> None:
    made = token(submitter)
    names = [submitter.conn_id, submitter.dag_id, submitter.run_id, submitter.task_id]
    assert len(made) <= 120 + 1.4 * sum(len(name.encode()) for name in names)
    assert re.fullmatch(r"2[\w-]+", made, re.ASCII)
    assert claimed(made) == verified(made, SECRET, submitter.begun_at) == submitter


def test_the_longest_names_are_read_where_a_service_takes_them() -> None:
    letters = "".join(chr(0x20000 + Random(number).randrange(40_000)) for number in range(1000))
    longest = replace(
        SUBMITTER,
        conn_id=letters[:250],
        dag_id=letters[250:500],
        run_id=letters[500:750],
        task_id=letters[750:],
    )
    assert 3000 < len(token(longest)) < MAX_TOKEN
    assert verified(token(longest), SECRET, NOW) == longest


def any_name(length: int, seed: int) -> str:
    """A name that nothing shortens."""
    return "".join(Random(seed).choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=length))


TEAM, IN_A_GROUP = "weekly_product_update_videos_a", "make_videos.render_the_final_video_of_topic"
SCHEDULED, BY_HAND = (
    "scheduled__2026-11-22T03:00:00+00:00",
    "manual__2026-11-22T09:15:39.123456+00:00_aB3dE9xZ",
)


@pytest.mark.parametrize(
    ("most", "dag_id", "task_id", "run_id", "conn_id"),
    [
        (130, "daily_article_videos", "create_storyboard", SCHEDULED, ""),
        (180, TEAM, IN_A_GROUP, SCHEDULED, ""),
        (205, any_name(30, 1), f"make_videos.{any_name(31, 2)}", SCHEDULED, ""),
        (195, TEAM, IN_A_GROUP, BY_HAND, ""),
        (230, any_name(30, 1), f"make_videos.{any_name(31, 2)}", BY_HAND, "my_video_connection"),
        (340, any_name(100, 1), any_name(100, 2), BY_HAND, ""),
        (440, any_name(160, 1), any_name(160, 2), BY_HAND, ""),
        (1030, any_name(250, 1), any_name(250, 2), any_name(250, 3), any_name(250, 4)),
    ],
)
def test_a_url_is_short(most: int, dag_id: str, task_id: str, run_id: str, conn_id: str) -> None:
    submitter = Submitter(
        conn_id or "video_creation_default",
        "storyboard",
        dag_id,
        run_id,
        task_id,
        1,
        1795000000.123456,
        511,
        "storyboard",
    )
    made = webhook_url("https://airflow.example.com", SECRET, submitter)
    assert most * 0.97 <= len(made) <= most, "docs/reference/connection.md says so"


def test_a_token_that_this_form_has_given_out_is_taken_by_every_later_release() -> None:
    assert verified(GIVEN_OUT, SECRET, NOW) == replace(
        SUBMITTER, task_id="make_videos.create", run_id="manual__2026-11-22T09:15:39.123456+00:00_aB3dE9xZ"
    )


@given(submitter=SUBMITTERS, data=st.data())
def test_any_flipped_bit_is_refused(submitter: Submitter, data: st.DataObject) -> None:
    content = bytearray(bytes_of(token(submitter)))
    bit = data.draw(st.integers(0, len(content) * 8 - 1))
    content[bit // 8] ^= 1 << bit % 8
    with pytest.raises(WebhookRefusedError):
        verified(of_bytes(bytes(content)), SECRET, submitter.begun_at)


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


def packed(
    texts: str = "render\n\nc\n1\n-1\nt\nr\nd", numbers: bytes = struct.pack(">dq", 2.0, 0), tail: bytes = b""
) -> str:
    """A token whose signature is not one."""
    deflating = zlib.compressobj(wbits=-15)
    content = deflating.compress(texts.encode("utf-8", "surrogatepass")) + deflating.flush()
    return of_bytes(numbers + content + tail + b"s" * 16)


def test_a_claim_is_not_verified() -> None:
    assert claimed(packed()) == Submitter("c", "render", "d", "r", "t", 1, 2.0)
    with pytest.raises(WebhookRefusedError, match="signature"):
        verified(packed(), SECRET, 2.0)


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "2",
        "3" + packed()[1:],
        packed() + "=",
        packed()[:20] + "\n" + packed()[20:],
        packed()[:20] + "é" + packed()[20:],
        "2" + "A" * 20,
        "2" + "A" * 100,
        "2" * 100_000,
        of_bytes(b""),
        of_bytes(b"s" * 16),
        of_bytes(bytes_of(packed())[:-20] + b"s" * 16),
        packed(tail=b"more"),
        packed("x" * 10**5),
        packed("render\n\nc\n1\n-1\nt\nr\nd\n"),
        packed("render\n\nc\n1\n-1\nt\nr"),
        packed("other\n\nc\n1\n-1\nt\nr\nd"),
        packed("render\n\nc\none\n-1\nt\nr\nd"),
        packed("render\n\nc\n" + "1" * 5000 + "\n-1\nt\nr\nd"),
        packed("render\n\nc\n1\n1.5\nt\nr\nd"),
        packed("render\n\nc\n1\n-1\n../t\nr\nd"),
        packed("render\n\nc\n1\n-1\nt\n..\nd"),
        packed("render\n\nc\n1\n-1\nt\nr\nd/dagRuns/r"),
        packed("render\nx/../y\nc\n1\n-1\nt\nr\nd"),
        packed("render\nx?map_index=1\nc\n1\n-1\nt\nr\nd"),
        packed("render\n\nc/../other\n1\n-1\nt\nr\nd"),
        packed("render\n\nc\r\n1\n-1\nt\nr\nd"),
        packed("render\n\n" + "c" * 251 + "\n1\n-1\nt\nr\nd"),
        packed("render\n\n\ud800\n1\n-1\nt\nr\nd"),
        packed("render\n\nc\n1\n-1\nt\n\0\nd", struct.pack(">dq", 2.0, 2**62)),
        packed("render\n\nc\n1\n-1\nt\n" + "\0" * 12 + "\nd"),
        packed("render\n\nc\n1\n-1\n\0\nr\nd"),
    ],
    ids=lambda odd: repr(odd[:20]),
)
def test_what_is_no_token_is_told_before_anything_is_looked_up(odd: str) -> None:
    with pytest.raises(WebhookRefusedError, match="malformed"):
        claimed(odd)
    with pytest.raises(WebhookRefusedError, match="malformed"):
        verified(odd, SECRET, 2.0)


@given(st.text(max_size=200) | st.text("12.aZ_-", max_size=200))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(WebhookRefusedError):
        verified(text, SECRET, NOW)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(WebhookRefusedError):
        verified(of_bytes(data), SECRET, NOW)


@pytest.mark.parametrize("begun_at", [float("nan"), float("inf"), float("-inf")])
def test_a_token_without_a_date_is_too_old(begun_at: float) -> None:
    with pytest.raises(WebhookRefusedError, match="expired"):
        verified(token(replace(SUBMITTER, begun_at=begun_at)), SECRET, NOW)
