"""Cancels the jobs of a task that a person has stopped while it waited in the triggerer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ..hooks.video_creation_async import VideoCreationAsyncHook
from ..provider.errors import VideoCreationError
from ..provider.waiting.cancellation import NO_PATH, cancelled, none_cancelled, not_cancelled
from .polling.ticket import WaitLog

CANCEL_TIMEOUT = 20.0
"""Seconds that cancelling may take; Airflow allows 30 by default (ours)."""
AT_A_TIME = 8
"""Jobs that are cancelled at the same time (ours)."""


async def cancel_jobs(job_ids: Iterable[str], conn_id: str, user_id: str | None, log: WaitLog) -> None:
    """Cancel jobs over one session, and log the result of each (source: ours).

    A problem of all remaining jobs, such as a connection that names no call for it, is logged once.

    :param job_ids: the jobs.
    :param conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's.
    :param log: the task's log.
    """
    left = dict.fromkeys(job_ids)
    places = asyncio.Semaphore(AT_A_TIME)
    trouble: object = NO_PATH

    async def cancel(hook: VideoCreationAsyncHook, job_id: str) -> None:
        async with places:
            try:
                if not await hook.cancel_job(job_id):
                    return
                log.tell(cancelled(job_id, "its task was stopped"))
            except VideoCreationError as error:
                log.warn(not_cancelled(job_id, error))
        del left[job_id]

    try:
        async with (
            asyncio.timeout(CANCEL_TIMEOUT),
            VideoCreationAsyncHook(conn_id, user_id) as hook,
            asyncio.TaskGroup() as group,
        ):
            for job_id in left:
                group.create_task(cancel(hook, job_id))
    except VideoCreationError as error:
        trouble = error
    except TimeoutError:
        trouble = f"no answer within {CANCEL_TIMEOUT:.0f} s"
    if left:
        log.warn(none_cancelled([*left], trouble))
