"""Whether a record is of what is asked for now."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.request_digests import digests_of
from airflow_video_creation.provider.submission import Submission
from airflow_video_creation.provider.submission_subject import UNKNOWN, Subject

ALPHA, BETA = Subject("video", "Alpha", "videoName"), Subject("video", "Beta", "videoName")
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
        pytest.param(record("video 'Alpha'"), UNKNOWN, None, id="no name now"),
        pytest.param(record("video 'Alpha'"), Subject("video", ""), None, id="an empty name now"),
        pytest.param(record("storyboard job 's-1'"), BETA, None, id="the DAG asks in another way now"),
        pytest.param(record("video 'Alpha'", adopted="j-1"), BETA, None, id="adopted"),
        pytest.param(record("video 'Alpha'", adopted="j-0"), BETA, "video 'Alpha'", id="another was adopted"),
        pytest.param(record(), BETA, None, id="nothing was kept"),
        pytest.param(record(digests=request("Beta")), BETA, None, id="the same, of an older release"),
        pytest.param(record(digests=request("Alpha")), BETA, OLDER, id="another, of an older release"),
        pytest.param(record({"name": "Alpha"}), BETA, None, id="of a later release"),
    ],
)
def test_whether_it_is_another(of: Submission, now: Subject, another: str | None) -> None:
    assert now.another(of, request(now.name or "")) == another
