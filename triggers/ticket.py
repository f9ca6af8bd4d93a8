"""One wait at the waiter of its connection."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass, field

from ..provider.models.job import Job
from ..provider.waiting.job_durations import JobWatch
from ..provider.waiting.job_wait import JobWait


@dataclass(eq=False, slots=True)
class Ticket:
    """One wait at a waiter.

    :param wait: what each poll means.
    :param watch: when the job is worth a poll.
    :param user_id: fills the user-id header instead of the connection's.
    :param tell: takes what is to be logged of this wait.
    :param done: the finished job, or what ended the wait.
    :param context: of the trigger, by which Airflow tells whose log it is.
    :param poll: the one that is under way, or was last.
    """

    wait: JobWait
    watch: JobWatch
    user_id: str | None
    tell: Callable[[str], None]
    done: asyncio.Future[Job]
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    poll: asyncio.Task[None] | None = None

    def say(self, message: str | None) -> None:
        """Log for the task that waits.

        :param message: None for nothing.
        """
        if message:
            self.context.run(self.tell, message)

    def end(self, job: Job) -> None:
        """End the wait with its finished job."""
        if not self.done.done():
            self.done.set_result(job)

    def fail(self, error: Exception) -> None:
        """End the wait with what went wrong."""
        if not self.done.done():
            self.done.set_exception(error)
