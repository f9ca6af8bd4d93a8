"""Waits in the triggerer for all jobs of a task that makes many videos."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from ..provider.info import DEFAULT_CONNECTION_ID
from .event_loop.slow_import import import_beside_the_loop

if TYPE_CHECKING:
    from .polling.job_waiter import JobWaiter

VERSION = 1
WAKE_AFTER = 60.0
"""Seconds after the first job's end until a worker is woken for all that have ended (ours)."""
TIMES = ("submitted_at", "deadline")


class VideoJobsTrigger(BaseTrigger):
    """Waits for many jobs, then fires one event with those that have ended (``provider.waiting.wait_event``).

    It fires when all have ended, or when some have and ``wake_after`` seconds have passed since the first of them. Its
    arguments hold identifiers and times only: 2,000 jobs with ids of 36 characters come to 318 kB, and a third more
    once Airflow encrypts them in its database.

    :param jobs: a dict for each job, with ``job_id`` and optional arguments of ``VideoJobTrigger``: ``kind``,
        ``submitted_at``, ``deadline``, ``webhook``. Other keys are ignored, and so is a job without an id.
    :param video_creation_conn_id: the connection of all jobs.
    :param user_id: fills the user-id header instead of the connection's.
    :param poll_interval: seconds between polls of each job. Default: a schedule that learns from the connection's jobs.
    :param wake_after: how many seconds to wait for more jobs to end after the first.
    :param cancel_on_kill: whether stopping the task cancels the jobs.
    :param version: the version of these arguments.
    """

    settle_seconds = 5.0
    """The fewest seconds to wait: on a busy LocalExecutor, Airflow mistakes a deferral that ends within a second or two
    for a lost task, and spends a try on it (ours)."""
    clock: Callable[[], float] = time.time
    sleep = staticmethod(asyncio.sleep)

    def __init__(
        self,
        jobs: Sequence[Mapping[str, Any]],
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        poll_interval: float | None = None,
        wake_after: float = WAKE_AFTER,
        cancel_on_kill: bool = True,
        version: int = VERSION,
        **unknown: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.jobs = _known(jobs)
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self.poll_interval = poll_interval
        self.wake_after = wake_after if _is_finite(wake_after) else WAKE_AFTER
        self.cancel_on_kill = cancel_on_kill
        self.version = version

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """The class path and the arguments from which the triggerer makes this trigger again."""
        return (
            "airflow_video_creation.triggers.video_jobs.VideoJobsTrigger",
            {
                "jobs": self.jobs,
                "video_creation_conn_id": self.video_creation_conn_id,
                "user_id": self.user_id,
                "poll_interval": self.poll_interval,
                "wake_after": self.wake_after,
                "cancel_on_kill": self.cancel_on_kill,
                "version": self.version,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Wait until enough jobs have ended, and fire one event."""
        await import_beside_the_loop("triggers.wait_end")
        from ..provider.waiting.wait_event import jobs_event
        from .polling.job_waiter import JobWaiter

        waiter = JobWaiter.here(self.video_creation_conn_id, self.clock, self.sleep)
        try:
            ends = await self._ends(waiter)
        finally:
            await waiter.closed()
        self.tell(f"{len(ends)} of {len(self.jobs)} jobs have ended: a worker continues with them")
        yield TriggerEvent(jobs_event(ends))  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Cancel the jobs when a person has stopped their task, where the connection's profile names a call for that.

        Airflow (3.3 and newer) calls this when the deferred task is marked or cleared, never when a triggerer stops, or
        a wait ends or times out.
        """
        if not self.cancel_on_kill:
            self.log.info("This wait was stopped. Its %d jobs continue at the service", len(self.jobs))
            return
        await import_beside_the_loop("triggers.job_cancelling")
        from .job_cancelling import cancel_jobs

        job_ids = [job["job_id"] for job in self.jobs]
        await cancel_jobs(job_ids, self.video_creation_conn_id, self.user_id, self)

    def tell(self, message: str) -> None:
        """Log what happened, for the task that waits."""
        self.log.info("%s", message)

    def warn(self, message: str) -> None:
        """Log a problem, for the task that waits."""
        self.log.warning("%s", message)

    async def _ends(self, waiter: JobWaiter) -> list[dict[str, Any]]:
        """The events of those that have ended; no wait for another job continues after this returns or is cancelled."""
        ends: list[dict[str, Any]] = []
        some, enough = asyncio.Event(), asyncio.Event()

        async def wait_for(job: Mapping[str, Any]) -> None:
            ends.append(await self._end(waiter, job))
            some.set()
            if len(ends) == len(self.jobs):
                enough.set()

        async def wake() -> None:
            await some.wait()
            await self.sleep(self.wake_after)
            enough.set()

        if not self.jobs:
            return ends
        async with asyncio.TaskGroup() as group:
            settled = group.create_task(self.sleep(self.settle_seconds))
            waits = [group.create_task(wake()), *(group.create_task(wait_for(job)) for job in self.jobs)]
            await enough.wait()
            await settled
            for wait in waits:
                wait.cancel()
        return ends

    async def _end(self, waiter: JobWaiter, job: Mapping[str, Any]) -> dict[str, Any]:
        from .wait_end import broken_off, end_of_job

        job_id = job["job_id"]
        try:
            return await end_of_job(
                waiter,
                job_id,
                now=self.clock(),
                deadline=job.get("deadline"),
                submitted_at=job.get("submitted_at"),
                poll_interval=self.poll_interval,
                kind=job.get("kind"),
                user_id=self.user_id,
                log=self,
                webhook=bool(job.get("webhook")),
            )
        except Exception as error:
            # No error here may end another wait.
            self.log.warning("Waiting for job %s", job_id, exc_info=True)
            return broken_off(job_id, error)


def _known(jobs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What is known of each job, once, without empty values: this is stored."""
    known: dict[str, dict[str, Any]] = {}
    for job in jobs:
        if isinstance(job, Mapping) and job.get("job_id"):
            job_id = str(job["job_id"])
            # NaN would break the event loop's timers for every other trigger.
            times = {name: job[name] for name in TIMES if _is_finite(job.get(name))}
            words = {name: job[name] for name in ("kind", "webhook") if job.get(name)}
            known.setdefault(job_id, {"job_id": job_id, **words, **times})
    return list(known.values())


def _is_finite(seconds: Any) -> bool:
    return isinstance(seconds, int | float) and math.isfinite(seconds)
