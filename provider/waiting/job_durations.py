"""What the jobs of a connection show about those that still run, and so when each is worth its next poll.

Pure, with the time passed in. The model is explained in docs/measured/polling.md.
"""

from __future__ import annotations

from collections import defaultdict
from math import inf

from ..errors import ConfigurationError
from .job_clocks import REPLAY_GAIN, Clock, Kind
from .schedule import PollSchedule

POLLS_A_JOB = 8.0
"""Polls that a job costs on average, once durations are known; twice as many halve the delay (ours)."""
COLD_INTERVAL, COLD_JOBS = 10.0, 5
"""Seconds between two polls of a job until so many of its kind have ended; the first comes after half of it (ours)."""
MIN_INTERVAL, MAX_INTERVAL = 1.0, 600.0
"""Seconds between two polls of a job, at least and at most, however sure the model is (ours)."""
MARGIN = 5.0
"""The score from which a clock is believed instead of the age (ours)."""


class JobDurations:
    """What is known of the durations of a connection's jobs, by kind (source: ours).

    :param polls_a_job: polls that a job costs on average.
    :raises ConfigurationError: the polls are not above 1.
    """

    def __init__(self, polls_a_job: float = POLLS_A_JOB) -> None:
        if not 1 < polls_a_job < inf:
            raise ConfigurationError(f"polls_a_job must be above 1, not {polls_a_job!r}: 5 to 10 serve well.")
        self.polls_a_job = polls_a_job
        self._kinds: defaultdict[str, Kind] = defaultdict(Kind)

    def watch(
        self, now: float, *, kind: str = "", submitted_at: float | None = None, interval: float | None = None
    ) -> JobWatch:
        """Begin to watch a job.

        :param now: epoch seconds.
        :param kind: jobs of one kind take alike; empty when it is not known.
        :param submitted_at: epoch seconds of the submission; ``now`` when None.
        :param interval: seconds; sets a plain fixed interval, from now on, instead of the learned schedule; its looks
            teach too.
        :raises ConfigurationError: the interval is not above 0.
        """
        submitted_at = now if submitted_at is None else min(submitted_at, now)
        fixed = PollSchedule(interval).fixed_interval
        return JobWatch(self._kinds[kind], now, submitted_at, self.polls_a_job, fixed)


class _Forecast:
    """What one clock foretells of one job."""

    __slots__ = ("clock", "end", "passed")

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.end: float | None = None
        """The age in seconds at which the job would end; None while nothing is foretold."""
        self.passed = 0.0
        """What the clock has gone through since the submission, in the worth of a job's usual looks."""


