"""What comes of one poll, whoever makes it: what is told, in which order, and how the wait goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from airflow_video_creation.provider.errors import (
    InvalidRequestError,
    JobDeadlinePassedError,
    JobFailedError,
    RateLimitedError,
    VideoCreationError,
)
from airflow_video_creation.provider.models.job import Job
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.poll_answer import PollAnswer, take_in


class Told:
    """Keeps what a listener is told."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def warn(self, message: str) -> None:
        self.events.append(f"warn: {message}")

    def failed(self, error: VideoCreationError, now: float) -> None:
        self.events.append("failed")

    def ended(self, now: float) -> None:
        self.events.append("ended")

    def goes_on(self, job: Job, now: float) -> None:
        self.events.append("goes on")


def running() -> Job:
    return Job(job_id="j-1", state="in-progress")


BUSY = RateLimitedError("The service is busy.", operation="get job")


def polled(answer: PollAnswer, now: float = 10.0) -> tuple[Job | None, list[str]]:
    told = Told()
    return take_in(JobWait("j-1", started_at=0.0, deadline=100.0), answer, now, told), told.events


def test_a_job_that_runs_is_waited_for() -> None:
    assert polled((running(), None)) == (None, ["goes on"])


def test_a_finished_job_ends_the_wait() -> None:
    done = Job(job_id="j-1", state="completed", video_url="https://v")

    assert polled((done, None)) == (done, ["ended"])


def test_a_state_that_nobody_knows_is_told_before_the_wait_goes_on() -> None:
    job, events = polled((running(), "resting"))

    assert job is None
    assert "'resting'" in events[0]
    assert events[1:] == ["goes on"]


def test_a_poll_that_fails_is_told_and_tolerated() -> None:
    assert polled(BUSY) == (None, ["failed", "warn: Still waiting for job j-1. The service is busy."])


@pytest.mark.parametrize(
    ("answer", "ends_with"),
    [
        ((Job(job_id="j-1", state="failed"), None), JobFailedError),
        (InvalidRequestError("No such path.", []), InvalidRequestError),
    ],
    ids=["failed job", "refusal"],
)
def test_what_cannot_mend_itself_ends_the_wait(
    answer: PollAnswer, ends_with: type[VideoCreationError]
) -> None:
    with pytest.raises(ends_with):
        polled(answer)


@pytest.mark.parametrize("answer", [lambda: (running(), None), lambda: BUSY], ids=["running", "busy"])
def test_the_deadline_counts_whatever_the_poll_brought(answer: Callable[[], PollAnswer]) -> None:
    with pytest.raises(JobDeadlinePassedError):
        polled(answer(), now=100.0)
