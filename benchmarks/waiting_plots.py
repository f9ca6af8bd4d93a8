"""The plots of what waits cost; needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from figures_kept import Result
from figures_plots import axes, saved


def draw(result: Result) -> Iterator[Path]:
    """Draw them all, and name the files.

    :param result: of waiting.py.
    """
    plot = axes()
    for name, cost in result.found["costs"].items():
        delays = cost["delays"]
        plot.plot(delays, [100 * n / (len(delays) - 1) for n in range(len(delays))], label=name)
    plot.set(xlabel="seconds from a job's end until it is noticed", ylabel="% of jobs", xlim=0, ylim=(0, 100))
    yield saved(plot, "waiting-delays", result)
    if grown := result.found["grown"]:
        plot, waits = axes(), [int(waits) for waits in grown]
        plot.plot(waits, [cost["cpu"] for cost in grown.values()], "o-", label="ours")
        plot.plot(
            waits,
            [cost["cpu"] - cost["collected"] for cost in grown.values()],
            "o--",
            label="ours, without the garbage collector",
        )
        plot.set(xlabel="waits", ylabel="CPU seconds, total", xlim=0, ylim=0)
        yield saved(plot, "waiting-cpu", result)
