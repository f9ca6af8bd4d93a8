"""Which entries of a watched feed are news, and the events that report them."""

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
"""The most entries in one event; more make another event (ours)."""
MAX_EVENT_SIZE = 32_000
"""The most characters of JSON in one event, which Airflow keeps in its database (ours)."""
AHEAD = timedelta(hours=14)
"""How far in the future an entry may be dated and still count as published now: a site may mistake its local time for
UTC (ours)."""
SAVE_AGAIN = timedelta(hours=1)
"""How old the last poll in a stored memory may become while nothing new is published (ours)."""


@dataclass(frozen=True)
class News:
    """The result of polling a feed.

    ``entries`` are oldest first. ``memory`` knows them: it must not be stored before they are reported. ``waiting`` are
    dated so far in the future that they become news later. ``gap``: what was published between these moments may have
    left the feed unseen.
    """

    entries: tuple[FeedEntry, ...]
    memory: Memory
    waiting: int = 0
    gap: tuple[datetime, datetime | None] | None = None


def news(
    memory: Memory, entries: Sequence[FeedEntry], *, source: str, now: datetime, lookback: timedelta
) -> News:
    """Return what is new in a feed, by the same rules that decide which run gets which article (source: ours).

    Entries that are there at the first poll are not news. After that, an entry is news if it was never there before and
    is dated at most ``lookback`` before the last poll, or has no date. An entry dated up to ``AHEAD`` in the future
    counts as published now; one dated later becomes news at that time.

    :param memory: the memory of earlier polls.
    :param entries: what the feed shows.
    :param source: identifies the feed.
    :param now: with a time zone.
    :param lookback: see above.
    """
    first = memory.looked is None
    if memory.looked and memory.looked > now:
        # The clock was wrong then. If kept, it would make everything published until that moment old.
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
    """Return the payloads of the events that report entries; each entry is in exactly one (source: ours).

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
