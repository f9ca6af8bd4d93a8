"""The trigger of an ``AssetWatcher`` that starts DAGs when a feed publishes something."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Hashable
from datetime import timedelta
from typing import Any

from airflow.triggers.base import BaseEventTrigger, TriggerEvent

from ..provider.articles.watching.watched_address import MIN_INTERVAL, watched_address
from .event_loop.slow_import import import_beside_the_loop
from .publication.looks import FeedSettings

VERSION = 1
SETTLING = 10.0
"""Seconds after which an event counts as stored, where Airflow does not say (below 3.3) (ours)."""
MAX_LOOKBACK = timedelta(days=3650)


class FeedEventTrigger(BaseEventTrigger):
    """Fires an event when a feed shows new entries, for an ``AssetWatcher`` (docs/sources/published.md).

    The event's payload is ``{"feed_url": ..., "entries": [{"id": ..., "url": ..., "title": ...}, ...]}``, at most 100
    entries and about 32 kB; more entries make another event. What the feed shows at the first poll is not news.

    The entries already reported are kept in the asset's state store or, below Airflow 3.3, in a Variable. Every entry
    is reported at least once, and twice only if the triggerer dies in the seconds between firing the event and storing
    this. Even then ``FetchArticlesOperator(feed_url=...)`` gives it to only one run.

    All watchers of a feed share one poll of it (Airflow 3.3 and newer). It waits as long as the feed asks for.

    :param feed_url: address of an RSS or Atom feed, http or https. It is stored and shown with the DAG, so it must hold
        no secrets.
    :param podcast: whether an entry may have only a recording, and no page.
    :param poll_interval: seconds between two polls, 15 or more; the site may ask for more.
    :param lookback: how long before the last poll a new entry may be dated; an older one is not news. Seconds, or a
        timedelta. Default: one day.
    :param respect_robots: whether to obey the site's robots.txt.
    :param respect_ttl: whether to obey the interval that the feed asks for: ``ttl``, ``sy:updatePeriod`` and
        ``Cache-Control``. A ``Retry-After`` is always obeyed.
    :param allow_private_addresses: whether it may redirect to hosts that are not public. The feed's own host may always
        be private.
    :param remember: key of the Variable that keeps the reported entries below Airflow 3.3; by default one made from the
        feed's address.
    :param version: the version of these arguments.
    :raises TypeError: a value is wrong.
    """

    pause = 1.0
    """Seconds between two requests to one host (ours)."""
    clock: Callable[[], float] = time.time
    sleep = staticmethod(asyncio.sleep)

    def __init__(
        self,
        feed_url: str,
        podcast: bool = False,
        poll_interval: float = 60.0,
        lookback: timedelta | float = 86_400.0,
        respect_robots: bool = True,
        respect_ttl: bool = True,
        allow_private_addresses: bool = False,
        remember: str | None = None,
        version: int = VERSION,
        **unknown: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.feed_url = _address(feed_url)
        self.podcast = podcast
        self.poll_interval = _seconds("poll_interval", poll_interval, MIN_INTERVAL)
        seconds = lookback.total_seconds() if isinstance(lookback, timedelta) else lookback
        self.lookback = min(_seconds("lookback", seconds, 0), MAX_LOOKBACK.total_seconds())
        self.respect_robots = respect_robots
        self.respect_ttl = respect_ttl
        self.allow_private_addresses = allow_private_addresses
        self.remember = remember
        self.version = version

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """The class path and the arguments from which the triggerer makes this trigger again."""
        return (
            "airflow_video_creation.triggers.feed.FeedEventTrigger",
            {
                "feed_url": self.feed_url,
                "podcast": self.podcast,
                "poll_interval": self.poll_interval,
                "lookback": self.lookback,
                "respect_robots": self.respect_robots,
                "respect_ttl": self.respect_ttl,
                "allow_private_addresses": self.allow_private_addresses,
                "remember": self.remember,
                "version": self.version,
            },
        )

    def shared_stream_key(self) -> Hashable | None:
        """The same for watchers that poll a feed in the same way."""
        return (
            "airflow_video_creation.feed",
            self.feed_url,
            self.podcast,
            self.poll_interval,
            self.respect_robots,
            self.respect_ttl,
            self.allow_private_addresses,
        )

    @classmethod
    def create_shared_stream_producer(cls, kwargs: dict[str, Any]) -> Any:
        """Polls the feed for all its watchers, and learns when Airflow has stored their events."""
        from .publication.feed_producer import FeedProducer

        return FeedProducer(cls(**kwargs)._settings, cls.clock, cls.sleep)

    @classmethod
    async def open_shared_stream(cls, kwargs: dict[str, Any]) -> AsyncIterator[Any]:
        """Polls the feed where Airflow does not say when it has stored an event."""
        await import_beside_the_loop("triggers.publication.feed_stream")
        from .publication.feed_stream import feed_stream

        async def settled() -> None:
            await cls.sleep(SETTLING)

        settings = cls(**kwargs)._settings
        async for item in feed_stream(settings, settled=settled, clock=cls.clock, sleep=cls.sleep):
            yield item

    async def filter_shared_stream(self, shared_stream: AsyncIterator[Any]) -> AsyncIterator[TriggerEvent]:
        """Fire for what this watcher has not reported yet."""
        await import_beside_the_loop("triggers.publication.teller")
        from ..hooks.articles.memory import feed_variable, within_limit
        from ..provider.articles.selection.memory import digest
        from .publication.teller import Teller
        from .publication.told_store import told_store

        store = told_store(
            getattr(self, "asset_state_store", None),
            key=f"feed_told.{digest(self.feed_url)}",
            variable=within_limit(self.remember or feed_variable(self.feed_url)),
        )
        teller = Teller(self.feed_url, store, timedelta(seconds=self.lookback), self.log)
        async for item in shared_stream:
            for payload in await teller.take(item):
                yield TriggerEvent(payload)  # type: ignore[no-untyped-call]

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Poll the feed for this watcher alone (below Airflow 3.3)."""
        stream = type(self).open_shared_stream(self.serialize()[1])
        async for event in self.filter_shared_stream(stream):
            yield event

    @property
    def _settings(self) -> FeedSettings:
        return FeedSettings(
            feed_url=self.feed_url,
            podcast=self.podcast,
            poll_interval=self.poll_interval,
            respect_robots=self.respect_robots,
            respect_ttl=self.respect_ttl,
            allow_private_addresses=self.allow_private_addresses,
            pause=self.pause,
        )


# TypeError: the only error that a triggerer survives when it makes a stored trigger again.
def _address(feed_url: Any) -> str:
    try:
        return watched_address(feed_url if isinstance(feed_url, str) else "")
    except ValueError as error:
        raise TypeError(f"FeedEventTrigger's feed_url {error}.") from None


def _seconds(name: str, value: Any, least: float) -> float:
    if type(value) not in (int, float) or not least <= value < math.inf:
        raise TypeError(f"FeedEventTrigger's {name} is {value!r}: give seconds, {least:g} or more.")
    return float(value)
