"""Waits for a job in the triggerer."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from ..provider.info import DEFAULT_CONNECTION_ID
from .event_loop.slow_import import import_beside_the_loop

VERSION = 1


class VideoJobTrigger(BaseTrigger):
    """Waits until a job ends, then fires one event (``provider.waiting.wait_event``).

    Its arguments hold identifiers only, and unknown ones are ignored, so that triggers stored by other releases keep
    working.

    :param job_id: the job.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's.
    :param poll_interval: seconds between polls. Default: a schedule that learns from the connection's jobs.
    :param deadline: epoch seconds at which the wait ends; None for none.
    :param kind: ``storyboard`` or ``render``: durations are learned by kind.
    :param submitted_at: epoch seconds from which the job's age counts, and the time that an unknown job is given to
        appear: the submission, or the start of the sensor, which does not know the submission. None: the start of this
        trigger, in each triggerer again.
    :param version: the version of these arguments.
    :param cancel_on_kill: whether the job belongs to this task, so that stopping the task cancels the job.
    :param webhook: whether a callback of the service is expected: then it wakes the wait, and polls are less frequent
        (docs/measured/polling.md).
    """

    clock: Callable[[], float] = time.time
    sleep = staticmethod(asyncio.sleep)

    def __init__(
        self,
        job_id: str,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        poll_interval: float | None = None,
        deadline: float | None = None,
        kind: str | None = None,
        submitted_at: float | None = None,
        version: int = VERSION,
        cancel_on_kill: bool = True,
        webhook: bool = False,
        **unknown: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.job_id = job_id
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self.poll_interval = poll_interval
        # NaN would break the event loop's timers for every other trigger.
        self.deadline = deadline if deadline is not None and math.isfinite(deadline) else None
        self.kind = kind
        self.submitted_at = submitted_at
        self.version = version
        self.cancel_on_kill = cancel_on_kill
        self.webhook = webhook

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """The class path and the arguments from which the triggerer makes this trigger again."""
        return (
            "airflow_video_creation.triggers.video_job.VideoJobTrigger",
            {
                "job_id": self.job_id,
                "video_creation_conn_id": self.video_creation_conn_id,
                "user_id": self.user_id,
                "poll_interval": self.poll_interval,
                "deadline": self.deadline,
                "kind": self.kind,
                "submitted_at": self.submitted_at,
                "version": self.version,
                "cancel_on_kill": self.cancel_on_kill,
                "webhook": self.webhook,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Wait until the job ends or the deadline passes, and fire one event."""
        await import_beside_the_loop("triggers.wait_end")
        from .polling.job_waiter import JobWaiter
        from .wait_end import end_of_job

        waiter = JobWaiter.here(self.video_creation_conn_id, self.clock, self.sleep)
        event = await end_of_job(
            waiter,
            self.job_id,
            now=self.clock(),
            deadline=self.deadline,
            submitted_at=self.submitted_at,
            poll_interval=self.poll_interval,
            kind=self.kind,
            user_id=self.user_id,
            log=self,
            webhook=self.webhook,
        )
        await waiter.closed()
        yield TriggerEvent(event)  # type: ignore[no-untyped-call]

    def tell(self, message: str) -> None:
        """Log what happened, for the task that waits."""
        self.log.info("%s", message)

    def warn(self, message: str) -> None:
        """Log a problem, for the task that waits."""
        self.log.warning("%s", message)

    async def on_kill(self) -> None:
        """Cancel the job when a person has stopped its task, where the connection's profile names a call for that.

        Airflow (3.3 and newer) calls this when the deferred task is marked or cleared, never when a triggerer stops, or
        a wait ends or times out.
        """
        if not self.cancel_on_kill:
            self.log.info(
                "This wait was stopped. Job %s, which another task submitted, continues", self.job_id
            )
            return
        await import_beside_the_loop("triggers.job_cancelling")
        from .job_cancelling import cancel_jobs

        await cancel_jobs([self.job_id], self.video_creation_conn_id, self.user_id, self)
