"""Whether a record is of what is asked for now."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.request_digests import digests_of
from airflow_video_creation.provider.submission.subject import NO_SUBJECT, Subject


def video(name: str | None) -> Subject:
    return Subject("video", name, {"videoName": name})


ALPHA, BETA, NAMELESS = video("Alpha"), video("Beta"), video(None)
STORYBOARD_JOB = Subject("storyboard job", "s-1", {"storyboard_job_id": "s-1"})
OLDER = "another video, whose name an older release did not keep"


def request(name: str) -> dict[str, str]:
    return digests_of({"videoName": name})


def record(subject: Any = None, **known: Any) -> Submission:
    return Submission(1, "submitted", 1.0, 1.0, **{"job_id": "j-1", "subject": subject, **known})


@pytest.mark.parametrize(
    ("of", "now", "another"),
    [
        pytest.param(record("video 'Alpha'"), ALPHA, None, id="the same"),
        pytest.param(record("video 'Alpha'"), BETA, "video 'Alpha'", id="another"),
        pytest.param(record("video 'Caf\u00e9'"), video("Cafe\u0301"), None, id="the same, composed"),
        pytest.param(record("video 'Alpha'"), NO_SUBJECT, None, id="nothing is submitted now"),
        pytest.param(record("video 'Alpha'"), NAMELESS, "video 'Alpha'", id="no name now"),
        pytest.param(record("video 'Alpha'"), video(""), "video 'Alpha'", id="an empty name now"),
        pytest.param(record(), NAMELESS, OLDER, id="no name now, nothing was kept"),
        pytest.param(record("video 'Alpha'"), STORYBOARD_JOB, "video 'Alpha'", id="another kind"),
        pytest.param(
            record("video 'Alpha'", digests=digests_of({"storyboard_job_id": "s-1"})),
            STORYBOARD_JOB,
            None,
            id="another kind, the same request",
        ),
        pytest.param(record(), BETA, None, id="nothing was kept"),
        pytest.param(record(digests=request("Beta")), BETA, None, id="the same, of an older release"),
        pytest.param(record(digests=request("Alpha")), BETA, OLDER, id="another, of an older release"),
        pytest.param(record({"name": "Alpha"}), BETA, None, id="of a later release"),
    ],
)
def test_whether_it_is_another(of: Submission, now: Subject, another: str | None) -> None:
    assert now.another(of.subject, of.digests) == another
