"""The worker's look at a job whose time was over before: a job that ended must not be timed out unseen."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from airflow_video_creation.hooks.job_poll import job_of_event, poll
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.protocol.errors import JobDeadlinePassedError, RateLimitedError
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.outcome import error_event

LOG = logging.getLogger(__name__)
LATE = error_event("j-1", JobDeadlinePassedError("job j-1 is late", job_id="j-1"))


def look_at_event() -> Any:
    return job_of_event(VideoCreationHook(), LATE, time.time, LOG)


def look_of_retry() -> Any:
    now = time.time()
    return poll(VideoCreationHook(), JobWait("j-1", started_at=now, deadline=now - 60), time.time, LOG)


LOOKS = pytest.mark.parametrize("look", [look_at_event, look_of_retry])


@LOOKS
def test_a_429_is_waited_out(connect: Any, service: Any, look: Any) -> None:
    connect(service.url)
    service.will(service.reply(429, {}, retry_after="0"), "completed")

    assert look().state == "completed"


@LOOKS
def test_a_limit_that_lasts_is_left_to_a_retry(connect: Any, service: Any, look: Any) -> None:
    connect(service.url)
    service.will(service.reply(429, {}, retry_after="600"))

    with pytest.raises(RateLimitedError):
        look()


@LOOKS
def test_a_job_that_goes_on_is_out_of_time(connect: Any, service: Any, look: Any) -> None:
    connect(service.url)
    service.will("in-progress")

    with pytest.raises(JobDeadlinePassedError):
        look()
