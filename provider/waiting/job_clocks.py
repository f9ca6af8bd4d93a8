"""Three ways of predicting when a job ends, and how far each can be trusted.

| clock | predicts that the job ends                                                              |
|----------|------------------------------------------------------------------------------------------|
| age      | as the others of its kind: at any number of seconds, as often as those did               |
| progress | when its progress is 100 %, if it goes on as it did since the submission                 |
| place    | when the jobs submitted before it and itself are done, at the pace of those that ended   |

Each has a life table of how far jobs really came, as a share of what it foretold. See docs/measured/polling.md.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from math import expm1, log

from .life_table import LifeTable

SCORE_FADE = 0.998
"""What a clock's score keeps from one look to the next (ours)."""
MIN_LOG_LIKELIHOOD = -3.0
"""What a single look can say against a clock, at most (ours)."""
REPLAY_GAIN = 0.05
"""The share of each ended job in what is known of a clock's replay (ours)."""
LINE_MEMORY = 32
"""Ended jobs of which the pace of a line is taken (ours)."""


class Clock:
    """One way of foretelling the ends of one kind of job (source: ours).

    :param table: over the job's time as a share of the end that was foretold.
    """

    def __init__(self, table: LifeTable) -> None:
        self.table = table
        self.score = 0.0
        """By how much this clock has recently predicted the polls better than the age did; see ``gain``."""
        self.replay = 1.0
        """How often a job passes the same time on this clock, since what is foretold changes as it runs."""

    def gain(self, log_likelihood: float) -> None:
        """Take in how much likelier than the age this clock held what a look found.

        The score never goes below 0, so that a clock which begins to foretell well is believed soon.

        :param log_likelihood: of this clock less that of the age.
        """
        self.score = max(self.score * SCORE_FADE + log_likelihood, 0.0)

    def log_likelihood(self, since: float, until: float, *, ended: bool) -> float:
        """How likely this clock held what a look found, before it was found.

        :param since: when the job was known to run.
        :param until: the time of the look.
        :param ended: whether the job had ended.
        """
        risk = self.table.risk_until(until) - self.table.risk_until(since)
        if ended:
            return max(log(-expm1(-risk)), MIN_LOG_LIKELIHOOD) if risk > 0 else MIN_LOG_LIKELIHOOD
        return max(-risk, MIN_LOG_LIKELIHOOD)


class Line:
    """The waiting jobs of one kind in the order of their submission, and the pace at which they end (source: ours)."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int]] = []
        self._ended_at: deque[float] = deque(maxlen=LINE_MEMORY + 1)
        self._joined = 0

    def join(self, submitted_at: float, now: float) -> tuple[float, int]:
        """Take a place in the line.

        :param submitted_at: epoch seconds of the submission.
        :param now: epoch seconds.
        :return: the place.
        """
        if not self._waiting:
            self._ended_at.clear()
            self._ended_at.append(now)
        self._joined += 1
        place = (submitted_at, self._joined)
        insort(self._waiting, place)
        return place

    def leave(self, place: tuple[float, int], ended_at: float | None = None) -> None:
        """Give up a place; one that was given up already is no longer there.

        :param place: from ``join``.
        :param ended_at: epoch seconds at which the job was found ended; None when it was not.
        """
        index = bisect_left(self._waiting, place)
        if index < len(self._waiting) and self._waiting[index] == place:
            del self._waiting[index]
            if ended_at is not None:
                self._ended_at.append(ended_at)

    def seconds_until_done(self, place: tuple[float, int], now: float) -> float | None:
        """How long the jobs before a place and its own take, at the pace of those that ended last.

        :param place: from ``join``.
        :param now: epoch seconds.
        :return: None when none has ended.
        """
        ended = len(self._ended_at) - 1
        if ended < 1 or now <= self._ended_at[0]:
            return None
        return (bisect_left(self._waiting, place) + 1) * (now - self._ended_at[0]) / ended


class Kind:
    """What is known of one kind of job (source: ours)."""

    def __init__(self) -> None:
        # By age: seconds, from an eighth to 36 h. The others: shares of the foretold end, from 1/64 to 64.
        self.age = Clock(LifeTable(0.125, octaves=20, stretches=8))
        self.progress = Clock(LifeTable(1 / 64, octaves=12, stretches=16))
        self.place = Clock(LifeTable(1 / 64, octaves=12, stretches=16))
        self.line = Line()
