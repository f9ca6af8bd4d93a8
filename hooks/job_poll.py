"""Polls a job on a worker, for the sensor and for the operators that wait."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from ..provider.errors import (
    JobDeadlinePassedError,
    JobReplyTooLargeError,
    RateLimitedError,
    UnreadableReplyError,
    VideoCreationError,
)
from ..provider.models.job import Job, ended_badly
from ..provider.waiting.poll_answer import take_in
from ..provider.waiting.wait_event import job_id_of_event, state_of, wait_of_event
from .airflow.metrics import ConnectionMetrics

if TYPE_CHECKING:
    from ..provider.waiting.job_wait import JobWait
    from ..provider.waiting.poll_answer import PollAnswer
    from .video_creation import VideoCreationHook

LATE_LOOK = 60.0
"""Seconds that a worker's poll of a job may take after its time is over, with repetitions after 429 (ours)."""


def poll(
    hook: VideoCreationHook,
    wait: JobWait,
    clock: Callable[[], float],
    log: logging.Logger | Any,
    sleep: Callable[[float], None] = time.sleep,
) -> Job | None:
    """Ask for a job once; the finished job, or None if the wait continues (source: ours).

    :param hook: the hook of the task's connection.
    :param wait: what each poll means, see ``provider.waiting.job_wait``.
    :param clock: gives epoch seconds.
    :param log: the task's log.
    :param sleep: waits between reads if the next poll is made by a process that knows nothing of this one.
    :raises VideoCreationError: what ends the wait.
    """
    # Read here, where a missing connection must not be tolerated.
    _ = hook.profile
    metrics = ConnectionMetrics(hook.video_creation_conn_id)
    metrics.count("polls", wait.kind)
    try:
        job = _polled(hook, wait, clock, log, metrics)
        while wait.doubts_failure and not wait.remembers:
            sleep(wait.seconds_to_next_poll(clock()))
            job = _polled(hook, wait, clock, log, metrics)
    except VideoCreationError as error:
        state = state_of(error)
        metrics.job_ended(wait.kind, state, wait.detection_delay(state, clock()), "poll")
        raise
    if job:
        metrics.job_ended(wait.kind, job.state, wait.detection_delay(job.state, clock()), "poll")
    return job


def _polled(
    hook: VideoCreationHook,
    wait: JobWait,
    clock: Callable[[], float],
    log: logging.Logger | Any,
    metrics: ConnectionMetrics,
) -> Job | None:
    # A poke that remembers nothing would fail at the first answer that a proxy garbles.
    repeat_on: tuple[type[VideoCreationError], ...] = () if wait.remembers else (UnreadableReplyError,)
    began = clock()
    until = began + wait.begin_poll(began)
    if is_late := wait.deadline is not None and began >= wait.deadline:
        repeat_on, until = (RateLimitedError,), began + LATE_LOOK
    answer: PollAnswer
    try:
        answer = hook.poll_job(wait.job_id, repeat_on=repeat_on, until=until)
    except JobReplyTooLargeError as error:
        return _finished_unread(hook, wait.job_id, wait.kind, error, log)
    except VideoCreationError as error:
        answer = error
    job = take_in(wait, answer, clock(), _WorkerPoll(wait.kind, log, metrics, is_late))
    if job:
        _log_completed(job, log)
    return job


@dataclass(frozen=True)
class _WorkerPoll:
    """Logs the result of a poll, where nothing else is learned from it."""

    kind: str
    log: logging.Logger | Any
    metrics: ConnectionMetrics
    is_late: bool

    def warn(self, message: str) -> None:
        self.log.warning("%s", message)

    def failed(self, error: VideoCreationError, now: float) -> None:
        if isinstance(error, RateLimitedError):
            self.metrics.count("rate_limited", self.kind)
            if self.is_late:
                # A retry polls again: see job_of_event.
                raise error

    def ended(self, now: float) -> None:
        pass

    def goes_on(self, job: Job, now: float) -> None:
        progress = f", {job.progress:.0f} %" if job.progress is not None else ""
        without = ", but does not show its result yet" if job.state == "completed" else ""
        self.log.info("Job %s is %s%s%s", job.job_id, job.state, progress, without)


