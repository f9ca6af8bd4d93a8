"""The worker's polls: of a job whose time was over before, and of one whose failure is told without a state."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from airflow_video_creation.hooks.job_poll import job_of_event, poll
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    JobDeadlinePassedError,
    JobFailedError,
    RateLimitedError,
)
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.wait_event import error_event

LOG = logging.getLogger(__name__)
LATE = error_event("j-1", JobDeadlinePassedError("job j-1 is late", job_id="j-1"))


def look_at_event() -> Any:
    return job_of_event(VideoCreationHook(), LATE, time.time, LOG, wait_again=pytest.fail)


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


REPORTED = {"success": False, "error": {"error_code": "E7", "error_message": "No such font"}}


@pytest.mark.parametrize("remembers", [True, False], ids=["one process", "reschedule mode"])
def test_a_failure_without_a_state_is_read_again_before_it_is_believed(
    connect: Any, service: Any, clock: Any, remembers: bool
) -> None:
    connect(service.url)
    hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)
    wait = JobWait("j-1", started_at=clock.now, remembers=remembers)
    began = clock.now
    service.will(service.reply(200, REPORTED))

    def wait_for_it() -> None:
        while poll(hook, wait, clock.time, LOG, clock.sleep) is None:
            assert remembers, "the next poke would know nothing of this one"
            clock.sleep(wait.seconds_to_next_poll(clock.now))

    with pytest.raises(JobFailedError, match="E7: No such font"):
        wait_for_it()

    assert clock.now - began >= 30
    assert len(service.seen) >= 3


@pytest.mark.parametrize("remembers", [True, False], ids=["one process", "reschedule mode"])
def test_one_odd_reply_fails_no_job(connect: Any, service: Any, clock: Any, remembers: bool) -> None:
    connect(service.url)
    hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)
    wait = JobWait("j-1", started_at=clock.now, remembers=remembers)
    service.will(service.reply(200, REPORTED), "completed")

    job = poll(hook, wait, clock.time, LOG, clock.sleep) or poll(hook, wait, clock.time, LOG, clock.sleep)

    assert job
    assert job.state == "completed"


def test_warnings_of_a_completed_job_are_logged(
    connect: Any, service: Any, clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    connect(service.url)
    service.will(service.job("completed", videoURL="https://v", error={"code": 12, "message": "No music"}))

    assert poll(VideoCreationHook(), JobWait("j-1", started_at=clock.now), clock.time, LOG)

    assert "The service reports with the result of job j-1: 12: No music" in caplog.text


def test_a_token_that_a_200_refuses_is_fetched_again(connect: Any, service: Any) -> None:
    connect(service.url, login="id", auth_url=f"{service.url}/token")
    service.will(
        service.reply(200, {"access_token": "old"}), service.reply(200, {"access_token": "new"}), on="/token"
    )
    service.will(
        service.reply(200, {"success": False, "message": "Unauthorized: token expired"}), "completed"
    )

    assert VideoCreationHook().get_job("j-1").state == "completed"

    assert [seen.headers["authorization"] for seen in service.seen if seen.method == "GET"] == ["old", "new"]
