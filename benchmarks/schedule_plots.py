"""The plots of docs/measured/polling.md; needs matplotlib."""

# ruff: noqa: S311 - simulated chance, nothing secret
from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import schedule_jobs as one
import schedule_service as many

from airflow_video_creation.provider.waiting.job_durations import JobDurations

mpl.use("Agg")
from matplotlib import pyplot as plt

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def draw() -> Iterator[Path]:
    """Draw them all, and name the files."""
    for name, plot in (("delays", _delays), ("looks", _looks), ("night", _night)):
        figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
        plot(axes)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        path = IMAGES / f"schedule-{name}.png"
        figure.savefig(path, dpi=110)
        plt.close(figure)
        yield path


def _taught(progress: bool) -> tuple[JobDurations, one.Cost]:
    chance, known = random.Random(1), JobDurations()
    reports = one.noisy if progress else None
    one.learned(one.durations(200, 0.3, chance), known, reports, chance)
    return known, one.learned(one.durations(1000, 0.3, chance), known, reports, chance)


def _delays(axes: plt.Axes) -> None:
    _, plain = _taught(False)
    _, reported = _taught(True)
    even = one.fixed(one.durations(1000, 0.3, random.Random(2)), plain.polls_a_job)
    for name, cost in (
        ("fixed interval", even),
        ("learned", plain),
        ("learned, progress reported", reported),
    ):
        delays = sorted(cost.delays)
        share = [100 * n / len(delays) for n in range(1, len(delays) + 1)]
        axes.plot(delays, share, label=f"{name}: {cost.polls_a_job:.1f} polls a job")
    axes.set(
        xlabel="seconds from a job's end until it is noticed", ylabel="% of jobs", xlim=(0, 50), ylim=(0, 100)
    )


def _looks(axes: plt.Axes) -> None:
    known, _ = _taught(False)
    axes.hist(
        one.durations(20000, 0.3, random.Random(3)),
        bins=120,
        density=True,
        color="0.85",
        label="when jobs end",
    )
    watch, ages = known.watch(0.0), []
    while (age := watch.due()) < 2 * one.MEDIAN:
        ages.append(age)
        watch.running(age)
    axes.vlines(ages, 0, 0.001, color="C1", label="looks at a job that runs on")
    axes.set(xlabel="seconds since the submission", xlim=(0, 2 * one.MEDIAN), yticks=[])


def _night(axes: plt.Axes) -> None:
    ends = many.ends_in_order(2000, 60, random.Random(3))
    for name, night in (
        ("ours", many.ours(ends, many.FixedWindows(60), random.Random(4))),
        ("round-robin", many.round_robin(ends, many.FixedWindows(60), random.Random(4))),
    ):
        noticed = sorted(night.noticed.values())
        axes.plot([at / 60 for at in noticed], range(1, len(noticed) + 1), label=f"noticed: {name}")
    ended = sorted(ends)
    axes.plot([at / 60 for at in ended], range(1, len(ended) + 1), "k:", label="ended")
    axes.set(xlabel="minutes", ylabel="jobs of 2,000")
