"""The table of `docs/measured/compatibility.md`; a cell that has not run now keeps the row of its last run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cells import CELLS, ROOT, Cell
from trial import Result

PAGE = ROOT / "docs" / "measured" / "compatibility.md"
INTRODUCTION = """Each row has an environment of its own. All tests run in it, and then the example DAG
`articles_to_videos` makes three videos in that Airflow, on the emulator.
"""
HEAD = """| Airflow | Python | other packages | passed | failed | skipped | example DAG | commit |
|---|---|---|---|---|---|---|---|"""
OTHER_PACKAGES = """
- `constraints.txt`: the versions that we develop with.
- "As of" a day: Airflow was installed with what had been published before that day, as
  `uv pip install --exclude-newer DAY apache-airflow==VERSION` does.
- A row of dashes: this Python was not found, and could not be fetched.

In every row the provider was installed beside Airflow without changing what Airflow had installed.

Below Airflow 3.3 set [a record folder](../operate/record-folder.md). The system tests ran there too:
[3.1](system-tests-3.1.md), [3.2](system-tests-3.2.md). For other differences see
[Upgrading](../operate/upgrading.md#airflow-itself).
"""


def table(results: Iterable[Result], commit: str, page: Path = PAGE) -> str:
    """The results as a Markdown table, with notes below it.

    :param results: of the cells that ran.
    :param commit: that was tested.
    :param page: with the rows of earlier runs.
    """
    results = list(results)
    rows = {result.cell: row(result, commit) for result in results}
    return "\n".join(
        [HEAD, *(rows.get(cell) or earlier_row(cell, page) for cell in CELLS), "", *notes(results)]
    ).rstrip()


def row(result: Result, commit: str) -> str:
    """One line of the table."""
    tested = result.tested
    counts = [tested.passed, len(tested.failed), len(tested.skipped)] if tested else ["–"] * 3
    return _line([*_first_columns(result.cell), *map(str, counts), result.example_dag, commit])


def earlier_row(cell: Cell, page: Path) -> str:
    """The row of a cell that has not run now."""
    start = _line(_first_columns(cell)).removesuffix("|")
    lines = page.read_text("utf-8").splitlines()
    return next(
        (line for line in lines if line.startswith(start)),
        _line([*_first_columns(cell), "not run", *[""] * 4]),
    )


def notes(results: Sequence[Result]) -> list[str]:
    """What the numbers do not say, a line each, with the cells where it is so."""
    cells: dict[str, list[str]] = {}
    for result in results:
        for note in result.notes:
            cells.setdefault(note, []).append(result.cell.name)
    return [f"- {note} ({', '.join(names)})" for note, names in cells.items()]


def _first_columns(cell: Cell) -> list[str]:
    return [cell.airflow, cell.python, cell.other_packages]


def _line(columns: Sequence[str]) -> str:
    return f"| {' | '.join(columns)} |"
