"""The plots of docs/measured/performance.md; needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import matplotlib as mpl
from waiting_measured import Cost

mpl.use("Agg")
from matplotlib import pyplot as plt

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def draw(costs: Mapping[str, Cost], grown: Mapping[int, Cost]) -> Iterator[Path]:
    """Draw them all, and name the files.

    :param costs: of each contender, by its name.
    :param grown: ours, by the number of waits.
    """
    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    for name, cost in costs.items():
        delays = sorted(cost.delays)
        axes.plot(delays, [100 * n / len(delays) for n in range(1, len(delays) + 1)], label=name)
    axes.set(xlabel="seconds from a job's end until it is noticed", ylabel="% of jobs", xlim=0, ylim=(0, 100))
    yield _saved(figure, axes, "delays")
    if grown:
        figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
        axes.plot(list(grown), [cost.cpu for cost in grown.values()], "o-", label="ours")
        axes.plot(
            list(grown),
            [cost.cpu - cost.collected for cost in grown.values()],
            "o--",
            label="ours, without the garbage collector",
        )
        axes.set(xlabel="waits", ylabel="CPU seconds in all", xlim=0, ylim=0)
        yield _saved(figure, axes, "cpu")


def _saved(figure: plt.Figure, axes: plt.Axes, name: str) -> Path:
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    path = IMAGES / f"waiting-{name}.png"
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path
