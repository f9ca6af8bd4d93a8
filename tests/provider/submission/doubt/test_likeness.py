"""What a listed job is to a submission in doubt: the table, row by row, and names as lists write them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.provider.submission.doubt.likeness import likeness
from airflow_video_creation.provider.submission.doubt.sought import Sought
from airflow_video_creation.provider.submission.identity.mark import mark
from airflow_video_creation.provider.submission.request_digests import digest_of

from .samples import (
    BY_MARK,
    BY_NAME,
    OTHER_KEY,
    OTHERS,
    OWN,
    RENDER,
    SENT,
    job,
    seen,
    settled,
)


@pytest.mark.parametrize(
    ("sought", "told", "is_like"),
    [
        (BY_MARK, {"marker": f"text {OWN}"}, "ours"),
        (BY_MARK, {"marker": OWN, "kind": None, "name": None, "at": None}, "ours"),
        (BY_MARK, {"marker": f"{OTHERS} {OWN}"}, "ours"),
        (BY_MARK, {"marker": OWN, "kind": "render"}, "maybe"),
        (BY_MARK, {"marker": OTHERS}, "foreign"),
        (BY_MARK, {"marker": mark("render", OTHER_KEY)}, "maybe"),
        (BY_MARK, {"marker": "text"}, "maybe"),
        (BY_MARK, {}, "maybe"),
        (BY_MARK, {"marker": "text", "name": "Day"}, "foreign"),
        (BY_MARK, {"name": None}, "maybe"),
        (BY_NAME, {}, "ours"),
        (BY_NAME, {"fields": {"videoName": "Night", "speed": 100}}, "ours"),
        (BY_NAME, {"fields": {"videoName": "Night", "speed": 90}}, "maybe"),
        (BY_NAME, {"kind": None}, "maybe"),
        (BY_NAME, {"kind": "render"}, "foreign"),
        (BY_NAME, {"name": "Day"}, "foreign"),
        (BY_NAME, {"name": "NIGHT"}, "maybe"),
        (BY_NAME, {"name": None}, "maybe"),
        (BY_NAME, {"marker": OTHERS}, "foreign"),
        (BY_NAME, {"at": None}, "maybe"),
        (BY_NAME, {"at": SENT - 59}, "ours"),
        (BY_NAME, {"at": SENT - 61}, "maybe"),
        (BY_NAME, {"at": SENT - 239}, "maybe"),
        (BY_NAME, {"at": SENT - 241}, "earlier"),
        (BY_NAME, {"at": SENT - 15 * 3600}, "foreign"),
        (BY_NAME, {"at": SENT - 241, "name": "Day"}, "foreign"),
        (RENDER, {"at": SENT - 241, "kind": "render", "name": "Day"}, "earlier"),
        (RENDER, {"kind": "render", "name": "render of Night"}, "unlikely"),
        (BY_NAME, {"at": SENT + 599}, "ours"),
        (BY_NAME, {"at": SENT + 601}, "maybe"),
        (BY_NAME, {"has_zone": False}, "maybe"),
        (BY_NAME, {"has_zone": False, "at": SENT - 13 * 3600}, "maybe"),
        (BY_NAME, {"has_zone": False, "at": SENT - 15 * 3600}, "foreign"),
        (replace(BY_NAME, taken={"j-1"}), {}, "foreign"),
        (RENDER, {"kind": "render"}, "ours"),
        (RENDER, {"kind": "render", "name": "Day"}, "unlikely"),
        (RENDER, {"kind": "render", "name": None}, "maybe"),
        (RENDER, {}, "foreign"),
    ],
)
def test_what_a_listed_job_is(sought: Sought, told: dict[str, Any], is_like: str) -> None:
    assert likeness(job(**told), sought, seen(job(**told))) == is_like


NAMES = {
    "escaped": "Tom &amp; Jerry\u2019s night",
    "escaped twice": "Tom &amp;amp; Jerry&#8217;s night",
    "quoted": "Tom%20%26%20Jerry%E2%80%99s%20night",
    "a slug": "tom-and-jerry-s-night",
    "a slug without the sign": "tom-jerrys-night",
    "a file": "Tom & Jerry\u2019s night.mp4",
    "numbered": "Tom & Jerry\u2019s night (2)",
    "with a word before": "Preview of Tom & Jerry\u2019s night",
    "straight quotes": "Tom & Jerry's night",
    "only ASCII": "Tom & Jerrys night",
    "a question mark": "Tom & Jerry?s night",
    "cut off": "Tom & Jer",
    "cut off in the middle": "Tom & Je\u2026s night",
    "capitals": "TOM & JERRY\u2019S NIGHT",
}


@pytest.mark.parametrize("listed", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("sought", [BY_NAME, BY_MARK], ids=["by name", "by mark"])
def test_a_name_that_is_written_otherwise_may_be_the_sought_one(sought: Sought, listed: str) -> None:
    named = replace(sought, name="Tom & Jerry\u2019s night")
    assert settled(named, job(name=listed)).outcome == "unknown"


@pytest.mark.parametrize(
    ("sent", "listed"),
    [
        ("Nacht \xfcber K\xf6ln \U0001f3ac", "Nacht ber Kln "),
        ("Nacht \xfcber K\xf6ln", "Nacht ueber Koeln"),
        ("Nacht \xfcber K\xf6ln", "Nacht uber Koln"),
        ("05", "5"),
        ("\u591c\u306e\u68ee", "Yoru no mori"),
        ("Night", "\u591c"),
        ("Episode 10", "Epis"),
    ],
)
def test_a_name_that_has_lost_letters_may_be_the_sought_one(sent: str, listed: str) -> None:
    assert likeness(job(name=listed), replace(BY_NAME, name=sent), seen()) == "maybe"


@pytest.mark.parametrize(
    "fields",
    [
        {"displayName": "Night"},
        {"request": {"videoName": "Night"}},
        {"input": [{"payload": '{"videoName": "Night"}'}]},
        {"output": "https://video.example.com/o/night.mp4"},
    ],
)
def test_the_name_may_stand_anywhere_in_the_entry(fields: dict[str, Any]) -> None:
    assert likeness(job(name="worker-7", fields=fields), BY_NAME, seen()) == "maybe"


@pytest.mark.parametrize("listed", ["Day", "Morning", "Knit", "worker-7", "projects/p/jobs/1"])
def test_a_video_with_clearly_another_name_is_anothers(listed: str) -> None:
    told = {"name": listed, "fields": {"status": "running", "kind": "storyboard"}}
    assert likeness(job(**told), BY_NAME, seen()) == "foreign"
    assert likeness(job(**told, is_video_name=False), BY_NAME, seen()) == "maybe"


AUTHORS = f"A remake of this {OTHERS}"

COPIED = replace(BY_MARK, written=digest_of(AUTHORS))


@pytest.mark.parametrize(
    ("shown", "is_like"),
    [
        (f"{AUTHORS} {OWN}", "ours"),
        (AUTHORS, "maybe"),
        (f"{AUTHORS} [vc:s-01", "maybe"),
        (f"{AUTHORS} with more of all that", "maybe"),
        (f"{AUTHORS} {mark('storyboard', 'a' * 32)}", "foreign"),
        (f"{OWN} was the first one {OTHERS}", "maybe"),
    ],
)
def test_a_mark_that_the_author_has_copied_tells_nothing(shown: str, is_like: str) -> None:
    assert likeness(job(marker=shown), COPIED, seen()) == is_like
