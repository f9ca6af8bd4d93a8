"""Cancels a job whose task is stopped or given up, so that it is not paid for in vain."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from ...hooks.video_creation import VideoCreationHook
from ...provider.errors import VideoCreationError
from ...provider.waiting.cancellation import NO_PATH, cancelled, not_cancelled

SECONDS_ON_KILL = 4.0
"""How long a stopped task waits for the service: Airflow kills it 5 s after the signal (ours)."""
SECONDS = 20.0
"""How long a task that gives up waits for the service (ours)."""


def cancel_job(
    hook: VideoCreationHook, job_id: str, why: str, log: logging.Logger | Any, *, seconds: float = SECONDS
) -> bool:
    """Cancel a job, and log what came of it (source: ours).

    :param hook: of the task's connection.
    :param job_id: the job.
    :param why: such as ``its task was stopped``.
    :param log: of the task.
    :param seconds: how long it may take.
    :return: whether the service has taken the request.
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
    """Cancel a job from the handler of a signal, which may have stopped the task anywhere (source: ours).

    What the task was doing may hold a lock that cancelling needs, so it is done beside it, with a client of its own,
    and left alone after ``SECONDS_ON_KILL``.

    :param hook: of the task's connection, which has been read.
    :param job_id: the job.
    :param why: for the log.
    :param log: of the task.
    """
    own = VideoCreationHook(hook.video_creation_conn_id, hook.user_id)
    own.profile = hook.profile
    done = threading.Thread(
        target=cancel_job, args=(own, job_id, why, log), kwargs={"seconds": SECONDS_ON_KILL}, daemon=True
    )
    done.start()
    done.join(SECONDS_ON_KILL)
    if done.is_alive():
        log.warning("%s", not_cancelled(job_id, f"no answer within {SECONDS_ON_KILL:.0f} s"))
