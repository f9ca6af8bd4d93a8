"""Reads jobs at the service for the plugin, with the connection's own credentials."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..hooks.connection import aread_profile
from ..hooks.video_creation_async import VideoCreationAsyncHook
from ..provider.errors import ReportedFailureError, VideoCreationError
from ..provider.waiting.reported_failure import ReportedFailure

if TYPE_CHECKING:
    from ..provider.connection.profile import ServiceProfile
    from ..provider.models.job import Job

IDLE_SECONDS = 30.0
"""How long a session and its token outlive their last use (ours)."""
LOOKS = (0.0, 1.0, 2.0)
"""Seconds before each read of a job that the service has reported as ended but does not show as ended yet (ours)."""
MAX_REPORTED = 1000
"""How many jobs with a reported failure are remembered between calls (ours)."""


class ServiceJobs:
    """Keeps one session and one token a connection while there is something to read.

    Each token that is fetched is masked in Airflow's logs for as long as the process lives, and each mask costs every
    line of its log: so a token is not fetched for every read.

    :param clock: gives epoch seconds.
    :param max_reported: how many jobs with a reported failure are remembered between calls.
    """

    def __init__(self, clock: Callable[[], float] = time.time, max_reported: int = MAX_REPORTED) -> None:
        self._clock = clock
        self._max_reported = max_reported
        self._reported: dict[tuple[str, str], ReportedFailure] = {}
        self._hooks: dict[str, VideoCreationAsyncHook] = {}
        self._closing: dict[str, asyncio.TimerHandle] = {}
        self._opening = asyncio.Lock()
        self._closed: set[asyncio.Task[None]] = set()

    async def read(self, conn_id: str, user_id: str | None, job_id: str) -> Job:
        """A job as it is now.

        :param conn_id: the connection.
        :param user_id: fills the user-id header instead of the connection's.
        :param job_id: of the job.
        :raises VideoCreationError: it cannot be read.
        """
        hook = await self._hook(conn_id, await aread_profile(conn_id))
        job, _ = await hook.poll_job(job_id, user_id)
        return job

    async def read_ended(self, conn_id: str, profile: ServiceProfile, job_id: str) -> Job:
        """A job, read again a little later while it has not ended.

        A failure that is reported without the state ``failed`` is remembered until the service calls again: it is
        believed by the same rule as in a wait.

        :param conn_id: the connection.
        :param profile: of the connection.
        :param job_id: of the job.
        :raises ReportedFailureError: a failure is reported, and not believed yet.
        :raises ServiceError: the service does not know it, or did not answer.
        :raises ConfigurationError: the connection's credentials or CA file must be changed.
        """
        for pause in LOOKS:
            await asyncio.sleep(pause)
            # Requested each time, since a call that knows the connection as it is now may have closed the session.
            hook = await self._hook(conn_id, profile)
            try:
                job, _ = await hook.poll_job(job_id)
            except ReportedFailureError as error:
                if failed := self._believed(conn_id, job_id, error):
                    return failed
                raise
            except VideoCreationError:
                self._reported.pop((conn_id, job_id), None)
                raise
            self._reported.pop((conn_id, job_id), None)
            if job.state != "in-progress":
                break
        return job

    async def close(self) -> None:
        """Close every session."""
        for conn_id in list(self._hooks):
            await self._close(conn_id)

    def _believed(self, conn_id: str, job_id: str, error: ReportedFailureError) -> Job | None:
        """The failed job, once it is believed."""
        key = (conn_id, job_id)
        if key not in self._reported and len(self._reported) >= self._max_reported:
            del self._reported[next(iter(self._reported))]
        return self._reported.setdefault(key, ReportedFailure()).take_in(error, job_id, self._clock())

    async def _hook(self, conn_id: str, profile: ServiceProfile) -> VideoCreationAsyncHook:
        async with self._opening:
            if conn_id in self._hooks and self._hooks[conn_id].profile != profile:
                await self._close(conn_id)
            if conn_id not in self._hooks:
                self._hooks[conn_id] = await VideoCreationAsyncHook(conn_id, profile=profile).__aenter__()
        if conn_id in self._closing:
            self._closing[conn_id].cancel()
        self._closing[conn_id] = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._is_idle, conn_id)
        return self._hooks[conn_id]

    def _is_idle(self, conn_id: str) -> None:
        closing = asyncio.create_task(self._close(conn_id))
        self._closed.add(closing)
        closing.add_done_callback(self._closed.discard)

    async def _close(self, conn_id: str) -> None:
        with suppress(KeyError):
            self._closing.pop(conn_id).cancel()
        if hook := self._hooks.pop(conn_id, None):
            await hook.__aexit__(None, None, None)
