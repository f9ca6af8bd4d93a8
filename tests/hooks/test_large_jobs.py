"""A finished job that answers with more than a triggerer reads: a worker reads it, to a limit that can be set."""

from __future__ import annotations

import logging
from typing import Any, NoReturn

import pytest

from airflow_video_creation.hooks.job_poll import completed_job, job_of_event
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import (
    JobDeadlinePassedError,
    JobFailedError,
    JobReplyTooLargeError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.wait_event import unread_event

LOG = logging.getLogger(__name__)
SCENES = [{"text": "a scene " * 1000}] * 400
"""About 3 MiB."""
UNREAD = JobReplyTooLargeError("the answer is larger than 2 MiB", job_id="j-1")


class WaitsAgainError(Exception):
    """The task is deferred once more."""

    def __init__(self, wait: JobWait) -> None:
        self.wait = wait


def wait_again(wait: JobWait) -> NoReturn:
    raise WaitsAgainError(wait)


def resume(clock: Any, kind: str = "storyboard", **wait: Any) -> Any:
    """What a worker does after the triggerer has met a large answer."""
    waited = {"deadline": clock.now + 3600, "submitted_at": clock.now - 600, "poll_interval": None, **wait}
    event = unread_event("j-1", UNREAD, kind=kind, webhook=False, **waited)
    hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)
    return job_of_event(hook, event, clock.time, LOG, wait_again, kind=kind, sleep=clock.sleep)


def test_a_worker_reads_a_large_storyboard_whole(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("completed", render_settings={"scenes": SCENES}))

    assert VideoCreationHook().get_job("j-1").render_settings == {"scenes": SCENES}


@pytest.mark.parametrize("mib", [1, 1.5])
def test_beyond_the_limit_it_says_what_to_set(connect: Any, service: Any, mib: float) -> None:
    connect(service.url, max_reply_mib=mib)
    service.will(service.job("completed", render_settings={"scenes": SCENES}))

    with pytest.raises(
        JobReplyTooLargeError,
        match=rf"^Get job j-1 .* larger than {mib} MiB.* paid for and not lost.* max_reply_mib",
    ):
        VideoCreationHook().get_job("j-1")
    assert len(service.seen) == 1


async def test_a_triggerer_leaves_it_to_a_worker(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("completed", render_settings={"scenes": SCENES}))

    async with VideoCreationAsyncHook() as hook:
        with pytest.raises(JobReplyTooLargeError, match="larger than 2 MiB"):
            await hook.poll_job("j-1")


def test_the_worker_goes_on_with_what_it_reads(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url)
    service.will(service.job("completed", render_settings={"scenes": SCENES}))

    assert resume(clock).render_settings == {"scenes": SCENES}
    assert len(service.seen) == 1


def test_a_job_that_failed_at_length_has_failed(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url)
    service.will(service.job("failed", render_settings={"scenes": SCENES}))

    with pytest.raises(JobFailedError):
        resume(clock)


@pytest.mark.parametrize(("asked", "interval"), [(None, 60), (5, 60), (90, 90)])
def test_a_job_that_runs_all_the_same_is_waited_for_again(
    connect: Any, service: Any, clock: Any, asked: float | None, interval: float
) -> None:
    connect(service.url)
    service.will(service.job("in-progress", echo=SCENES))
    deadline = clock.now + 3600

    with pytest.raises(WaitsAgainError) as again:
        resume(clock, poll_interval=asked)

    wait = again.value.wait
    assert (wait.job_id, wait.deadline, wait.kind) == ("j-1", deadline, "storyboard")
    assert wait.schedule.fixed_interval == interval


def test_it_is_not_waited_for_past_its_deadline(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url)
    service.will(service.job("in-progress", echo=SCENES))

    with pytest.raises(JobDeadlinePassedError):
        resume(clock, deadline=clock.now - 1)


@pytest.mark.parametrize("passing", ["503", "429", "reset"])
def test_trouble_of_the_service_is_waited_out_in_the_triggerer(
    connect: Any, service: Any, clock: Any, passing: str
) -> None:
    connect(service.url)
    service.will(passing)

    with pytest.raises(WaitsAgainError):
        resume(clock)


def test_a_large_page_of_a_proxy_does_not_send_a_task_to_and_fro(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url)
    service.will(service.reply(200, b"<html>" + b"sign in " * 400_000))

    with pytest.raises(UnreadableReplyError, match="a proxy may be answering"):
        resume(clock)


@pytest.mark.parametrize(
    "look", [resume, lambda clock, kind: completed_job(VideoCreationHook(), "j-1", LOG, kind)]
)
def test_a_storyboard_that_is_rendered_by_its_id_need_not_be_read(
    connect: Any, service: Any, clock: Any, look: Any
) -> None:
    connect(service.url, max_reply_mib=1, render_by_id=True)
    service.will(service.job("completed", render_settings={"scenes": SCENES}))

    job = look(clock, "storyboard")

    assert (job.job_id, job.state, job.render_settings) == ("j-1", "completed", None)


def test_a_render_must_be_read_all_the_same(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url, max_reply_mib=1, render_by_id=True)
    service.will(service.job("completed", videoURL="https://v", scenes=SCENES))

    with pytest.raises(JobReplyTooLargeError):
        resume(clock, "render")
