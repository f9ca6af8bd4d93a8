"""What is looked for in the list, by the record of a submission."""

from __future__ import annotations

from dataclasses import replace

import pytest

from airflow_video_creation.provider.submission.doubt.sought import Sought, name_in
from airflow_video_creation.provider.submission.identity.sent_identity import Identity
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.request_digests import digest_of, digests_of
from airflow_video_creation.provider.submission.subject import Subject

from .samples import (
    KEY,
    OTHERS,
    OWN,
    SENT,
)


@pytest.mark.parametrize("name", ["Night", "it's", 'a "b"', "é\n"])
def test_the_name_that_was_sent_stands_in_the_record(name: str) -> None:
    assert name_in(Subject("video", name).text) == name


@pytest.mark.parametrize("subject", [None, "", "video", "storyboard job 'j-1'", "video Night", "video 5"])
def test_of_other_subjects_no_name_is_taken(subject: str | None) -> None:
    assert name_in(subject) is None


WRITTEN = f"A remake of this {OTHERS}"
RECORD = Submission(
    1,
    "intent",
    SENT,
    SENT,
    subject="video 'Night'",
    identity=Identity(KEY, "c", "p", marker="videoDescription"),
)


def test_what_is_sought_of_a_record() -> None:
    sought = Sought.of(RECORD, "storyboard", marker_field="videoDescription")
    assert sought
    assert (sought.mark, sought.name) == (OWN, "Night")


@pytest.mark.parametrize("record", [replace(RECORD, identity=None), replace(RECORD, begun_at=0.0)])
def test_of_a_record_that_tells_nothing_nothing_is_sought(record: Submission) -> None:
    assert Sought.of(record, "storyboard", marker_field=None) is None


def test_a_mark_in_another_field_is_not_looked_for() -> None:
    sought = Sought.of(RECORD, "storyboard", marker_field="title")
    assert sought
    assert sought.mark is None
    assert Sought.of(RECORD, "render", marker_field="title") is None


def test_what_the_author_wrote_where_the_mark_stands_is_known_from_the_record() -> None:
    record = replace(RECORD, digests=digests_of({"videoDescription": WRITTEN}))
    sought = Sought.of(record, "storyboard", marker_field="videoDescription")
    assert sought
    assert sought.written == digest_of(WRITTEN)
