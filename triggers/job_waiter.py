"""Waits for all jobs of a connection in one event loop, over one session, one token and one schedule."""

from __future__ import annotations

import asyncio
import contextvars
import math
import time
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from ..hooks.connection import aread_profile
from ..hooks.video_creation_async import VideoCreationAsyncHook
from ..provider.models.job import Job
from ..provider.protocol.errors import (
    AuthenticationError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    ServiceUnreachableError,
    VideoCreationError,
)
from ..provider.protocol.profile import ServiceProfile
from ..provider.waiting.job_wait import JobWait
from ..provider.waiting.poll_queue import PollQueue
from .lessons import Lessons
from .ticket import Ticket

MOST_POLLS = 100
"""Polls under way at a time, as many as the session has sockets (ours)."""
LEAST_PAUSE = 0.005
"""Seconds that the waiter sleeps at least, so that many waits share a wake-up (ours)."""
OPEN_AGAIN_AFTER = 5.0
"""Seconds after which a connection that could not be read is read again (ours)."""
READ_AGAIN_AFTER = 30.0
"""Seconds after which the connection is read again, when a wait begins or the service turns a poll away (ours)."""
TURNED_AWAY = (AuthenticationError, NotFoundError, PermissionDeniedError, ServiceUnreachableError)
"""What an edited connection may mend."""


Sleep = Callable[[float], Coroutine[Any, Any, object]]


