"""Reads jobs at the service for the pages: many people who look at one job cause one request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ...provider.models.job import Job
from ..service_jobs import ServiceJobs

KEPT_SECONDS = 5.0
"""How long a result is shown again (ours)."""
READ_SECONDS = 8.0
"""The longest that a page waits for the service (ours)."""

Key = tuple[str, str | None, str]


class RecentJobs:
    """Remembers each job for a few seconds, with what went wrong when it was read.

    :param clock: gives seconds that never go back.
    :param read: reads a job at the service; ``ServiceJobs.read`` when None.
    :param read_seconds: the longest that one read may take.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        read: Callable[[str, str | None, str], Awaitable[Job]] | None = None,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self._clock = clock
        self._read_seconds = read_seconds
        self._service = ServiceJobs()
        self._read = read or self._service.read
        self._reading: dict[Key, tuple[float, asyncio.Task[Job]]] = {}

    async def job(self, conn_id: str, user_id: str | None, job_id: str) -> Job:
        """A job as it was a few seconds ago at most.

        :param conn_id: the connection.
        :param user_id: fills the user-id header instead of the connection's.
        :param job_id: of the job.
        :raises VideoCreationError: it cannot be read.
        :raises TimeoutError: the service takes too long.
        """
        now = self._clock()
        self._reading = {
            key: (until, task)
            for key, (until, task) in self._reading.items()
            if until > now or not task.done()
        }
        key = (conn_id, user_id, job_id)
        if key not in self._reading:
            task = asyncio.create_task(self._read_in_time(*key))
            # Its error is handled here, since whoever asked may be gone.
            task.add_done_callback(lambda read: read.cancelled() or read.exception())
            self._reading[key] = (now + KEPT_SECONDS, task)
        return await asyncio.shield(self._reading[key][1])

    async def close(self) -> None:
        """Close every session."""
        await self._service.close()

    async def _read_in_time(self, conn_id: str, user_id: str | None, job_id: str) -> Job:
        async with asyncio.timeout(self._read_seconds):
            return await self._read(conn_id, user_id, job_id)
