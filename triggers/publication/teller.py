"""Reports each entry of a feed once: which entries of a poll are news, and when they count as reported."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol

from ...hooks.articles.fetch import without_secrets
from ...provider.articles.feed import FeedEntry
from ...provider.articles.selection.memory import Memory, digest
from ...provider.articles.watching.news import News, event_payloads, news, worth_storing
from ...provider.errors import ArticleMemoryError
from .looks import Look, Settled


class ToldStore(Protocol):
    """What keeps it."""

    async def load(self) -> Memory:
        """Return what was reported."""

    async def save(self, memory: Memory) -> None:
        """Replace it."""


class Teller:
    """One watcher's news, and its memory (source: ours).

    The memory is stored after the events, never before: a triggerer that dies in between reports these entries again,
    and none is lost. While it lives, it also remembers them itself.

    :param feed_url: of the feed.
    :param store: keeps what was reported.
    :param lookback: see ``provider.articles.watching.news.news``.
    :param log: of the trigger.
    """

    def __init__(self, feed_url: str, store: ToldStore, lookback: timedelta, log: Any) -> None:
        self._named = without_secrets(feed_url)
        self._source = digest(feed_url)
        self._store = store
        self._lookback = lookback
        self._log = log
        self._stored: Memory | None = None
        self._memory = Memory()
        self._shown: Sequence[FeedEntry] | None = None
        self._trouble = ""

    async def take(self, item: Look | Settled) -> Sequence[dict[str, Any]]:
        """Return the payloads of the events to fire now.

        :param item: an item of the feed's stream.
        """
        if isinstance(item, Look):
            return await self._news(item) if await self._knows() else ()
        await self._settle()
        return ()

    async def _knows(self) -> bool:
        """Whether it is known what was reported."""
        if self._stored is None:
            try:
                self._memory = self._stored = await self._store.load()
            except ArticleMemoryError as error:
                self._warn_once(
                    "New entries of %s cannot be reported now, since those already reported are not known. %s",
                    error,
                )
                return False
        return True

    async def _news(self, item: Look) -> Sequence[dict[str, Any]]:
        if item.entries is self._shown:
            self._memory = replace(self._memory, looked=item.at)
            return ()
        first = self._memory.looked is None
        # Thousands of entries take a good part of a second.
        found, payloads = await asyncio.to_thread(self._found, item)
        self._memory = found.memory
        # An entry dated in the future becomes news although the feed does not change.
        self._shown = None if found.waiting else item.entries
        if first:
            self._log.info(
                "First poll of %s: its %d entries do not count as new. Entries that appear from now on do",
                self._named,
                len(item.entries),
            )
        if found.gap:
            self._log.warning(
                "No entry of %s goes back to the last poll, at %s: others may have left the feed unseen",
                self._named,
                found.gap[0].isoformat(),
            )
        if found.entries:
            self._log.info("New entries in %s: %d", self._named, len(found.entries))
        return payloads

    def _found(self, item: Look) -> tuple[News, list[dict[str, Any]]]:
        found = news(self._memory, item.entries, source=self._source, now=item.at, lookback=self._lookback)
        return found, list(event_payloads(self._named, found.entries))

    async def _settle(self) -> None:
        if self._stored is None or not worth_storing(self._stored, self._memory):
            return
        try:
            await self._store.save(self._memory)
        except ArticleMemoryError as error:
            self._warn_once(
                "New entries of %s are reported, but which ones cannot be stored. If the triggerer restarts, they are "
                "reported again. %s",
                error,
            )
            return
        self._stored = self._memory
        self._trouble = ""

    def _warn_once(self, message: str, error: ArticleMemoryError) -> None:
        if str(error) != self._trouble:
            self._log.warning(message, self._named, error)
        self._trouble = str(error)
