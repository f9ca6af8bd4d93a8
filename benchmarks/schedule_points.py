"""The points of the plots of when jobs are polled."""

# ruff: noqa: S311 - simulated chance, nothing secret
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import schedule_jobs as one
import schedule_service as many

from airflow_video_creation.provider.waiting.job_durations import JobDurations

CURVE = 200
"""Steps of a curve."""
BIN = 5
"""Seconds of a bar."""


def points() -> dict[str, Any]:
    """Of each plot."""
    return {"delays": _delays(), "looks": _looks(), "night": _night()}


def _curve(values: Iterable[float]) -> list[float]:
    ordered = sorted(values)
    return [round(ordered[round(step / CURVE * (len(ordered) - 1))], 2) for step in range(CURVE + 1)]


def _taught(progress: bool) -> tuple[JobDurations, one.Cost]:
    chance, known = random.Random(1), JobDurations()
    reports = one.noisy if progress else None
    one.learned(one.durations(200, 0.3, chance), known, reports, chance)
    return known, one.learned(one.durations(1000, 0.3, chance), known, reports, chance)


def _delays() -> dict[str, list[float]]:
    _, plain = _taught(False)
    _, reported = _taught(True)
    even = one.fixed(one.durations(1000, 0.3, random.Random(2)), plain.polls_a_job)
    costs = {"fixed interval": even, "learned": plain, "learned, progress reported": reported}
    return {
        f"{name}: {cost.polls_a_job:.1f} polls a job": _curve(cost.delays) for name, cost in costs.items()
    }


def _looks() -> dict[str, Any]:
    known, _ = _taught(False)
    ends = Counter(int(end // BIN) * BIN for end in one.durations(20000, 0.3, random.Random(3)))
    watch, ages = known.watch(0.0), []
    while (age := watch.due()) < 2 * one.MEDIAN:
        ages.append(round(age, 1))
        watch.running(age)
    return {"ends": sorted(ends.items()), "looks": ages, "until": 2 * one.MEDIAN}


def _night() -> dict[str, list[float]]:
    ends = many.ends_in_order(2000, 60, random.Random(3))
    ours = many.ours(ends, many.FixedWindows(60), random.Random(4))
    other = many.round_robin(ends, many.FixedWindows(60), random.Random(4))
    return {
        "noticed: ours": _curve(ours.noticed.values()),
        "noticed: round-robin": _curve(other.noticed.values()),
        "ended": _curve(ends),
    }
