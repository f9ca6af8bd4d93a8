"""Tells each entry of a feed once: what of a look is news, and when it counts as told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Protocol

from ...hooks.articles.fetch import without_secrets
from ...provider.articles.selection.memory import Memory, digest
from ...provider.articles.watching.news import event_payloads, news, worth_storing
from ...provider.errors import ArticleMemoryError
from .looks import Look, Settled


class ToldStore(Protocol):
    """What keeps it."""

    async def load(self) -> Memory:
        """Return what was told."""

    async def save(self, memory: Memory) -> None:
        """Replace it."""


class Teller:
    """One watcher's news, and its memory (source: ours).

    The memory is stored after the events are, never before: a triggerer that dies between the two tells these entries
    again, and none is lost. Until it dies it remembers by itself.

    :param feed_url: of the feed.
    :param store: keeps what was told.
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
        self._trouble = ""

    async def take(self, item: Look | Settled) -> Iterator[dict[str, Any]]:
        """Return the payloads of the events to fire now.

        :param item: of the feed's stream.
        """
        try:
            if isinstance(item, Look):
                return await self._news(item)
            await self._settle()
        except ArticleMemoryError as error:
            if str(error) != self._trouble:
                self._log.warning("Nothing of %s can be told or remembered now. %s", self._named, error)
            self._trouble = str(error)
        else:
            self._trouble = ""
        return iter(())

    async def _news(self, item: Look) -> Iterator[dict[str, Any]]:
        if self._stored is None:
            self._memory = self._stored = await self._store.load()
        first = self._memory.looked is None
        found = news(self._memory, item.entries, source=self._source, now=item.at, lookback=self._lookback)
        self._memory = found.memory
        if first:
            self._log.info(
                "First look at %s: what is in it now is no news, what comes is (entries now: %d)",
                self._named,
                len(item.entries),
            )
        if found.gap:
            self._log.warning(
                "Nothing in %s reaches back to the last look, at %s: entries may have left it unseen",
                self._named,
                found.gap[0].isoformat(),
            )
        if found.entries:
            self._log.info("New entries in %s: %d", self._named, len(found.entries))
        return event_payloads(self._named, found.entries)

    async def _settle(self) -> None:
        if self._stored is not None and worth_storing(self._stored, self._memory):
            await self._store.save(self._memory)
            self._stored = self._memory
