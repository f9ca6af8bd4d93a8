"""What waits for a job in the triggerer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from ..provider.info import DEFAULT_CONNECTION_ID

if TYPE_CHECKING:
    from ..hooks.video_creation_async import VideoCreationAsyncHook
    from ..provider.waiting.job_wait import JobWait

VERSION = 1


class VideoJobTrigger(BaseTrigger):
    """Waits until a job ends, then fires one event (``provider.waiting.outcome``).

    Its arguments hold identifiers only, and unknown ones are ignored, so that triggers stored by
    other releases go on.

    :param job_id: the job.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's.
    :param poll_interval: seconds between polls; absent: a schedule that grows with the time waited.
    :param deadline: epoch seconds at which the wait ends; None for none.
    :param kind: ``storyboard`` or ``render``; only carried, the wait does not depend on it.
    :param submitted_at: epoch seconds from which an unknown job is given its time: the submission, or the start of
        the sensor, which does not know the submission; None for the start of this trigger, anew in each triggerer.
    :param version: of these arguments.
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
        **unknown: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.job_id = job_id
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self.poll_interval = poll_interval
        self.deadline = deadline
        self.kind = kind
        self.submitted_at = submitted_at
        self.version = version

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """The class path and the arguments that the triggerer makes this trigger of again."""
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
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Poll until the job ends or the deadline passes, and fire one event."""
        await asyncio.to_thread(import_module, "..hooks.video_creation_async", __package__)
        from ..hooks.video_creation_async import VideoCreationAsyncHook
        from ..provider.protocol.errors import VideoCreationError
        from ..provider.waiting.job_wait import JobWait
        from ..provider.waiting.outcome import completed_event, error_event
        from ..provider.waiting.schedule import PollSchedule

        self.log.info("Waiting for job %s", self.job_id)
        try:
            wait = JobWait(
                self.job_id,
                started_at=self.clock(),
                deadline=self.deadline,
                submitted_at=self.submitted_at,
                schedule=PollSchedule(self.poll_interval),
            )
            wait.check_deadline(self.clock())
            async with VideoCreationAsyncHook(self.video_creation_conn_id, self.user_id) as hook:
                await self._until_end(hook, wait)
            event = completed_event(self.job_id)
        except VideoCreationError as error:
            event = error_event(self.job_id, error)
        yield TriggerEvent(event)  # type: ignore[no-untyped-call]

    async def _until_end(self, hook: VideoCreationAsyncHook, wait: JobWait) -> None:
        from ..provider.protocol.errors import VideoCreationError

        while True:
            try:
                async with asyncio.timeout(wait.seconds_left(self.clock())):
                    job, unknown = await hook.poll_job(self.job_id)
            except TimeoutError:
                pass
            except VideoCreationError as error:
                if message := wait.after_error(error, self.clock()):
                    self.log.warning("%s", message)
            else:
                if unknown and (message := wait.unknown_state(unknown)):
                    self.log.warning("%s", message)
                if wait.after_job(job):
                    return
            wait.check_deadline(self.clock())
            await self.sleep(wait.seconds_to_next_poll(self.clock()))
