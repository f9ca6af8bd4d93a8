"""How all plots are saved; needs matplotlib."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from figures_kept import ROOT, Result

mpl.use("Agg")
from matplotlib import pyplot as plt

IMAGES = ROOT / "docs" / "images"


def axes() -> plt.Axes:
    """Of a new figure."""
    return plt.subplots(figsize=(7, 3.2), layout="constrained")[1]


def saved(drawn: plt.Axes, name: str, result: Result) -> Path:
    """Save a figure, with the date and the commit in its corner.

    :param drawn: its axes.
    :param name: of its file.
    :param result: what it shows.
    """
    drawn.spines[["top", "right"]].set_visible(False)
    drawn.legend(frameon=False)
    figure = drawn.figure
    drawn.set_title(f"{result.date}, {result.commit}", loc="right", fontsize=7, color="0.5")
    path = IMAGES / f"{name}.png"
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
    return path
