"""One wait at the waiter of its connection."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ...provider.models.job import Job
from ...provider.waiting.job_durations import JobWatch
from ...provider.waiting.job_wait import JobWait
from ...provider.waiting.schedule import LOOKS_AFTER_CALLBACK
from ...provider.webhooks.callback import called_back_xcom_key
from .callback_reader import CallbackReader


class WaitLog(Protocol):
    """The log of the task that waits."""

    def tell(self, message: str) -> None:
        """Log what happened."""

    def warn(self, message: str) -> None:
        """Log a problem."""


@dataclass(eq=False, slots=True)
class Ticket:
    """One wait at a waiter.

    :param wait: what each poll means.
    :param watch: when to poll the job.
    :param user_id: fills the user-id header instead of the connection's.
    :param log: logs what happens to this wait.
    :param webhook: whether a callback of the service may come.
    :param began_at: epoch seconds at which this wait began.
    :param done: the finished job, or what ended the wait.
    :param context: of the trigger, by which Airflow finds the log to write to.
    :param poll: the poll under way, or the last one.
    :param polls: how many polls there were.
    :param called_back_at: epoch seconds at which the service called back.
    :param looks_after_callback: seconds to the next polls, for a job that still runs after its callback.
    """

    wait: JobWait
    watch: JobWatch
    user_id: str | None
    log: WaitLog
    webhook: bool
    began_at: float
    done: asyncio.Future[Job] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    poll: asyncio.Task[None] | None = None
    polls: int = 0
    called_back_at: float | None = None
    looks_after_callback: tuple[float, ...] = ()
    _expect_no_callback: Callable[[], None] | None = field(default=None, init=False)

    @property
    def polls_by_schedule(self) -> bool:
        """Whether nobody chose a poll interval."""
        return self.wait.schedule.fixed_interval is None

    @property
    def expects_callback(self) -> bool:
        """Whether a callback would wake this wait."""
        return self._expect_no_callback is not None

    async def ended(self, now: float) -> Job:
        """The finished job.

        :param now: epoch seconds.
        :raises VideoCreationError: what ended the wait, such as its deadline.
        """
        try:
            async with asyncio.timeout(self.wait.seconds_at_most(now)) as limit:
                return await self.done
        except TimeoutError:
            if not limit.expired():
                raise
            raise self.wait.deadline_passed() from None

    def expect_callback(self, reader: CallbackReader, wake: Callable[[float], None]) -> None:
        """Let a callback wake this wait.

        :param reader: of callbacks.
        :param wake: called with the epoch seconds at which it came.
        """
        self._expect_no_callback = reader.expect(called_back_xcom_key(self.wait.job_id), wake)

    def expect_no_callback(self) -> None:
        """Stop callbacks from waking this wait."""
        if self._expect_no_callback:
            self._expect_no_callback()
            self._expect_no_callback = None

    def called_back(self, at: float) -> None:
        """Note that the service called back.

        :param at: epoch seconds.
        """
        self.called_back_at = at
        self.looks_after_callback = LOOKS_AFTER_CALLBACK

    def look_after_callback(self, now: float) -> float | None:
        """Epoch seconds of the next poll of a job that still ran after its callback; None by the schedule.

        :param now: epoch seconds.
        """
        if not self.looks_after_callback:
            return None
        pause, self.looks_after_callback = self.looks_after_callback[0], self.looks_after_callback[1:]
        return now + pause

    def say(self, message: str | None) -> None:
        """Log a problem for the task that waits.

        :param message: None for nothing.
        """
        if message:
            self.context.run(self.log.warn, message)

    def end(self, job: Job) -> None:
        """End the wait with its finished job."""
        if not self.done.done():
            self.done.set_result(job)

    def fail(self, error: Exception) -> None:
        """End the wait with an error."""
        if not self.done.done():
            self.done.set_exception(error)

    def detection_delay(self, state: str, now: float) -> float | None:
        """About how many seconds passed between the job's end and its discovery; None if that cannot be known.

        :param state: of the job, or how else the wait ended.
        :param now: epoch seconds at which the end was seen.
        """
        return self.wait.detection_delay(state, now, self.called_back_at)

    def story(self, state: str, now: float) -> str:
        """The whole wait in one line.

        :param state: of the job, or how else the wait ended.
        :param now: epoch seconds.
        """
        since = self.wait.submitted_at if self.wait.submitted_at is not None else self.began_at
        found = f"found by poll {self.polls}"
        if self.called_back_at is not None:
            found = f"woken by the service's callback, poll {self.polls}"
        elif self.webhook:
            found += ", without a callback"
        delay = self.detection_delay(state, now)
        late = "" if delay is None else f", about {delay:.1f} s after its end"
        of_trigger = f", {now - self.began_at:.1f} s of them in this triggerer"
        return f"Job {self.wait.job_id}: {state} after {now - since:.1f} s{of_trigger} ({found}{late})"
