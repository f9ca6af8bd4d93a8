"""One job after the other: what each way of polling costs, and how late it notices the ends.

Everything happens in simulated time and by a seeded chance, so a run gives the same figures on every machine.
"""

# ruff: noqa: S311 - simulated chance, nothing secret
from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from airflow_video_creation.provider.waiting.job_durations import JobDurations

MEDIAN = 300.0
"""Seconds within which half of the jobs end."""
Progress = Callable[[float], float | None]
"""What a job reports after a share of its duration, in percent."""


@dataclass(frozen=True)
class Cost:
    """What some jobs cost: the polls of each, and the seconds from each one's end until it was noticed."""

    polls: list[int]
    delays: list[float]

    @property
    def polls_a_job(self) -> float:
        """Polls, on average."""
        return sum(self.polls) / len(self.polls)

    @property
    def delay(self) -> float:
        """Seconds, on average."""
        return sum(self.delays) / len(self.delays)

    @property
    def product(self) -> float:
        """Polls a job x mean delay: more of the one buys less of the other, and this hardly changes."""
        return self.polls_a_job * self.delay


def durations(count: int, sigma: float, chance: random.Random) -> list[float]:
    """Log-normal durations in seconds."""
    return [MEDIAN * math.exp(chance.gauss(0, sigma)) for _ in range(count)]


def fixed(jobs: list[float], polls_a_job: float) -> Cost:
    """A fixed interval that costs as many polls."""
    interval = sum(jobs) / len(jobs) / (polls_a_job - 0.5)
    return at_ages(jobs, [interval * n for n in range(1, int(max(jobs) / interval) + 2)])


def at_ages(jobs: list[float], ages: list[float]) -> Cost:
    """Polls at given ages, and then at double the last age, again and again."""
    polls, delays = [], []
    for job in jobs:
        place = bisect_left(ages, job)
        age = ages[place] if place < len(ages) else ages[-1] * 2 ** math.ceil(math.log2(job / ages[-1]))
        polls.append(place + 1)
        delays.append(age - job)
    return Cost(polls, delays)


def learned(
    jobs: list[float],
    known: JobDurations,
    progress: Callable[[random.Random], Progress] | None = None,
    chance: random.Random | None = None,
) -> Cost:
    """Our schedule, which keeps learning."""
    polls, delays, now = [], [], 0.0
    for job in jobs:
        ends_at = now + job
        watch, count = known.watch(now), 0
        reported = progress(chance or random.Random(0)) if progress else None
        began = now
        while True:
            now = watch.due()
            count += 1
            if now >= ends_at:
                break
            watch.running(now, reported((now - began) / job) if reported else None)
        watch.ended(now)
        polls.append(count)
        delays.append(now - ends_at)
    return Cost(polls, delays)


def oracle(sigma: float, polls_a_job: float, grid: int = 240) -> list[float]:
    """The best ages to poll at, for one who knows the distribution: dynamic programming over a grid of ages.

    Between two points of the grid each age is then moved to where it is best: the grid alone is a few per cent off.

    :param sigma: of the log-normal durations.
    :param polls_a_job: what it may cost.
    """
    first, last = math.exp(-3.5 * sigma), math.exp(4.5 * sigma)
    ages = [0.0] + [first + (last - first) * n / (grid - 1) for n in range(grid)]
    below = [_below(age, sigma) for age in ages]
    means = [math.exp(sigma**2 / 2) * _below(age * math.exp(-(sigma**2)), sigma) for age in ages]
    cheap, dear = 1e-5, 1.0
    for _ in range(16):
        price = math.sqrt(cheap * dear)
        chosen = _between_the_grid(_best_ages(ages, below, means, price), price, sigma)
        polls = 1 + sum(1 - _below(age, sigma) for age in chosen)
        cheap, dear = (price, dear) if polls > polls_a_job else (cheap, price)
    return [age * MEDIAN for age in chosen]


def _between_the_grid(chosen: list[float], price: float, sigma: float) -> list[float]:
    for _ in range(60):
        around = [0.0, *chosen]
        for n in range(1, len(around) - 1):
            before, after = around[n - 1], around[n + 1]

            def cost(age: float, before: float = before, after: float = after) -> float:
                """All that depends on this age: the poll after it, and the delays on both sides of it."""
                here = _below(age, sigma)
                return price * (1 - here) + age * (here - _below(before, sigma)) - after * here

            low, high = before, after
            for _ in range(18):
                left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
                low, high = (low, right) if cost(left) < cost(right) else (left, high)
            around[n] = (low + high) / 2
        chosen = around[1:]
    return chosen


def _best_ages(ages: list[float], below: list[float], means: list[float], price: float) -> list[float]:
    count = len(ages)
    cost, following = [0.0] * count, [count - 1] * count
    for here in range(count - 2, -1, -1):
        left = 1 - below[here]
        cost[here], following[here] = min(
            (
                price * left
                + ages[there] * (below[there] - below[here])
                - (means[there] - means[here])
                + cost[there],
                there,
            )
            for there in range(here + 1, count)
        )
    chosen, here = [], 0
    while here < count - 1:
        here = following[here]
        chosen.append(ages[here])
    return chosen


def _below(age: float, sigma: float) -> float:
    """The share of the jobs that have ended by an age, in medians."""
    return (1 + math.erf(math.log(age) / sigma / math.sqrt(2))) / 2 if age > 0 else 0.0


def _percent(value: float) -> float:
    return float(min(max(round(value), 0), 99))


def noisy(chance: random.Random) -> Progress:
    """Each report is off by up to a tenth of itself."""
    return lambda share: _percent(100 * share * chance.uniform(0.9, 1.1))


def skewed(chance: random.Random) -> Progress:
    """All reports of a job are off by the same, up to a tenth."""
    factor = chance.uniform(0.9, 1.1)
    return lambda share: _percent(100 * share * factor)


def off_by_points(chance: random.Random) -> Progress:
    """Each report is off by up to ten points."""
    return lambda share: _percent(100 * share + chance.uniform(-10, 10))


def stuck_at_once(chance: random.Random) -> Progress:
    """It says 99 % from the first poll to the end."""
    return lambda share: 99.0


def stuck_midway(chance: random.Random) -> Progress:
    """It runs ahead, and says 99 % from somewhere between a third and three quarters of the job on."""
    factor = chance.uniform(1.3, 3)
    return lambda share: _percent(100 * share * factor)


def stuck_sometimes(chance: random.Random) -> Progress:
    """Every seventh job is stuck midway, the others are noisy."""
    return stuck_midway(chance) if chance.random() < 1 / 7 else noisy(chance)
