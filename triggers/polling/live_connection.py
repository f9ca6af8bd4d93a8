"""The session of a connection in the triggerer, opened again when the connection has been edited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Set

from ...hooks.connection import aread_profile
from ...hooks.video_creation_async import VideoCreationAsyncHook
from ...provider.connection.profile import ServiceProfile
from ...provider.errors import VideoCreationError
from ..event_loop.detached import detached
from .lessons import Lessons

READ_AGAIN_AFTER = 30.0
"""Seconds after which the connection is read again, when a wait begins or the service rejects a poll (ours)."""

ReadProfile = Callable[[str], Awaitable[ServiceProfile]]


class LiveConnection:
    """The connection that a waiter polls through.

    :param conn_id: the connection.
    :param learned: what was learned about its service; token requests count against its budget.
    :param clock: gives epoch seconds.
    :param polls: the polls under way, which end on the session that they began with.
    :param changed: called when the profile has changed.
    :param tell: logs a message for every wait.
    :param read: reads the connection; None: Airflow's own way in an event loop.
    """

    def __init__(
        self,
        conn_id: str,
        learned: Lessons,
        clock: Callable[[], float],
        polls: Set[asyncio.Task[None]],
        changed: Callable[[], None],
        tell: Callable[[str], None],
        read: ReadProfile | None = None,
    ) -> None:
        self.client: VideoCreationAsyncHook | None = None
        self._conn_id = conn_id
        self._learned = learned
        self._clock = clock
        self._polls = polls
        self._changed = changed
        self._tell = tell
        self._read = read
        self._read_at = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Read the connection for the first time.

        :raises VideoCreationError: what prevents it.
        """
        self._read_at = self._clock()
        self.client = await self._connected(await (self._read or aread_profile)(self._conn_id))
        self._changed()

    def read_again(self, now: float) -> None:
        """Read the connection again without interrupting polls, unless it has just been read.

        :param now: epoch seconds.
        """
        if self.client and now - self._read_at >= READ_AGAIN_AFTER and self._reading is None:
            self._read_at = now
            self._reading = detached(self._take_up_changes(self.client))

    async def close(self) -> None:
        """End what is under way, and close the session."""
        under_way = [task for task in (*self._polls, self._reading) if task]
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way)
        if self.client:
            await self.client.__aexit__(None, None, None)

    async def _connected(self, profile: ServiceProfile) -> VideoCreationAsyncHook:
        def count_token_request() -> None:
            self._learned.budget_of(profile).take(self._clock())

        return await VideoCreationAsyncHook(
            self._conn_id, profile=profile, before_token_request=count_token_request, clock=self._clock
        ).__aenter__()

    async def _take_up_changes(self, former: VideoCreationAsyncHook) -> None:
        try:
            profile = await (self._read or aread_profile)(self._conn_id)
            if profile != former.profile:
                client = await self._connected(profile)
                polls, self.client = set(self._polls), client
                self._changed()
                if polls:
                    await asyncio.wait(polls)
                await former.__aexit__(None, None, None)
        except VideoCreationError as error:
            self._tell(
                f"The connection could not be read again, so waiting continues with its old settings: {error}"
            )
        finally:
            self._reading = None
