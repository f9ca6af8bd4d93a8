"""The result of a benchmark, kept as JSON with its date, commit and machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
NOT_MEASURED = ("docs", "benchmarks/results", "tests")
"""Folders whose changes cannot change a figure."""


@dataclass(frozen=True)
class Result:
    """One run of a benchmark.

    :param found: what it measured, as JSON can hold it.
    :param date: of its beginning, UTC.
    :param commit: the one that it measured.
    :param versions: of Python, of Airflow and of whatever else was compared.
    :param cores: of the machine.
    :param load: average at the beginning and at the end; empty where it was not noted.
    :param from_page: whether it was read from the page of that commit, before results were kept.
    """

    found: Any
    date: str
    commit: str
    versions: Mapping[str, str]
    cores: int
    load: list[float] = field(default_factory=list)
    from_page: bool = False

    def said(self, name: str) -> str:
        """Where the figures come from, in one line.

        :param name: of the figures.
        """
        versions = ", ".join(f"{what} {version}" for what, version in self.versions.items())
        load = f", load {self.load[0]:.1f} to {self.load[1]:.1f}" if self.load else ""
        taken = " Taken from the page of that commit." if self.from_page else ""
        return (
            f"*{self.date}, commit {self.commit}, {versions}, {self.cores} cores{load}: "
            f"`make figures ONLY={name}`.{taken}*"
        )


class Measuring:
    """Notes the beginning of a run; ``ended`` makes its result."""

    def __init__(self) -> None:
        self._date = f"{datetime.now(UTC):%Y-%m-%d}"
        self._commit = commit()
        self._load = os.getloadavg()[0]

    def ended(self, found: Any, versions: Mapping[str, str] | None = None) -> Result:
        """The result.

        :param found: what was measured.
        :param versions: of what was compared, beside Python and Airflow.
        """
        own = {"Python": platform.python_version(), "Airflow": metadata.version("apache-airflow")}
        load = [round(self._load, 1), round(os.getloadavg()[0], 1)]
        return Result(found, self._date, self._commit, {**own, **(versions or {})}, os.cpu_count() or 1, load)


def keep(result: Result, file: Path) -> None:
    """Write a result to a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(vars(result), indent=1, ensure_ascii=False) + "\n", "utf-8")


def end(result: Result, parts: Callable[[Result], Mapping[str, str]], file: Path | None) -> None:
    """Keep a result if asked to, and print what the pages would say.

    :param result: of the run.
    :param parts: makes the Markdown of it.
    :param file: to keep it in.
    """
    if file:
        keep(result, file)
    for name, text in parts(result).items():
        print(f"\n{name}\n\n{text}")


def kept(name: str) -> Result | None:
    """The last result of a benchmark, None where it has none."""
    file = RESULTS / f"{name}.json"
    return Result(**json.loads(file.read_text("utf-8"))) if file.exists() else None


def commit() -> str:
    """The commit that is measured, and whether files were changed on top."""
    git = ["git", "-C", str(ROOT)]
    others = [".", *(f":!{folder}" for folder in NOT_MEASURED)]
    try:
        name = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()  # noqa: S603
        changed = subprocess.check_output([*git, "status", "--porcelain", "--", *others], text=True).strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}{' with changes on top' if changed else ''}"
