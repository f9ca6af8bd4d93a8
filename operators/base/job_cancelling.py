"""Cancels a job whose task is stopped or given up, so that nobody pays for a job without use."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ...hooks.video_creation import VideoCreationHook
from ...provider.errors import VideoCreationError
from ...provider.waiting.cancellation import NO_PATH, cancelled, none_cancelled, not_cancelled

SECONDS_ON_KILL = 4.0
"""How long a stopped task waits for the service: Airflow kills it 5 s after the signal (ours)."""
CANCELLED_AT_A_TIME = 8
"""How many jobs are cancelled at the same time when their task is stopped (ours)."""
SECONDS = 20.0
"""How long a task that gives up waits for the service (ours)."""


def cancel_job(
    hook: VideoCreationHook, job_id: str, why: str, log: logging.Logger | Any, *, seconds: float = SECONDS
) -> bool:
    """Cancel a job, and log the result (source: ours).

    :param hook: the hook of the task's connection.
    :param job_id: the job.
    :param why: such as ``its task was stopped``.
    :param log: the task's log.
    :param seconds: how long it may take.
    :return: whether the service has accepted the request.
    """
    try:
        if hook.cancel_job(job_id, until=time.time() + seconds):
            log.info("%s", cancelled(job_id, why))
            return True
        log.warning("%s", not_cancelled(job_id, NO_PATH))
    except VideoCreationError as error:
        log.warning("%s", not_cancelled(job_id, error))
    return False


def cancel_job_on_kill(hook: VideoCreationHook, job_id: str, why: str, log: logging.Logger | Any) -> None:
    """Cancel a job from a signal handler, which may have interrupted the task anywhere (source: ours).

    :param hook: the hook of the task's connection, which has been read.
    :param job_id: the job.
    :param why: for the log.
    :param log: the task's log.
    """
    cancel_jobs_on_kill(hook, [job_id], why, log)


def cancel_jobs_on_kill(
    hook: VideoCreationHook,
    job_ids: Sequence[str],
    why: str,
    log: logging.Logger | Any,
    *,
    seconds: float = SECONDS_ON_KILL,
) -> None:
    """Cancel jobs from a signal handler, which may have interrupted the task anywhere (source: ours).

    The interrupted code may hold a lock that cancelling needs. So cancelling runs in other threads, with a client of
    its own, and is given up after some seconds. One log line then names the jobs with no answer.

    :param hook: the hook of the task's connection, which has been read.
    :param job_ids: the jobs.
    :param why: for the log.
    :param log: the task's log.
    :param seconds: how long it waits for the answers.
    """
    own = VideoCreationHook(hook.video_creation_conn_id, hook.user_id)
    own.profile = hook.profile
    left = deque(job_ids)
    unknown = dict.fromkeys(job_ids)

    def cancel_some() -> None:
        with suppress(IndexError):
            while True:
                job_id = left.popleft()
                cancel_job(own, job_id, why, log, seconds=SECONDS_ON_KILL)
                del unknown[job_id]

    until = time.monotonic() + seconds
    threads = [threading.Thread(target=cancel_some, daemon=True) for _ in job_ids[:CANCELLED_AT_A_TIME]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0.0))
    # Threads may still be removing some.
    if still := [job_id for job_id in job_ids if job_id in unknown]:
        log.warning("%s", none_cancelled(still, f"no answer within {seconds:.0f} s"))
