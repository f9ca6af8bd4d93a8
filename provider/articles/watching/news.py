"""Which entries of a watched feed are news, and the events that tell of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from ..feed import FeedEntry
from ..selection.memory import Memory, Run
from ..selection.new_entries import Shown, look

MAX_EVENT_ENTRIES = 100
"""Entries of one event; more make another event (ours)."""
MAX_EVENT_SIZE = 32_000
"""Characters of JSON of one event, which Airflow keeps in its database (ours)."""
AHEAD = timedelta(hours=14)
"""How far ahead an entry may be dated that counts as published now: a site may take its own time for UTC (ours)."""
SAVE_AGAIN = timedelta(hours=1)
"""How old the last look in a stored memory may become while nothing new is published (ours)."""


@dataclass(frozen=True)
class News:
    """What a look at a feed brings.

    ``entries`` are oldest first. ``memory`` knows them: it must not be stored before they are told. ``waiting`` are
    dated so far in the future that they are news later. ``gap``: what was published between these moments may have
    left the feed unseen.
    """

    entries: tuple[FeedEntry, ...]
    memory: Memory
    waiting: int = 0
    gap: tuple[datetime, datetime | None] | None = None


def news(
    memory: Memory, entries: Sequence[FeedEntry], *, source: str, now: datetime, lookback: timedelta
) -> News:
    """Return what is new in a feed, by the rules that also tell which run gets which article (source: ours).

    What is there at the first look is no news. Later news is what was never there before, dated not longer ago than
    ``lookback`` before the last look, or without a date. What is dated up to ``AHEAD`` in the future counts as
    published now; what is dated later is news when its time has come.

    :param memory: of the looks before.
    :param entries: what the feed shows.
    :param source: tells one feed from another.
    :param now: with a time zone.
    :param lookback: see above.
    """
    first = memory.looked is None
    if memory.looked and memory.looked > now:
        # The clock was wrong then. Kept, it would make what is published until that moment old.
        memory = replace(memory, looked=now)
    found = look(
        memory,
        Shown(source, tuple(_by_now(entry, now) for entry in entries)),
        run=Run(key="watcher", name="watcher", after=now),
        last_success=now if first else None,
        lookback=timedelta(0) if first else lookback,
        limit=len(entries),
    )
    return News(found.chosen, replace(found.memory, records=()), found.later, found.gap)


def _by_now(entry: FeedEntry, now: datetime) -> FeedEntry:
    if entry.published is None or not now <= entry.published < now + AHEAD:
        return entry
    return replace(entry, published=now - timedelta(seconds=1))


def worth_storing(stored: Memory, memory: Memory) -> bool:
    """Whether a memory says more than the stored one (source: ours).

    :param stored: what the store holds.
    :param memory: what is known now.
    """
    if stored.looked is None or memory.looked is None:
        return stored != memory
    if abs(memory.looked - stored.looked) >= SAVE_AGAIN or stored.source != memory.source:
        return True
    return stored.known != memory.known and set(stored.known) != set(memory.known)


def event_payloads(feed: str, entries: Iterable[FeedEntry]) -> Iterator[dict[str, Any]]:
    """Return the payloads of the events that tell of entries; no entry is in none or in two (source: ours).

    :param feed: its address, as it may be shown.
    :param entries: oldest first.
    """
    told: list[dict[str, str]] = []
    size = 0
    for entry in entries:
        values = {"id": entry.guid or entry.url, "url": entry.url, "title": entry.title}
        length = len(json.dumps(values))
        if told and (len(told) == MAX_EVENT_ENTRIES or size + length > MAX_EVENT_SIZE):
            yield {"feed_url": feed, "entries": told}
            told, size = [], 0
        told.append(values)
        size += length
    if told:
        yield {"feed_url": feed, "entries": told}