class JobWatch:
    """A job that is waited for: when it was last looked at, and what is foretold of it (source: ours).

    Made by ``JobDurations.watch``; ends with ``ended`` or ``leave``.
    """

    __slots__ = (
        "_age",
        "_alive",
        "_by_place",
        "_by_progress",
        "_interval",
        "_kind",
        "_looked_at",
        "_percent",
        "_polls",
        "place",
        "submitted_at",
    )

    def __init__(
        self, kind: Kind, now: float, submitted_at: float, polls_a_job: float, interval: float | None
    ) -> None:
        self.submitted_at = submitted_at
        self.place = kind.line.join(submitted_at, now)
        self._kind = kind
        self._polls = polls_a_job
        self._interval = interval
        self._looked_at = now
        self._age = 0.0
        # A job of some age may have ended long ago: its first look comes as soon as it can, and teaches nothing.
        # So it does with a fixed interval, which has always begun with a look.
        self._alive = interval is None and now - submitted_at <= COLD_INTERVAL
        self._percent: float | None = None
        self._by_progress = _Forecast(kind.progress)
        self._by_place = _Forecast(kind.place)

    def running(self, now: float, progress: float | None = None) -> None:
        """Take in a look that found the job running.

        :param now: epoch seconds.
        :param progress: percent that the job reports.
        """
        self._learn(now, ended=False)
        self._alive = True
        # A progress that stands still foretells nothing new.
        if progress is not None and progress != self._percent:
            self._percent = progress
            age = max(self._age, MIN_INTERVAL)
            self._by_progress.end = age * 100 / progress if 0 < progress <= 100 else None
        self._foretell_by_place(now)

    def ended(self, now: float, ran_until: float | None = None) -> None:
        """Take in a look that found the job ended, well or badly.

        :param now: epoch seconds.
        :param ran_until: epoch seconds of the job's end, where the service told it.
        """
        if ran_until is not None and self._alive:
            # An end lies somewhere between two looks: these stand for looks right before it and right after it.
            ran_until = min(max(ran_until, self._looked_at), now)
            self._learn(ran_until, ended=False)
            self._learn(min(ran_until + MIN_INTERVAL, now), ended=True)
        else:
            self._learn(now, ended=True)
        for forecast in (self._by_progress, self._by_place):
            if forecast.passed:
                forecast.clock.replay += REPLAY_GAIN * (forecast.passed - forecast.clock.replay)
        self._kind.line.leave(self.place, ended_at=now if self._alive else None)

    def leave(self) -> None:
        """Stop watching; nothing is learned of the job's end."""
        self._kind.line.leave(self.place)

    def due(self, worth: float = 1.0) -> float:
        """When the job is worth so many looks, in epoch seconds.

        :param worth: looks.
        """
        if not self._alive:
            return self._looked_at
        if self._interval is not None:
            return self._looked_at + self._interval * worth
        if not self._learned:
            return self._looked_at + COLD_INTERVAL * worth * (1.0 if self._age else 0.5)
        clock, end = self._believed()
        looks = clock.table.looks_until(self._age / end) + worth * self._step(clock)
        seconds = clock.table.time_of(looks) * end - self._age
        return self._looked_at + min(max(seconds, MIN_INTERVAL * worth), MAX_INTERVAL * worth)

    def worth(self, now: float) -> float:
        """The looks that the job is worth at a time: 0 while nothing is known of its kind, infinite before its first.

        :param now: epoch seconds.
        """
        if not self._alive:
            return inf
        if self._interval is not None:
            return (now - self._looked_at) / self._interval
        if not self._learned:
            return 0.0
        self._foretell_by_place(now)
        clock, end = self._believed()
        age = self._age + now - self._looked_at
        looks = clock.table.looks_until(age / end) - clock.table.looks_until(self._age / end)
        return looks / self._step(clock)

    @property
    def _learned(self) -> bool:
        return self._kind.age.table.ends > COLD_JOBS - 0.5

    def _believed(self) -> tuple[Clock, float]:
        """The clock that has recently predicted best, and the end that it predicts."""
        clock, end, score = self._kind.age, 1.0, MARGIN
        for forecast in (self._by_progress, self._by_place):
            if forecast.end is not None and forecast.clock.score > score:
                clock, end, score = forecast.clock, forecast.end, forecast.clock.score
        return clock, end

    def _step(self, clock: Clock) -> float:
        """What lies between two looks; of the last step, half comes after the job's end on average."""
        return clock.replay * clock.table.looks_a_job / (self._polls - 0.5)

    def _learn(self, now: float, *, ended: bool) -> None:
        age = max(now - self.submitted_at, self._age)
        if self._alive:
            forecasts = [f for f in (self._by_progress, self._by_place) if f.end is not None]
            by_age = self._kind.age.log_likelihood(self._age, age, ended=ended) if forecasts else 0.0
            self._kind.age.table.add(self._age, age, ended=ended)
            for forecast in forecasts:
                if forecast.end is not None:
                    clock, since, until = forecast.clock, self._age / forecast.end, age / forecast.end
                    clock.gain(clock.log_likelihood(since, until, ended=ended) - by_age)
                    looks = clock.table.looks_until(until) - clock.table.looks_until(since)
                    forecast.passed += looks / clock.table.looks_a_job
                    clock.table.add(since, until, ended=ended)
        self._age, self._looked_at = age, now

    def _foretell_by_place(self, now: float) -> None:
        seconds = self._kind.line.seconds_until_done(self.place, now)
        if seconds is not None:
            self._by_place.end = max(now - self.submitted_at, MIN_INTERVAL) + seconds
