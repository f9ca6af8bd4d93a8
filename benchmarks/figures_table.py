"""All figures of the docs, with what measures and what writes them. Each row has a file in benchmarks/results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from figures_kept import Result


@dataclass(frozen=True)
class Figures:
    """Figures that one benchmark measures.

    :param command: a script of this folder with its arguments; it takes ``--keep FILE``.
    :param trial: further arguments for a short run that shows that it works.
    :param minutes: that it takes on two cores.
    :param asked_for: whether it is measured only when it is named.
    :param report: ``module:function`` that makes the parts of pages of a result; the script's ``parts`` by default.
    :param plots: the module whose ``draw(result)`` draws the plots.
    """

    command: tuple[str, ...]
    trial: tuple[str, ...]
    minutes: float
    asked_for: bool = False
    report: str = ""
    plots: str = ""

    def parts(self, name: str, result: Result) -> dict[str, str]:
        """The parts of pages by their names, each with where its figures come from.

        :param name: of these figures.
        :param result: of their last run.
        """
        module, _, function = self.report.partition(":")
        written_by = import_module(module or self.command[0].removesuffix(".py"))
        texts: Mapping[str, str] = getattr(written_by, function or "parts")(result)
        return {part: f"{text}\n\n{result.said(name)}" for part, text in texts.items()}

    def draw(self, result: Result) -> Iterator[Path]:
        """Draw the plots; needs matplotlib."""
        yield from import_module(self.plots).draw(result) if self.plots else ()


FIGURES = {
    "parse-time": Figures(("parse_time.py",), ("--rounds", "1"), 4),
    "intent-to-post": Figures(("intent_to_post.py",), ("--runs", "1"), 1.5),
    "waiting": Figures(
        ("waiting.py",),
        ("--waits", "100", "--interval", "1", "--seconds", "3", "--scale", "100"),
        11,
        plots="waiting_plots",
    ),
    "schedule": Figures(("schedule.py",), ("--jobs", "100"), 2, plots="schedule_plots"),
    "faults": Figures(("faults.py",), ("--faults", "one 503"), 6),
    "scripts": Figures(("scripts.py",), (), 0.2),
    "sentences": Figures(("sentences.py",), (), 0.2),
    "emulator": Figures(("emulator_speed.py",), (), 0.5),
    "triggerer": Figures(("triggerer.py",), ("--waits", "5", "--seconds", "5"), 30, asked_for=True),
    "callbacks": Figures(("callbacks.py",), ("--jobs", "2", "--waits", "0"), 40, asked_for=True),
    "shared-budget": Figures(("shared_budget.py",), ("--runs", "2"), 15, asked_for=True),
    "night-compare": Figures(
        ("night.py", "compare"),
        ("--videos", "3", "--idle", "5"),
        60,
        asked_for=True,
        report="night_report:compare",
    ),
    "night-long-jobs": Figures(
        ("night.py", "long-jobs"),
        ("--videos", "5", "--job-seconds", "2"),
        20,
        asked_for=True,
        report="night_report:long_jobs",
    ),
    "night-large": Figures(
        ("night.py", "large"), ("--videos", "5"), 10, asked_for=True, report="night_report:large"
    ),
    "night-kills": Figures(
        ("night.py", "kills"),
        ("--videos", "5", "--kills", "1"),
        15,
        asked_for=True,
        report="night_report:kills",
    ),
    "published": Figures(("published.py",), (), 10, asked_for=True),
    "reading": Figures(("reading.py",), (), 1, asked_for=True),
}
