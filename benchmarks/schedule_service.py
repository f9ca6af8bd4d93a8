"""Many jobs at once at a service that works through them in order, and answers 429 beyond its limit.

Everything happens in simulated time and by a seeded chance, so a run gives the same figures on every machine.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from airflow_video_creation.provider.waiting.job_durations import POLLS_A_JOB, JobDurations, JobWatch
from airflow_video_creation.provider.waiting.poll_queue import PollQueue
from airflow_video_creation.provider.waiting.request_budget import RequestBudget

ON_THE_WAY = 0.2
"""The most seconds that a request takes to the service."""


class Limit(Protocol):
    """How a service counts requests."""

    def refuses(self, now: float) -> float | None:
        """None when a request is let through, else the seconds of ``Retry-After``."""


class FixedWindows:
    """Counts again in every minute of the clock."""

    def __init__(self, requests: int) -> None:
        self._requests, self._window, self._count = requests, -1, 0

    def refuses(self, now: float) -> float | None:
        """As ``Limit`` says."""
        window = int((now + 17) // 60)
        if window != self._window:
            self._window, self._count = window, 0
        self._count += 1
        return None if self._count <= self._requests else (window + 1) * 60 - 17 - now


class SlidingWindow:
    """Counts the requests of the last minute."""

    def __init__(self, requests: int) -> None:
        self._requests, self._let_through = requests, deque[float]()

    def refuses(self, now: float) -> float | None:
        """As ``Limit`` says."""
        while self._let_through and self._let_through[0] <= now - 60:
            self._let_through.popleft()
        if len(self._let_through) < self._requests:
            self._let_through.append(now)
            return None
        return self._let_through[0] + 60 - now


class Bucket:
    """A token bucket with room for a few."""

    def __init__(self, requests: int, burst: int = 5) -> None:
        self._rate, self._burst, self._tokens, self._at = requests / 60, burst, float(burst), 0.0

    def refuses(self, now: float) -> float | None:
        """As ``Limit`` says."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return None
        return (1 - self._tokens) / self._rate


@dataclass
class Night:
    """How many jobs went: when each ended and was noticed, and how each request was answered."""

    ends: list[float]
    noticed: dict[int, float] = field(default_factory=dict)
    asked: list[float] = field(default_factory=list)
    refused: int = 0

    @property
    def delays(self) -> list[float]:
        """Seconds from each job's end until it was noticed."""
        return [self.noticed[job] - end for job, end in enumerate(self.ends)]

    @property
    def delay(self) -> float:
        """The mean of the delays."""
        return sum(self.delays) / len(self.ends)


def ends_in_order(jobs: int, seconds: float, chance: random.Random, slots: int = 20) -> list[float]:
    """When jobs end that are all submitted at once, and run in order, some at a time."""
    free = [0.0] * slots
    ends = []
    for _ in range(jobs):
        end = heapq.heappop(free) + seconds * math.exp(chance.gauss(0, 0.3))
        heapq.heappush(free, end)
        ends.append(end)
    return ends


def ours(ends: list[float], limit: Limit, chance: random.Random, polls_a_job: float = POLLS_A_JOB) -> Night:
    """Our budget, schedule and queue."""
    night, known, queue = Night(ends), JobDurations(polls_a_job), PollQueue[int]()
    watches: list[JobWatch] = [known.watch(0.0) for _ in ends]
    for number, watch in enumerate(watches):
        queue.put(number, watch)
    requests = _requests(night, limit, chance)
    now, budget = 0.0, RequestBudget(60)
    while len(queue):
        if (at := max(budget.next_at(now), queue.next_at(now))) > now:
            now = at
            continue
        job = queue.take(now)
        assert job is not None
        budget.take(now)
        refused = requests(now)
        if refused is not None:
            budget.limited(now, refused)
            queue.put(job, watches[job])
        elif now >= ends[job]:
            watches[job].ended(now)
            night.noticed[job] = now
        else:
            watches[job].running(now)
            queue.put(job, watches[job])
    return night


def round_robin(ends: list[float], limit: Limit, chance: random.Random) -> Night:
    """One wait after another, as fast as the same budget allows."""
    night, waiting = Night(ends), deque(range(len(ends)))
    requests = _requests(night, limit, chance)
    now, budget = 0.0, RequestBudget(60)
    while waiting:
        now = budget.next_at(now)
        budget.take(now)
        job = waiting.popleft()
        refused = requests(now)
        if refused is not None:
            budget.limited(now, refused)
            waiting.appendleft(job)
        elif now >= ends[job]:
            night.noticed[job] = now
        else:
            waiting.append(job)
    return night


def _requests(night: Night, limit: Limit, chance: random.Random) -> Callable[[float], float | None]:
    def send(now: float) -> float | None:
        night.asked.append(now)
        refused = limit.refuses(now + chance.uniform(0, ON_THE_WAY))
        night.refused += refused is not None
        return None if refused is None else float(math.ceil(refused))

    return send


@dataclass
class Shared:
    """What several processes got out of one service's limit."""

    let_through: list[int]
    refused: int

    @property
    def fairness(self) -> float:
        """Jain's index: 1 when all got the same, 1/n when one got all."""
        return sum(self.let_through) ** 2 / (
            len(self.let_through) * sum(count**2 for count in self.let_through)
        )


def share(limit: Limit, processes: int, minutes: float, chance: random.Random, budget: float = 60) -> Shared:
    """Processes that do not know each other, each with more to send than it may."""
    budgets = [RequestBudget(budget) for _ in range(processes)]
    shared = Shared([0] * processes, 0)
    wakes = [(chance.uniform(0, 5), process) for process in range(processes)]
    heapq.heapify(wakes)
    while wakes[0][0] < minutes * 60:
        now, process = heapq.heappop(wakes)
        at = budgets[process].next_at(now)
        if at <= now:
            budgets[process].take(now)
            refused = limit.refuses(now)
            if refused is None:
                shared.let_through[process] += 1
            else:
                shared.refused += 1
                budgets[process].limited(now, math.ceil(refused))
        heapq.heappush(wakes, (max(at, now + 0.001), process))
    return shared


def limits() -> Iterator[tuple[str, Limit]]:
    """The ways of counting, each of 60 requests a minute."""
    yield "fixed windows", FixedWindows(60)
    yield "sliding window", SlidingWindow(60)
    yield "bucket of 5", Bucket(60)
