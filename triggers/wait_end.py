"""The event that says how the wait for a job ended: for every trigger, and for a worker's own event loop."""

from __future__ import annotations

from typing import Any

from ..provider.errors import ConfigurationError, JobReplyTooLargeError, VideoCreationError
from ..provider.waiting.job_wait import JobWait
from ..provider.waiting.schedule import PollSchedule
from ..provider.waiting.wait_event import completed_event, error_event, unread_event
from .polling.job_waiter import JobWaiter
from .polling.ticket import WaitLog


async def end_of_wait(
    waiter: JobWaiter, wait: JobWait, *, user_id: str | None, log: WaitLog, webhook: bool
) -> dict[str, Any]:
    """Wait for a job to end, and say how it did (source: ours).

    :param waiter: the waiter of the running event loop.
    :param wait: the wait for the job.
    :param user_id: fills the user-id header instead of the connection's.
    :param log: logs what happens to this wait.
    :param webhook: whether a callback of the service is expected.
    :return: the event of ``provider.waiting.wait_event``.
    """
    try:
        await waiter.wait(wait, user_id, log, webhook=webhook)
    except JobReplyTooLargeError as error:
        return unread_event(
            wait.job_id,
            error,
            deadline=wait.deadline,
            submitted_at=wait.submitted_at,
            kind=wait.kind or None,
            poll_interval=wait.schedule.fixed_interval,
            webhook=webhook,
        )
    except VideoCreationError as error:
        return error_event(wait.job_id, error)
    return completed_event(wait.job_id)


def broken_off(job_id: str, error: Exception) -> dict[str, Any]:
    """The event of a wait that an error of this provider interrupted; its job is untouched (source: ours).

    :param job_id: the job.
    :param error: the error.
    """
    return error_event(
        job_id,
        VideoCreationError(
            f"The wait for job {job_id} was interrupted by an error of this provider ({type(error).__name__}); see "
            "the log. The job is paid for, and may continue. A retry of the task waits for it again, and sends nothing."
        ),
    )


async def end_of_job(
    waiter: JobWaiter,
    job_id: str,
    *,
    now: float,
    deadline: float | None,
    submitted_at: float | None,
    poll_interval: float | None,
    kind: str | None,
    user_id: str | None,
    log: WaitLog,
    webhook: bool,
) -> dict[str, Any]:
    """Wait for the job that a trigger's stored arguments describe, and say how it ended (source: ours).

    :param waiter: the waiter of the running event loop.
    :param job_id: the job.
    :param now: epoch seconds.
    :param deadline: epoch seconds at which the wait ends; None for none.
    :param submitted_at: epoch seconds from which the job's age counts; None for now.
    :param poll_interval: seconds between polls; None for the learned schedule.
    :param kind: ``storyboard`` or ``render``, where it is known.
    :param user_id: fills the user-id header instead of the connection's.
    :param log: logs what happens to this wait.
    :param webhook: whether a callback of the service is expected.
    :return: the event of ``provider.waiting.wait_event``.
    """
    try:
        schedule = PollSchedule(poll_interval)
    except ConfigurationError as error:
        return error_event(job_id, error)
    wait = JobWait(
        job_id,
        started_at=now,
        deadline=deadline,
        submitted_at=submitted_at,
        schedule=schedule,
        kind=kind or "",
    )
    return await end_of_wait(waiter, wait, user_id=user_id, log=log, webhook=webhook)
