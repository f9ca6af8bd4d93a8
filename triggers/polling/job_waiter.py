"""Waits for all jobs of a connection in one event loop, over one session, one token and one schedule."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import Any, ClassVar

from ...hooks.airflow.metrics import ConnectionMetrics, triggerer_stats
from ...hooks.video_creation_async import VideoCreationAsyncHook
from ...provider.errors import JobReplyTooLargeError, VideoCreationError
from ...provider.models.job import Job
from ...provider.waiting.job_wait import JobWait
from ...provider.waiting.poll_queue import PollQueue
from ...provider.waiting.wait_event import state_of
from ..event_loop.detached import detached
from ..event_loop.one_per_loop import OnePerLoop
from .callback_reader import Sleep
from .expected_callbacks import ExpectedCallbacks
from .lessons import Lessons
from .live_connection import LiveConnection, ReadProfile
from .ticket import Ticket, WaitLog
from .ticket_poll import TicketPoll

MAX_POLLS = 100
"""Polls under way at the same time, as many as the session has sockets (ours)."""
MIN_PAUSE = 0.005
"""The fewest seconds that the waiter sleeps, so that many waits share a wake-up (ours)."""
OPEN_AGAIN_AFTER = 5.0
"""Seconds after which a connection that could not be read is read again (ours)."""


class JobWaiter:
    """Polls the jobs of one connection for every trigger of this event loop that waits for one.

    A job is polled at once when the service calls back about it; otherwise, while callbacks can be read, less often. A
    trigger that leaves, or a bad job or reply, does not disturb other waits. An edited connection is used without
    interrupting waits. The session is closed when the last wait leaves.

    :param conn_id: the connection.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    :param read: reads the connection; None: Airflow's own way in an event loop.
    """

    _here: ClassVar[OnePerLoop[JobWaiter]] = OnePerLoop()
    _lessons: ClassVar[dict[str, Lessons]] = {}

    def __init__(
        self,
        conn_id: str,
        clock: Callable[[], float],
        sleep: Sleep,
        read: ReadProfile | None = None,
    ) -> None:
        self._conn_id = conn_id
        self._learned = self._lessons.setdefault(conn_id, Lessons())
        self._clock = clock
        self._sleep = sleep
        self._tickets: set[Ticket] = set()
        self._queue: PollQueue[Ticket] = PollQueue()
        self._polls: set[asyncio.Task[None]] = set()
        self._connection = LiveConnection(
            conn_id, self._learned, clock, self._polls, self._expect_callbacks, self._say, read
        )
        self._callbacks = ExpectedCallbacks(self._learned, clock, sleep, self._called_back)
        self._metrics = ConnectionMetrics(conn_id, triggerer_stats())
        self._sleeping: asyncio.Future[Any] | None = None
        self._sleeping_until = 0.0
        self._held_back = False
        self._running: asyncio.Task[None] | None = None

    @classmethod
    def here(
        cls,
        conn_id: str,
        clock: Callable[[], float] = time.time,
        sleep: Sleep = asyncio.sleep,
        read: ReadProfile | None = None,
    ) -> JobWaiter:
        """The waiter of a connection in the running event loop.

        :param conn_id: the connection.
        :param clock: gives epoch seconds.
        :param sleep: waits for a number of seconds.
        :param read: reads the connection; the first caller's is used.
        """
        return cls._here.get((conn_id, clock, sleep), lambda: cls(conn_id, clock, sleep, read))

    async def wait(self, wait: JobWait, user_id: str | None, log: WaitLog, *, webhook: bool = False) -> Job:
        """Wait for a job to end.

        :param wait: what each poll means.
        :param user_id: fills the user-id header instead of the connection's.
        :param log: logs what happens to this wait.
        :param webhook: whether a callback of the service is expected.
        :raises VideoCreationError: what ended the wait.
        """
        now = self._clock()
        watch = self._learned.durations.watch(
            now, kind=wait.kind, submitted_at=wait.submitted_at, interval=wait.schedule.fixed_interval
        )
        ticket = Ticket(wait, watch, user_id, log, webhook=webhook, began_at=now)
        self._enter(ticket)
        try:
            job = await ticket.ended(self._clock())
        except JobReplyTooLargeError:
            # The worker counts how it ended.
            log.tell(ticket.story("left to a worker, which reads large answers", self._clock()))
            raise
        except VideoCreationError as error:
            self._tell_end(ticket, state_of(error))
            raise
        finally:
            self._leave(ticket)
        self._tell_end(ticket, job.state)
        return job

    def _tell_end(self, ticket: Ticket, state: str) -> None:
        now = self._clock()
        ticket.log.tell(ticket.story(state, now))
        found_by = "poll" if ticket.called_back_at is None else "callback"
        self._metrics.job_ended(ticket.wait.kind, state, ticket.detection_delay(state, now), found_by)

    @classmethod
    def forget(cls) -> None:
        """Forget what was learned of all connections."""
        cls._lessons.clear()

    async def closed(self) -> None:
        """Wait until the session is closed, if nobody waits here any more."""
        if not self._tickets and self._running:
            await asyncio.wait({self._running})
        if not self._tickets:
            await self._callbacks.closed()

    def _enter(self, ticket: Ticket) -> None:
        now = self._clock()
        self._tickets.add(ticket)
        # A job of unknown age may have ended long ago.
        self._put(ticket, now, at_latest=now if ticket.wait.submitted_at is None else math.inf)
        if self._running is None:
            self._running = detached(self._run())
        else:
            self._callbacks.expect(ticket)
            self._connection.read_again(now)

    def _leave(self, ticket: Ticket) -> None:
        self._tickets.discard(ticket)
        self._queue.discard(ticket)
        ticket.watch.leave()
        ticket.expect_no_callback()
        ticket.done.cancel()
        if ticket.poll:
            ticket.poll.cancel()
        if not self._tickets:
            self._here.drop((self._conn_id, self._clock, self._sleep))
            if self._connection.client is None and self._running:
                # The connection is still being read, which may take long.
                self._running.cancel()
            self._wake()

    def _put(
        self, ticket: Ticket, now: float, *, not_before: float = 0.0, at_latest: float = math.inf
    ) -> None:
        """Queue a wait for its next poll."""
        if (again_at := ticket.look_after_callback(now)) is not None:
            at_latest = min(again_at, at_latest)
        elif ticket.watch.due() > now:
            not_before = max(not_before, now + self._callbacks.least_interval(ticket))
        at_latest = min(ticket.wait.look_by(now), at_latest)
        at = self._queue.put(ticket, ticket.watch, not_before=not_before, at_latest=at_latest)
        if at < self._sleeping_until - MIN_PAUSE and not self._held_back:
            self._wake()

    def _expect_callbacks(self) -> None:
        if client := self._connection.client:
            self._callbacks.read_as(client.profile, self._tickets)

    def _called_back(self, ticket: Ticket) -> None:
        """Poll a job at once that a callback has named."""
        self._metrics.count("callbacks", ticket.wait.kind)
        if ticket.poll is None or ticket.poll.done():
            self._queue.put_first(ticket, ticket.watch)
            if not self._held_back:
                self._wake()

    def _wake(self) -> None:
        if self._sleeping:
            self._sleeping.cancel()

    async def _run(self) -> None:
        """Open the connection and poll what is due, until nobody waits any more."""
        try:
            while self._tickets:
                client = self._connection.client or await self._open()
                await self._pause(self._start_polls(client) if client else OPEN_AGAIN_AFTER)
        except Exception as error:
            for ticket in self._tickets:
                ticket.fail(error)
            raise
        finally:
            self._metrics.flush(self._clock(), waits=len(self._tickets))
            await self._connection.close()

    async def _pause(self, seconds: float) -> None:
        """Sleep, at most until there is something to do."""
        self._sleeping_until = self._clock() + seconds
        if seconds == math.inf:
            self._sleeping = asyncio.get_running_loop().create_future()
        else:
            self._sleeping = asyncio.ensure_future(self._sleep(max(seconds, MIN_PAUSE)))
        try:
            await asyncio.wait({self._sleeping})
        finally:
            self._sleeping.cancel()
            self._sleeping = None
            self._sleeping_until = 0.0

    def _start_polls(self, client: VideoCreationAsyncHook) -> float:
        """Start the due polls that the budget allows; return the seconds until there may be more."""
        now = self._clock()
        budget = self._learned.budget_of(client.profile)
        if now >= self._metrics.flush_at:
            self._metrics.flush(now, waits=len(self._tickets), budget_left=budget.left(now))
        self._held_back = False
        while (at := self._queue.next_at(now)) <= now:
            free_at = math.inf if len(self._polls) >= MAX_POLLS else budget.next_at(now)
            if free_at > now:
                self._held_back = True
                return free_at - now
            ticket = self._queue.take(now)
            if ticket is None or ticket.done.done():
                continue
            budget.take(now)
            ticket.poll = detached(self._poll(ticket, client))
            self._polls.add(ticket.poll)
            ticket.poll.add_done_callback(self._polled)
        return at - now

    def _polled(self, poll: asyncio.Task[None]) -> None:
        self._polls.discard(poll)
        if len(self._polls) == MAX_POLLS - 1:
            self._wake()

    async def _poll(self, ticket: Ticket, client: VideoCreationAsyncHook) -> None:
        """Ask for a job once; an error ends at most this wait."""
        wait = ticket.wait
        poll = TicketPoll(ticket, self._learned, self._connection, self._callbacks, self._metrics)
        try:
            wait.begin_poll(self._clock())
            answer = await poll.answer(client)
            now = self._clock()
            if job := poll.take_in(answer, now):
                ticket.end(job)
                return
            not_before = wait.not_before(now) if isinstance(answer, VideoCreationError) else 0.0
            self._put(ticket, now, not_before=not_before)
        except Exception as error:
            ticket.fail(error)

    async def _open(self) -> VideoCreationAsyncHook | None:
        """Read the connection for the first time; an error is passed on to every wait."""
        try:
            await self._connection.open()
        except VideoCreationError as error:
            for ticket in list(self._tickets):
                try:
                    ticket.say(ticket.wait.after_error(error, self._clock()))
                except VideoCreationError as no_longer_tolerated:
                    ticket.fail(no_longer_tolerated)
        return self._connection.client

    def _say(self, message: str) -> None:
        for ticket in self._tickets:
            ticket.say(message)
