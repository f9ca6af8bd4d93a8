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
SAVE_AGAIN = timedelta(hours=1)
"""How old the last look in a stored memory may become while nothing new is published (ours)."""


@dataclass(frozen=True)
class News:
    """What a look at a feed brings.

    ``entries`` are oldest first. ``memory`` knows them: it must not be stored before they are told. ``gap``: what was
    published between these moments may have left the feed unseen.
    """

    entries: tuple[FeedEntry, ...]
    memory: Memory
    gap: tuple[datetime, datetime | None] | None = None


def news(
    memory: Memory, entries: Sequence[FeedEntry], *, source: str, now: datetime, lookback: timedelta
) -> News:
    """Return what is new in a feed, by the rules that also tell which run gets which article (source: ours).

    What is there at the first look is no news. Later news is what was never there before, dated not longer ago than
    ``lookback`` before the last look, or without a date. What is dated in the future is news when its time has come.

    :param memory: of the looks before.
    :param entries: what the feed shows.
    :param source: tells one feed from another.
    :param now: with a time zone.
    :param lookback: see above.
    """
    first = memory.looked is None
    found = look(
        memory,
        Shown(source, tuple(entries)),
        run=Run(key="watcher", name="watcher", after=now),
        last_success=now if first else None,
        lookback=timedelta(0) if first else lookback,
        limit=len(entries),
    )
    return News(found.chosen, replace(found.memory, records=()), found.gap)


def worth_storing(stored: Memory, memory: Memory) -> bool:
    """Whether a memory says more than the stored one (source: ours).

    :param stored: what the store holds.
    :param memory: what is known now.
    """
    if stored.looked is None or memory.looked is None:
        return stored != memory
    old = memory.looked - stored.looked >= SAVE_AGAIN
    return old or set(stored.known) != set(memory.known) or stored.source != memory.source


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
