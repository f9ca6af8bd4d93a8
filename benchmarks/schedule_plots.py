"""The plots of when jobs are polled; needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from figures_kept import Result
from figures_plots import axes, saved


def draw(result: Result) -> Iterator[Path]:
    """Draw them all, and name the files.

    :param result: of schedule.py.
    """
    shown = result.found["plots"]
    plot = axes()
    for name, delays in shown["delays"].items():
        plot.plot(delays, [100 * n / (len(delays) - 1) for n in range(len(delays))], label=name)
    plot.set(
        xlabel="seconds from a job's end until it is noticed", ylabel="% of jobs", xlim=(0, 50), ylim=(0, 100)
    )
    yield saved(plot, "schedule-delays", result)
    plot, (ages, ends) = axes(), zip(*shown["looks"]["ends"], strict=True)
    plot.bar(ages, ends, width=ages[1] - ages[0], align="edge", color="0.85", label="when jobs end")
    looks = shown["looks"]["looks"]
    plot.vlines(looks, 0, max(ends) / 4, color="C1", label="polls of a job that keeps running")
    plot.set(xlabel="seconds since the submission", xlim=(0, shown["looks"]["until"]), yticks=[])
    yield saved(plot, "schedule-looks", result)
    plot = axes()
    for name, times in shown["night"].items():
        jobs = [2000 * n / (len(times) - 1) for n in range(len(times))]
        plot.plot([at / 60 for at in times], jobs, "k:" if name == "ended" else "-", label=name)
    plot.set(xlabel="minutes", ylabel="jobs of 2,000")
    yield saved(plot, "schedule-night", result)
