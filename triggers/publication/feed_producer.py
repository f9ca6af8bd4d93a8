"""A feed's stream for all its watchers, which knows when Airflow has stored their events (Airflow 3.3 and newer)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from airflow.triggers.shared_stream import AdvanceItem, SharedStreamProducer

from ..event_loop.slow_import import import_beside_the_loop
from .looks import FeedSettings, Look, Settled, Sleep


class FeedProducer(SharedStreamProducer):
    """Gives the result of each poll to all watchers, then waits until Airflow has stored their events (source:
    Airflow's ack mode).

    :param settings: which feed to poll, and how.
    :param clock: epoch seconds.
    :param sleep: waits between two polls.
    """

    def __init__(self, settings: FeedSettings, clock: Callable[[], float], sleep: Sleep) -> None:
        self._settings = settings
        self._clock = clock
        self._sleep = sleep
        self._number = 0
        self._stored = asyncio.Event()

    async def open_stream(self) -> AsyncIterator[tuple[Look | Settled, int]]:
        """Each poll's result, and after it the note that its events are stored."""
        await import_beside_the_loop("triggers.publication.feed_stream")
        from .feed_stream import feed_stream

        stream = feed_stream(self._settings, settled=self._stored.wait, clock=self._clock, sleep=self._sleep)
        async for item in stream:
            self._number += 1
            self._stored.clear()
            yield item, self._number

    async def advance(self, batch: Sequence[AdvanceItem]) -> None:
        """Continue once the last poll is resolved; a watcher that could not resolve it has ended, and polls again."""
        if any(item.broker_payload == self._number for item in batch):
            self._stored.set()