class JobWaiter:
    """Polls the jobs of one connection for every trigger of this event loop that waits for one.

    A trigger that leaves, and a job or reply that is bad, disturb no other wait. An edited connection is taken up
    while waits go on. The session is closed when the last wait leaves.

    :param conn_id: the connection.
    :param clock: gives epoch seconds.
    :param sleep: waits for seconds.
    """

    _here: ClassVar[weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Any, JobWaiter]]] = (
        weakref.WeakKeyDictionary()
    )

    _lessons: ClassVar[dict[str, Lessons]] = {}

    def __init__(self, conn_id: str, clock: Callable[[], float], sleep: Sleep) -> None:
        self._conn_id = conn_id
        self._learned = self._lessons.setdefault(conn_id, Lessons())
        self._clock = clock
        self._sleep = sleep
        self._client: VideoCreationAsyncHook | None = None
        self._read_at = 0.0
        self._tickets: set[Ticket] = set()
        self._queue: PollQueue[Ticket] = PollQueue()
        self._polls: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._sleeping: asyncio.Future[Any] | None = None
        self._sleeping_until = 0.0
        self._held_back = False
        self._running: asyncio.Task[None] | None = None

    @classmethod
    def here(
        cls, conn_id: str, clock: Callable[[], float] = time.time, sleep: Sleep = asyncio.sleep
    ) -> JobWaiter:
        """The waiter of a connection in the running event loop.

        :param conn_id: the connection.
        :param clock: gives epoch seconds.
        :param sleep: waits for seconds.
        """
        waiters = cls._here.setdefault(asyncio.get_running_loop(), {})
        key = (conn_id, clock, sleep)
        if key not in waiters:
            waiters[key] = cls(*key)
        return waiters[key]

    async def wait(
        self, wait: JobWait, user_id: str | None, tell: Callable[[str], None], *, kind: str | None = None
    ) -> Job:
        """Wait for a job to end.

        :param wait: what each poll means.
        :param user_id: fills the user-id header instead of the connection's.
        :param tell: takes what is to be logged of this wait.
        :param kind: ``storyboard`` or ``render``: jobs of one kind take alike.
        :raises VideoCreationError: what ended the wait.
        """
        watch = self._learned.durations.watch(
            self._clock(),
            kind=kind or "",
            submitted_at=wait.submitted_at,
            interval=wait.schedule.fixed_interval,
        )
        ticket = Ticket(wait, watch, user_id, tell, asyncio.get_running_loop().create_future())
        self._enter(ticket)
        try:
            async with asyncio.timeout(wait.seconds_at_most(self._clock())) as limit:
                return await ticket.done
        except TimeoutError:
            if not limit.expired():
                raise
            raise wait.deadline_passed() from None
        finally:
            self._leave(ticket)

    @classmethod
    def forget(cls) -> None:
        """Forget what was learned of all connections."""
        cls._lessons.clear()

    async def closed(self) -> None:
        """Wait until the session is closed, if nobody waits here any more."""
        if not self._tickets and self._running:
            await asyncio.wait({self._running})

    def _enter(self, ticket: Ticket) -> None:
        now = self._clock()
        self._tickets.add(ticket)
        # A job of unknown age may have ended long ago.
        self._put(ticket, now, at_latest=now if ticket.wait.submitted_at is None else math.inf)
        if self._running is None:
            self._running = _detached(self._run())
        elif self._client:
            self._read_again(now)

    def _leave(self, ticket: Ticket) -> None:
        self._tickets.discard(ticket)
        self._queue.discard(ticket)
        ticket.watch.leave()
        ticket.done.cancel()
        if ticket.poll:
            ticket.poll.cancel()
        if not self._tickets:
            waiters = self._here[asyncio.get_running_loop()]
            waiters.pop((self._conn_id, self._clock, self._sleep), None)
            if self._client is None and self._running:
                # In the midst of reading the connection, which may take long.
                self._running.cancel()
            self._wake()

    def _put(
        self, ticket: Ticket, now: float, *, not_before: float = 0.0, at_latest: float = math.inf
    ) -> None:
        """Queue a wait for its next poll."""
        at_latest = min(ticket.wait.last_look_at(now), at_latest)
        at = self._queue.put(ticket, ticket.watch, not_before=not_before, at_latest=at_latest)
        if at < self._sleeping_until - LEAST_PAUSE and not self._held_back:
            self._wake()

    def _wake(self) -> None:
        if self._sleeping:
            self._sleeping.cancel()

    async def _run(self) -> None:
        """Open the connection and poll what is due, until nobody waits any more."""
        try:
            while self._tickets:
                if self._client is None:
                    await self._open()
                await self._pause(self._start_polls(self._client) if self._client else OPEN_AGAIN_AFTER)
        except Exception as error:
            for ticket in self._tickets:
                ticket.fail(error)
            raise
        finally:
            await self._close()

    async def _pause(self, seconds: float) -> None:
        """Sleep, at most until there is something to do."""
        self._sleeping_until = self._clock() + seconds
        if seconds == math.inf:
            self._sleeping = asyncio.get_running_loop().create_future()
        else:
            self._sleeping = asyncio.ensure_future(self._sleep(max(seconds, LEAST_PAUSE)))
        try:
            await asyncio.wait({self._sleeping})
        finally:
            self._sleeping.cancel()
            self._sleeping = None
            self._sleeping_until = 0.0

    def _start_polls(self, client: VideoCreationAsyncHook) -> float:
        """Start the polls that are due, as far as the budget goes; the seconds until there may be more."""
        now = self._clock()
        budget = self._learned.budget_of(client.profile)
        self._held_back = False
        while (at := self._queue.next_at(now)) <= now:
            free_at = math.inf if len(self._polls) >= MOST_POLLS else budget.next_at(now)
            if free_at > now:
                self._held_back = True
                return free_at - now
            ticket = self._queue.take(now)
            if ticket is None or ticket.done.done():
                continue
            budget.take(now)
            ticket.poll = _detached(self._poll(ticket, client))
            self._polls.add(ticket.poll)
            ticket.poll.add_done_callback(self._polled)
        return at - now

    def _polled(self, poll: asyncio.Task[None]) -> None:
        self._polls.discard(poll)
        if len(self._polls) == MOST_POLLS - 1:
            self._wake()

    async def _poll(self, ticket: Ticket, client: VideoCreationAsyncHook) -> None:
        """Ask for a job once; what goes wrong ends this wait at most."""
        wait = ticket.wait
        not_before = 0.0
        try:
            wait.begin_poll(self._clock())
            try:
                job, unknown = await client.poll_job(wait.job_id, ticket.user_id)
            except VideoCreationError as error:
                now = self._clock()
                if isinstance(error, RateLimitedError):
                    self._learned.limited(now, error.retry_after)
                if isinstance(error, TURNED_AWAY):
                    self._read_again(now)
                ticket.say(wait.after_error(error, now))
                not_before = wait.not_before(now)
            else:
                now = self._clock()
                if unknown:
                    ticket.say(wait.unknown_state(unknown))
                if job.state != "in-progress":
                    ticket.watch.ended(now)
                if wait.after_job(job):
                    ticket.end(job)
                    return
                ticket.watch.running(now, job.progress)
            wait.check_deadline(now)
            self._put(ticket, now, not_before=not_before)
        except Exception as error:
            ticket.fail(error)

    async def _open(self) -> None:
        """Read the connection for the first time; what stands in the way is told to every wait."""
        self._read_at = self._clock()
        try:
            self._client = await self._connected(await aread_profile(self._conn_id))
        except VideoCreationError as error:
            for ticket in list(self._tickets):
                try:
                    ticket.say(ticket.wait.after_error(error, self._clock()))
                except VideoCreationError as borne_no_longer:
                    ticket.fail(borne_no_longer)

    async def _connected(self, profile: ServiceProfile) -> VideoCreationAsyncHook:
        def count_token_request() -> None:
            self._learned.budget_of(profile).take(self._clock())

        return await VideoCreationAsyncHook(
            self._conn_id, profile=profile, before_token_request=count_token_request, clock=self._clock
        ).__aenter__()

    def _read_again(self, now: float) -> None:
        if now - self._read_at >= READ_AGAIN_AFTER and self._reading is None:
            self._read_at = now
            self._reading = _detached(self._take_up_changes())

    async def _take_up_changes(self) -> None:
        """Read the connection again, and go on over a new session where it has changed."""
        assert self._client is not None
        try:
            profile = await aread_profile(self._conn_id)
            if profile != self._client.profile:
                client = await self._connected(profile)
                former, polls, self._client = self._client, set(self._polls), client
                if polls:
                    await asyncio.wait(polls)
                await former.__aexit__(None, None, None)
        except VideoCreationError as error:
            for ticket in self._tickets:
                ticket.say(f"Waiting goes on with the connection as it was: {error}")
        finally:
            self._reading = None

    async def _close(self) -> None:
        under_way = [task for task in (*self._polls, self._reading) if task]
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way)
        if self._client:
            await self._client.__aexit__(None, None, None)


def _detached(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run beside the trigger that happens to begin it, without the marks that Airflow puts on that trigger's log."""
    return asyncio.get_running_loop().create_task(work, context=contextvars.Context())
