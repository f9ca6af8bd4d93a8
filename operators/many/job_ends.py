"""Waits for the jobs of a task on its worker: one thread with an event loop, as the triggerer has one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...triggers.polling.job_waiter import JobWaiter
from ...triggers.wait_end import broken_off, end_of_wait

if TYPE_CHECKING:
    from ...provider.connection.profile import ServiceProfile
    from ...provider.waiting.job_wait import JobWait

SECONDS_TO_LEAVE = 5.0
"""How long the connection's session may take to close (ours)."""
Ended = Callable[[str, Mapping[str, Any]], None]
Read = Callable[[str], "ServiceProfile"]


class JobEnds:
    """Gives the event of each job's end, as a trigger would.

    :param conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's.
    :param read: reads the connection, in a thread beside the loop.
    :param ended: called in the loop's thread, with the job and its event.
    :param log: the task's log.
    """

    def __init__(self, conn_id: str, user_id: str | None, read: Read, ended: Ended, log: Any) -> None:
        self._conn_id = conn_id
        self._user_id = user_id
        self._read = read
        self._ended = ended
        self._log = log
        self._loop = asyncio.new_event_loop()
        self._waits: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="video-creation-waits", daemon=True)
        self._thread.start()

    def wait_for(self, wait: JobWait, *, webhook: bool) -> None:
        """Give the event of a job once it has ended.

        :param wait: for the job.
        :param webhook: whether a callback of the service is expected.
        """
        self._loop.call_soon_threadsafe(self._begin, wait, webhook)

    def stop(self) -> None:
        """Stop waiting for jobs."""
        # Its thread may not be running yet.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2 * SECONDS_TO_LEAVE)

    def tell(self, message: str) -> None:
        """Nothing: the task's log has one line for each stage, not one for each wait."""

    def warn(self, message: str) -> None:
        """Log a problem with a wait."""
        self._log.warning("%s", message)

    def _begin(self, wait: JobWait, webhook: bool) -> None:
        task = self._loop.create_task(self._end(wait, webhook))
        self._waits.add(task)
        task.add_done_callback(self._waits.discard)

    async def _end(self, wait: JobWait, webhook: bool) -> None:
        try:
            waiter = JobWaiter.here(self._conn_id, read=self._aread)
            if not wait.remembers:
                # Its answer was too large a moment ago, and a worker has read it.
                await asyncio.sleep(wait.seconds_to_next_poll(time.time()))
            event = await end_of_wait(waiter, wait, user_id=self._user_id, log=self, webhook=webhook)
        except Exception as error:
            self._log.exception("The wait for job %s ended with an error of this provider", wait.job_id)
            event = broken_off(wait.job_id, error)
        self._ended(wait.job_id, event)

    async def _aread(self, conn_id: str) -> ServiceProfile:
        return await asyncio.to_thread(self._read, conn_id)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._leave())
            self._loop.close()

    async def _leave(self) -> None:
        for wait in self._waits:
            wait.cancel()
        # The waiter closes its session when the last wait has left.
        if left := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(left, timeout=SECONDS_TO_LEAVE)
