"""Which of many waits polls next, when the budget may be too small for all; pure, with the time passed in.

A wait whose job is known to have ended, since the service called back, polls before all others. Any other wait is up
from the time at which its job is worth a look. Of every four polls

| polls | go to the wait that is up and                                                                      |
|-------|----------------------------------------------------------------------------------------------------|
| two   | whose job was submitted first: a service works through its own queue in that order                 |
| one   | whose look has become worth most: its job is the most likely to have ended meanwhile               |
| one   | has been up longest: so none starves, and each that is up polls within four polls for each wait    |

Worths are compared in classes, each four times the one before; in a class the job submitted first goes first. So a
wait is sorted again only when it may have come into a higher class, and each poll costs a few steps in heaps. While
the budget is large enough, waits poll as they come up, unsorted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf, log
from typing import Any, Generic, Protocol, TypeVar

TURNS = ("submitted first", "worth most", "submitted first", "up longest")
"""To which wait one poll after the other goes; measured in docs/measured/polling.md (ours)."""
CLASSES, CLASS_RATIO = 6, 4.0
"""Classes of worth: less than a look, from one look, from four, from sixteen and so on (ours)."""
HELD_BACK = 1.0
"""Seconds after which a wait that is up counts as held back by the budget; then all that are up are sorted (ours)."""
SORTED_AT_ONCE = 100
"""Waits that one call sorts at most; those left over are sorted by the next calls (ours)."""
SORT_AGAIN = 1.0
"""Seconds until a wait is sorted again, at least (ours)."""

Wait = TypeVar("Wait", bound=Hashable)


class Watched(Protocol):
    """What the queue asks of a job; ``job_durations.JobWatch`` answers it."""

    @property
    def place(self) -> tuple[float, int]:
        """Its place among the others by submission; the first one has the least."""

    def due(self, worth: float = 1.0) -> float:
        """When the job is worth so many looks, in epoch seconds."""

    def worth(self, now: float) -> float:
        """The looks that the job is worth at a time, in epoch seconds."""


@dataclass(slots=True)
class _Entry:
    watched: Watched
    number: int
    at_latest: float
    up_since: float | None = None
    worth_class: int = -1


class PollQueue(Generic[Wait]):
    """The waits of a connection that want to poll (source: ours)."""

    def __init__(self) -> None:
        self._entries: dict[Wait, _Entry] = {}
        self._coming: _Heap[Wait] = _Heap(self._is_queued, self._entries)
        self._up: _Heap[Wait] = _Heap(self._is_queued, self._entries)
        self._by_place: _Heap[Wait] = _Heap(self._is_queued, self._entries)
        self._classes: list[_Heap[Wait]] = [_Heap(self._is_in(n), self._entries) for n in range(CLASSES)]
        self._first: deque[tuple[int, Wait]] = deque()
        self._put = 0
        self._taken = 0

    def __len__(self) -> int:
        """The waits that are in the queue, whether they are up or not."""
        return len(self._entries)

    def put(self, wait: Wait, watched: Watched, *, not_before: float = -inf, at_latest: float = inf) -> float:
        """Queue a wait for its next poll; one that is in the queue already is queued again.

        :param wait: the wait.
        :param watched: its job.
        :param not_before: epoch seconds until which it must not poll.
        :param at_latest: epoch seconds at which it polls before others, however little that is worth, and even if
            ``not_before`` is later.
        :return: epoch seconds from which it is up.
        """
        self._put += 1
        self._entries[wait] = _Entry(watched, self._put, at_latest)
        at = min(max(watched.due(), not_before), at_latest)
        self._coming.push(at, self._put, wait)
        return at

    def put_first(self, wait: Wait, watched: Watched) -> None:
        """Queue a wait before all others: its job is known to have ended.

        :param wait: the wait.
        :param watched: its job.
        """
        self._put += 1
        self._entries[wait] = _Entry(watched, self._put, -inf)
        self._first.append((self._put, wait))

    def discard(self, wait: Wait) -> None:
        """Take a wait out of the queue, if it is in it.

        :param wait: the wait.
        """
        self._entries.pop(wait, None)

    def next_at(self, now: float) -> float:
        """When a wait is up: ``now`` when one is, infinity when the queue is empty.

        :param now: epoch seconds.
        """
        if self._next_first():
            return now
        if self._is_scarce(now):
            self._sort(now)
        return now if self._up.clean() else max(self._coming.least_key(), now)

    def take(self, now: float) -> Wait | None:
        """Take out the wait that polls now; None when none is up.

        :param now: epoch seconds.
        """
        if self._next_first():
            _, wait = self._first.popleft()
            del self._entries[wait]
            return wait
        if not self._is_scarce(now):
            return self._take_next(now)
        self._sort(now)
        if not self._up.clean():
            return None
        turn = TURNS[self._taken % len(TURNS)]
        self._taken += 1
        if turn == "submitted first":
            heap = self._by_place
            heap.clean()
        elif turn == "up longest":
            heap = self._up
        else:
            heap = next(heap for heap in reversed(self._classes) if heap.clean())
        wait = heap.pop()
        del self._entries[wait]
        return wait

    def _next_first(self) -> bool:
        """Whether a wait that goes first is queued; then it is at the front."""
        while self._first and not self._is_queued(*self._first[0]):
            self._first.popleft()
        return bool(self._first)

    def _is_scarce(self, now: float) -> bool:
        """Whether more waits are up than the budget has let poll."""
        return self._up.clean() or self._coming.least_key() < now - HELD_BACK

    def _take_next(self, now: float) -> Wait | None:
        """Take out the wait that has come up first."""
        if self._coming.least_key() > now:
            return None
        wait = self._coming.pop()
        del self._entries[wait]
        return wait

    def _sort(self, now: float) -> None:
        """Bring up the waits that are worth a look, and those that are up into their classes."""
        for _ in range(SORTED_AT_ONCE):
            at = self._coming.least_key()
            if at > now:
                return
            wait = self._coming.pop()
            entry = self._entries[wait]
            if entry.up_since is None:
                entry.up_since = at
                self._up.push(at, entry.number, wait)
                self._by_place.push(entry.watched.place, entry.number, wait)
            worth_class = _worth_class(entry, now)
            if worth_class > entry.worth_class:
                entry.worth_class = worth_class
                self._classes[worth_class].push(entry.watched.place, entry.number, wait)
            if worth_class < CLASSES - 1:
                self._coming.push(_sort_again_at(entry, entry.up_since, now), entry.number, wait)

    def _is_queued(self, number: int, wait: Wait) -> bool:
        entry = self._entries.get(wait)
        return entry is not None and entry.number == number

    def _is_in(self, worth_class: int) -> Callable[[int, Wait], bool]:
        return lambda number, wait: (
            self._is_queued(number, wait) and self._entries[wait].worth_class == worth_class
        )


def _worth_class(entry: _Entry, now: float) -> int:
    if now >= entry.at_latest:
        return CLASSES - 1
    worth = entry.watched.worth(now)
    if worth < 1:
        return 0
    return CLASSES - 1 if worth == inf else min(1 + int(log(worth, CLASS_RATIO)), CLASSES - 1)


def _sort_again_at(entry: _Entry, up_since: float, now: float) -> float:
    """When a wait may be worth the next class; when nobody knows, after as long as it has been up."""
    at = entry.watched.due(CLASS_RATIO**entry.worth_class) if entry.worth_class else now
    if at <= now:
        at = now + now - up_since
    return min(max(at, now + SORT_AGAIN), entry.at_latest)


class _Heap(Generic[Wait]):
    """A heap of waits by a key. What has left the queue, or its class, is dropped at the top, or when it is too much.

    :param lives: whether an item, by its number and wait, still belongs here.
    :param queued: the waits that there are.
    """

    def __init__(self, lives: Callable[[int, Wait], bool], queued: dict[Wait, _Entry]) -> None:
        self._items: list[tuple[Any, int, Wait]] = []
        self._lives = lives
        self._queued = queued

    def push(self, key: Any, number: int, wait: Wait) -> None:
        heappush(self._items, (key, number, wait))
        if len(self._items) > 2 * len(self._queued) + 64:
            self._items = [item for item in self._items if self._lives(item[1], item[2])]
            heapify(self._items)

    def clean(self) -> bool:
        """Whether anything that lives is in it; then that is at the top."""
        items = self._items
        while items and not self._lives(items[0][1], items[0][2]):
            heappop(items)
        return bool(items)

    def least_key(self) -> Any:
        return self._items[0][0] if self.clean() else inf

    def pop(self) -> Wait:
        """Take the top, which lives after ``clean`` or ``least_key``."""
        return heappop(self._items)[2]
