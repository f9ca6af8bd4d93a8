"""A submission in doubt, and lists that may show its job."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from airflow_video_creation.provider.submission.doubt.listed_jobs import ListedJob
from airflow_video_creation.provider.submission.doubt.seen_jobs import SeenJobs
from airflow_video_creation.provider.submission.doubt.settlement import Settled, settle
from airflow_video_creation.provider.submission.doubt.sought import Sought
from airflow_video_creation.provider.submission.identity.mark import mark
from airflow_video_creation.provider.submission.request_digests import digests_of

SENT = 1_000_000.0

LATER = SENT + 3600

KEY, OTHER_KEY = "0123456789abcdef" * 2, "fedcba9876543210" * 2

OWN, OTHERS = mark("storyboard", KEY), mark("storyboard", OTHER_KEY)

BY_NAME = Sought(
    "storyboard", SENT, SENT, SENT, name="Night", digests=digests_of({"videoName": "Night", "speed": 100})
)

BY_MARK = replace(BY_NAME, mark=OWN)

RENDER = Sought("render", SENT, SENT, SENT, name="Night")

OLD = ListedJob("old", "Older", "storyboard", SENT - 3600)

YESTERDAYS = ListedJob("older", "Older", "storyboard", SENT - 86400)


def job(**told: Any) -> ListedJob:
    return ListedJob(**{"job_id": "j-1", "name": "Night", "kind": "storyboard", "at": SENT + 1} | told)


def seen(*jobs: ListedJob, is_whole: bool = True, ahead: float | None = 0.0) -> SeenJobs:
    """A list that answered right after the submission was sent, so that a job of that time shows its clock."""
    return SeenJobs(jobs, is_whole, ahead, None if ahead is None else SENT + ahead + 10)


def settled(sought: Sought, *jobs: ListedJob, now: float = LATER, **told: Any) -> Settled:
    [found] = settle([sought], seen(*jobs, **told), now)
    return found
