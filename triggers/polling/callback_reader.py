"""Reads which jobs the service has called back about: one read a second for all waits of an event loop.

The plugin's receiver leaves an XCom whose key names the job (``provider.webhooks.callback``). The list of such keys,
newest first, is all that is read.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from ...hooks.airflow.public_api import ANY, PAGE_SIZE, task_instance_path, xcom_keys, xcoms_path
from ...hooks.airflow.rest_api import RemoteAirflowApi, RemoteAirflowApiError
from ...provider.webhooks.callback import CALLED_BACK_PREFIX
from ..event_loop.detached import detached
from ..event_loop.one_per_loop import OnePerLoop

log = logging.getLogger(__name__)

PATH = xcoms_path(task_instance_path(ANY, ANY, ANY))
INTERVAL = 1.0
"""Seconds between two reads (ours)."""
MAX_PAGES = 10
"""Pages to read, one a second, when more calls came at once than the first page holds (ours)."""
NEWEST = timedelta(days=7)
"""Only runs due since then are read each second; counting the keys of all runs would cost the database more."""
ALL_RUNS_EVERY = 15
"""One in this many reads covers all runs: those of a backfill were due long ago (ours)."""
MAX_SEEN = 10_000
"""Keys that are remembered, for waits that begin after their callback came (ours)."""
MAX_BACK_OFF = 60.0
"""The most seconds between two attempts, while Airflow's API cannot be read (ours)."""

Sleep = Callable[[float], Coroutine[Any, Any, object]]
Wake = Callable[[float], None]
"""Called for a callback, with the epoch seconds at which it came."""


class CallbackReader:
    """Tells the waits of this event loop when a callback names their job.

    It reads while any wait expects a callback, and stops with the last one. If Airflow's API cannot be read, it says so
    once, is not ``healthy``, and tries again after 1, 2, 4 and so on up to 60 s.

    :param conn_id: the Airflow connection that says where the API server is, and as which user to read.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    """

    _here: ClassVar[OnePerLoop[CallbackReader]] = OnePerLoop()

    def __init__(self, conn_id: str, clock: Callable[[], float], sleep: Sleep) -> None:
        self.healthy = False
        """Whether the last read succeeded, so that callbacks can be relied on."""
        self._conn_id = conn_id
        self._clock = clock
        self._sleep = sleep
        self._expected: dict[str, list[Wake]] = {}
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._offset = 0
        self._reads = 0
        self._failures = 0
        self._running: asyncio.Task[None] | None = None

    @classmethod
    def here(
        cls, conn_id: str, clock: Callable[[], float] = time.time, sleep: Sleep = asyncio.sleep
    ) -> CallbackReader:
        """The reader of an Airflow connection in the running event loop.

        :param conn_id: the Airflow connection.
        :param clock: gives epoch seconds.
        :param sleep: waits for a number of seconds.
        """
        return cls._here.get((conn_id, clock, sleep), lambda: cls(conn_id, clock, sleep))

    def expect(self, key: str, wake: Wake) -> Callable[[], None]:
        """Wake a wait when a callback names its job; at once, if that has come already.

        :param key: of the job, ``provider.webhooks.callback.called_back_xcom_key``.
        :param wake: called in this event loop.
        :return: what ends the expectation.
        """
        self._expected.setdefault(key, []).append(wake)
        if self._running is None:
            self._running = detached(self._run(), name="callback reader")
        if key in self._seen:
            wake(self._seen[key])
        return lambda: self._forget(key, wake)

    async def closed(self) -> None:
        """Wait until the session is closed, if nobody expects a callback any more."""
        if not self._expected and self._running:
            await asyncio.wait({self._running})

    def _forget(self, key: str, wake: Wake) -> None:
        wakes = self._expected.get(key, [])
        if wake in wakes:
            wakes.remove(wake)
        if not wakes:
            self._expected.pop(key, None)
        if not self._expected and self._running:
            self._here.drop((self._conn_id, self._clock, self._sleep))
            self._running.cancel()

    async def _run(self) -> None:
        while True:
            try:
                async with RemoteAirflowApi(self._conn_id) as api:
                    while True:
                        self._take_in(await api.get(PATH, self._query()))
                        self._succeeded()
                        await self._sleep(INTERVAL)
            except RemoteAirflowApiError as error:
                self._failed(str(error))
            except Exception as error:
                # No error here may cost a wait more than time.
                log.debug("Reading callbacks", exc_info=True)
                self._failed(f"reading callbacks failed ({type(error).__name__})")
            await self._sleep(min(2.0 ** (self._failures - 1), MAX_BACK_OFF))

    def _query(self) -> dict[str, str]:
        query = {
            "xcom_key_prefix_pattern": CALLED_BACK_PREFIX,
            "order_by": "-timestamp",
            "limit": str(PAGE_SIZE),
            "offset": str(self._offset),
        }
        if self._reads % ALL_RUNS_EVERY:
            since = datetime.fromtimestamp(self._clock(), UTC) - NEWEST
            query["run_after_gte"] = since.isoformat(timespec="seconds")
        return query

    def _take_in(self, answer: Any) -> None:
        """Wake the waits that a page names, and choose the next page to read."""
        keys = xcom_keys(answer)
        if keys is None:
            raise RemoteAirflowApiError(f"GET {PATH} was answered without a list of XComs")
        new = [(key, at) for key, at in keys if key.startswith(CALLED_BACK_PREFIX) and key not in self._seen]
        # A page that is mostly new may not be the last one. Callbacks before the first read need no further page: a
        # wait that begins so late polls at once.
        more = self._reads > 0 and len(keys) == PAGE_SIZE and len(new) > PAGE_SIZE / 2
        self._offset = (self._offset + PAGE_SIZE) % (PAGE_SIZE * MAX_PAGES) if more else 0
        self._reads += 1
        for key, at in reversed(new):
            self._seen[key] = at
            for wake in list(self._expected.get(key, ())):
                wake(at)
        while len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)

    def _succeeded(self) -> None:
        if not self.healthy:
            log.info("Callbacks are read from Airflow's API through connection %r", self._conn_id)
        self.healthy, self._failures = True, 0

    def _failed(self, why: str) -> None:
        if self.healthy or not self._failures:
            log.warning("Callbacks cannot be read, so jobs are only polled, as without callbacks: %s", why)
        self.healthy = False
        self._failures = min(self._failures + 1, 10)
        self._offset = 0
