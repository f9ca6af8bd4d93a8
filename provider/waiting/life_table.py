"""When jobs end, as a life table: how many were watched through each stretch of time, and how many ended in it.

A job that still runs counts in every stretch through which it has been seen to run: otherwise the table would learn
from the early finishers alone. The model is explained in docs/measured/polling.md.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import exp, log2, sqrt

HALF_LIFE = 300.0
"""Ended jobs after which older knowledge counts half (ours)."""
NEW_SHARE, NEW_LOOKS = 0.1, 20
"""The curves are drawn again after this share of new ends, or of new looks and at least so many (ours)."""
GUESSED_JOBS, GUESSED_HAZARD = 0.02, 0.1
"""Every stretch begins as if so many jobs had been watched through it, and this share of them had ended (ours)."""
MAX_HAZARD = 3.0
"""In one stretch; the jobs that end where hardly any was watched would have an endless one (ours)."""


class LifeTable:
    """The ends of jobs over time, which is cut into stretches of equal ratio (source: ours, after the actuaries).

    Memory is fixed, and taking in a look does not depend on how long the job ran.

    :param least: seconds at which the first stretch begins; what ends sooner counts in it.
    :param octaves: how many times the time doubles until the last stretch ends.
    :param stretches: in an octave.
    """

    def __init__(self, least: float, octaves: int, stretches: int) -> None:
        self.ends = 0.0
        """Ended jobs that the table knows, the older ones counted less."""
        self.looks_a_job = 0.0
        """``looks_until`` at the end of a job, on average."""
        count = octaves * stretches
        self._edges = [least * 2 ** (place / stretches) for place in range(count + 1)]
        self._log_least, self._stretches = log2(least), stretches
        self._first, self._last = least * 1.0000001, self._edges[-1] * 0.9999999
        # What a look adds to the jobs watched in each stretch stands as differences from one stretch to the next.
        self._watched_steps = [0.0] * (count + 2)
        self._ended = [0.0] * count
        self._new_looks, self._new_ends = 0, 0
        self._looks_known = 0.0
        self._looks: list[float] = []
        self._risk: list[float] = []
        self.learn()

    def add(self, since: float, until: float, *, ended: bool) -> None:
        """Take in a look; an end is counted in the middle of the time in which it must have been.

        :param since: when the job was last known to run.
        :param until: the time of the look.
        :param ended: whether the job had ended.
        """
        begin = self._place(since)
        end = self._place((since + until) / 2 if ended else until)
        first, last = int(begin), int(end)
        steps = self._watched_steps
        steps[first] += 1 - begin + first
        steps[first + 1] += begin - first
        steps[last] += end - last - 1
        steps[last + 1] -= end - last
        if ended:
            self._ended[last] += 1
            self._new_ends += 1
        self._new_looks += 1
        if self._new_ends > NEW_SHARE * self.ends or (
            self.ends and self._new_looks > max(NEW_SHARE * self._looks_known, NEW_LOOKS)
        ):
            self.learn()

    def learn(self) -> None:
        """Draw the curves again from what was taken in, and let old knowledge fade."""
        fade = 0.5 ** (self._new_ends / HALF_LIFE)
        self.ends = (self.ends + self._new_ends) * fade
        self._looks_known = (self._looks_known + self._new_looks) * fade
        self._new_looks, self._new_ends = 0, 0
        self._ended = [jobs * fade for jobs in self._ended]
        self._watched_steps = [jobs * fade for jobs in self._watched_steps]
        passes = round(40 / max(self.ends, 1.0) ** 0.6)
        ended = _smooth(self._ended, passes)
        watched = _smooth(list(accumulate(self._watched_steps[:-2])), passes)
        looks, risk, mean = 0.0, 0.0, 0.0
        self._looks, self._risk = [0.0], [0.0]
        for place, (ends, jobs) in enumerate(zip(ended, watched, strict=True)):
            hazard = (ends + GUESSED_JOBS * GUESSED_HAZARD) / (max(jobs, ends / MAX_HAZARD) + GUESSED_JOBS)
            step = sqrt(hazard * (self._edges[place + 1] - self._edges[place]))
            mean += step * exp(-risk - hazard / 2)
            looks += step
            risk += hazard
            self._looks.append(looks)
            self._risk.append(risk)
        self.looks_a_job = mean

    def looks_until(self, time: float) -> float:
        """The looks that are worth their cost from 0 until a time, but for a factor: the integral of sqrt(hazard).

        :param time: seconds.
        """
        return self._at(self._looks, time)

    def risk_until(self, time: float) -> float:
        """The integral of the hazard from 0 until a time: a job survives it with the probability ``exp(-risk)``.

        :param time: seconds.
        """
        return self._at(self._risk, time)

    def time_of(self, looks: float) -> float:
        """The time at which ``looks_until`` comes to a value; the end of the table, when it never does.

        :param looks: the value.
        """
        place = min(max(bisect_right(self._looks, looks) - 1, 0), len(self._ended) - 1)
        share = (looks - self._looks[place]) / (self._looks[place + 1] - self._looks[place])
        return self._edges[place] + min(share, 1.0) * (self._edges[place + 1] - self._edges[place])

    def _place(self, time: float) -> float:
        """The stretch of a time, and as the fraction how much of it is over."""
        return (log2(min(max(time, self._first), self._last)) - self._log_least) * self._stretches

    def _at(self, curve: list[float], time: float) -> float:
        place = self._place(time)
        below = int(place)
        return curve[below] + (curve[below + 1] - curve[below]) * (place - below)


def _smooth(values: list[float], passes: int) -> list[float]:
    """Spread each value over its neighbours, the more the fewer jobs have ended."""
    for _ in range(passes):
        left, right = [values[0], *values[:-1]], [*values[1:], values[-1]]
        values = [(a + 2 * b + c) / 4 for a, b, c in zip(left, values, right, strict=True)]
    return values