def job_of_event(
    hook: VideoCreationHook,
    event: Mapping[str, Any],
    clock: Callable[[], float],
    log: logging.Logger | Any,
    wait_again: Callable[[JobWait], NoReturn],
    *,
    kind: str = "",
    needs_result: bool = True,
    sleep: Callable[[float], None] = time.sleep,
) -> Job:
    """Read the finished job that a trigger saw (source: ours).

    If the trigger timed out, the job is polled once more: with a small request budget, or after an outage, the
    triggerer may not have had its turn, and a job that ended must not time out unseen. If the answer was too large for
    the triggerer, it is read here; if the job still continues, the task waits again.

    :param hook: the hook of the task's connection.
    :param event: the trigger's event, see ``provider.waiting.wait_event``.
    :param clock: gives epoch seconds.
    :param log: the task's log.
    :param wait_again: defers the task once more.
    :param kind: of the job, where the task knows it.
    :param needs_result: whether a job that the trigger saw completed is read.
    :param sleep: waits between reads of one poll.
    :raises VideoCreationError: what ended the wait.
    """
    try:
        job_id = job_id_of_event(event)
        if not needs_result:
            return Job(job_id=job_id, state="completed")
    except JobDeadlinePassedError as deadline_passed:
        try:
            job, _ = hook.poll_job(
                deadline_passed.job_id, repeat_on=(RateLimitedError,), until=clock() + LATE_LOOK
            )
        except RateLimitedError:
            # A retry polls again: if a job that may have ended counted as timed out, people would pay for it twice.
            raise
        except JobReplyTooLargeError as error:
            return _finished_unread(hook, deadline_passed.job_id, kind, error, log)
        except VideoCreationError:
            raise deadline_passed from None
        if job.state == "in-progress":
            raise
        job_id = job.job_id
    except JobReplyTooLargeError:
        wait = wait_of_event(event, clock())
        if finished := poll(hook, wait, clock, log, sleep):
            return finished
        wait_again(wait)
    return completed_job(hook, job_id, log, kind)


def completed_job(hook: VideoCreationHook, job_id: str, log: logging.Logger | Any, kind: str = "") -> Job:
    """Read a job that has been seen completed (source: ours).

    :param hook: the hook of the task's connection.
    :param job_id: the job.
    :param log: the task's log.
    :param kind: of the job, where the task knows it.
    :raises VideoCreationError: it cannot be read, or no longer has a result.
    """
    try:
        job = hook.get_job(job_id)
    except JobReplyTooLargeError as error:
        return _finished_unread(hook, job_id, kind, error, log)
    if job.has_ended_badly:
        raise ended_badly(job)
    if job.state != "completed":
        raise UnreadableReplyError(
            f"The service called job {job.job_id} completed before, and now {job.state}. A retry of this task polls "
            "it again.",
            operation="get job",
            job_id=job.job_id,
        )
    _log_completed(job, log)
    return job


def _finished_unread(
    hook: VideoCreationHook,
    job_id: str,
    kind: str,
    error: JobReplyTooLargeError,
    log: logging.Logger | Any,
) -> Job:
    """A storyboard that is too large to be read, if its video is rendered without it.

    If it were not finished, the service would refuse to render it.
    """
    if kind != "storyboard" or not hook.profile.render_by_id:
        raise error
    log.warning(
        "Storyboard job %s counts as finished, without its preview and settings: its answer is too large to be read, "
        "and its video is rendered by its id (extra render_by_id). %s",
        job_id,
        error,
    )
    return Job(job_id=job_id, state="completed")


def _log_completed(job: Job, log: logging.Logger | Any) -> None:
    log.info("Job %s is completed", job.job_id)
    if warnings := ": ".join(part for part in (job.error_code, job.error_message) if part):
        log.warning("The service reports with the result of job %s: %s", job.job_id, warnings)
