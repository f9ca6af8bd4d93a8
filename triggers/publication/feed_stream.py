"""Polls a feed as long as anybody watches it: one stream of polls for all watchers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

from ...hooks.articles.fetch import without_secrets
from ...hooks.articles.watched_feed import Sight, WatchedFeed
from ...provider.articles.watching.pace import wait_after_answer, wait_after_failure
from ...provider.errors import ArticleUnreachableError, VideoCreationError
from ..event_loop.beside import beside_the_loop
from ..event_loop.one_per_loop import OnePerLoop
from .looks import FeedSettings, Look, Settled, Sleep

LOOKS_AT_ONCE = 16
"""Polls under way at the same time in a triggerer, each in a thread: 200 that begin together block the loop (ours)."""

log = logging.getLogger(__name__)
_turns: OnePerLoop[asyncio.Semaphore] = OnePerLoop()


async def feed_stream(
    settings: FeedSettings,
    *,
    settled: Callable[[], Awaitable[object]],
    clock: Callable[[], float] = time.time,
    sleep: Sleep = asyncio.sleep,
) -> AsyncIterator[Look | Settled]:
    """Poll a feed forever; problems make the waits longer, and are logged once.

    :param settings: which feed to poll, and how.
    :param settled: waits, after a poll, until its events are stored.
    :param clock: epoch seconds.
    :param sleep: waits between two polls.
    """
    feed = WatchedFeed(
        settings.feed_url,
        recordings=settings.podcast,
        respect_robots=settings.respect_robots,
        allow_private_addresses=settings.allow_private_addresses,
        pause=settings.pause,
    )
    told = _Told(without_secrets(settings.feed_url))
    failures = 0
    turn = _turns.get("looks", lambda: asyncio.Semaphore(LOOKS_AT_ONCE))
    try:
        while True:
            try:
                async with turn:
                    sight = await beside_the_loop(feed.look, end=feed.end, name="watched-feed")
            # Any error: Airflow would start a trigger that ends again a second later, forever.
            except Exception as error:
                failures += 1
                later = error.retry_after if isinstance(error, ArticleUnreachableError) else None
                wait = wait_after_failure(settings.poll_interval, failures, later)
                told.failure(error, wait)
            else:
                failures = 0
                wishes = [sight.interval, sight.cached_for] if settings.respect_ttl else []
                wait = wait_after_answer(settings.poll_interval, *wishes)
                told.success(sight, wait)
                yield Look(sight.entries, datetime.fromtimestamp(clock(), UTC))
                await settled()
                yield Settled()
            await sleep(wait)
    finally:
        feed.end()


class _Told:
    """Logs the state of a feed, once for as long as it lasts."""

    def __init__(self, named: str) -> None:
        self._named = named
        self._trouble = ""
        self._wait: float | None = None
        self._moved_to: str | None = None

    def failure(self, error: Exception, wait: float) -> None:
        known = isinstance(error, VideoCreationError)
        trouble = str(error) if known else f"{self._named} could not be read ({type(error).__name__})."
        if trouble != self._trouble:
            log.warning("%s The feed is polled again in %.0f s, and then less often.", trouble, wait)
        self._trouble = trouble

    def success(self, sight: Sight, wait: float) -> None:
        if self._trouble:
            log.info("%s can be read again", self._named)
        self._trouble = ""
        if sight.moved_to and sight.moved_to != self._moved_to:
            log.warning(
                "%s now redirects to %s, which is read instead. If the feed has moved permanently, change feed_url.",
                self._named,
                without_secrets(sight.moved_to),
            )
        self._moved_to = sight.moved_to
        if wait != self._wait:
            log.info(
                "%s is polled every %.0f s. It has %d entries now", self._named, wait, len(sight.entries)
            )
        self._wait = wait
