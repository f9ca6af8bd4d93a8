"""Writes the outcomes of the scenarios as a Markdown page."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .scenario import Outcome, Scenario
from .words import IN_DOUBT

HEADS = ("when", "what is killed or happens", "expected")
FIRST_TIME = "the first time"
PACKAGES = ("apache-airflow", "apache-airflow-providers-celery", "celery", "airflow-provider-video-creation")


def write_results(
    file: Path,
    table: Sequence[Scenario],
    results: Mapping[str, Mapping[str, Outcome]],
    *,
    record_folder: bool = False,
) -> None:
    """Write the page, or, if only some rows were played, these rows of the page that is there.

    :param file: where to.
    :param table: all rows.
    :param results: executor -> name of a row -> outcome; rows that were not played are left out.
    :param record_folder: whether records were kept in one.
    """
    names = {name for outcomes in results.values() for name in outcomes}
    if file.exists() and len(names) < len(table):
        page = _played_again(file.read_text("utf-8"), [row for row in table if row.name in names], results)
    else:
        page = results_page(table, results, record_folder=record_folder)
    file.write_text(page, encoding="utf-8")


def _played_again(page: str, rows: Sequence[Scenario], results: Mapping[str, Mapping[str, Outcome]]) -> str:
    lines = page.splitlines()
    executors = next(line for line in lines if line.startswith(f"| {' | '.join(HEADS)} |")).split(" | ")[3:]
    for row in rows:
        start = f"| {' | '.join([row.when, row.killed, _expected(row)])} | "
        [number] = [number for number, line in enumerate(lines) if line.startswith(start)]
        cells = lines[number].removeprefix(start).removesuffix(" |").split(" | ")
        for place, executor in enumerate(name.removesuffix(" |") for name in executors):
            if (outcome := results.get(executor, {}).get(row.name)) is not None:
                first = cells[place]
                cells[place] = _judged(row, outcome)
                if first != cells[place]:
                    cells[place] += f"; {FIRST_TIME} {first}"
        lines[number] = f"{start}{' | '.join(cells)} |"
    lines.insert(
        lines.index(READING.splitlines()[0]),
        f"Rows with *{FIRST_TIME}* were played again, at commit {_commit()} on {datetime.now(UTC).date()}.\n",
    )
    return "\n".join(lines) + "\n"


def results_page(
    table: Sequence[Scenario], results: Mapping[str, Mapping[str, Outcome]], *, record_folder: bool
) -> str:
    """The page as Markdown.

    :param table: all rows.
    :param results: executor -> name of a row -> outcome; rows that were not played are left out.
    :param record_folder: whether records were kept in one.
    """
    executors = list(results)
    heads = [*HEADS, *executors]
    lines = [
        (BELOW_3_3 if record_folder else INTRODUCTION).format(
            airflow=version("apache-airflow"),
            date=datetime.now(UTC).date(),
            commit=_commit(),
            versions=", ".join(_versions()),
            reading=READING,
        ),
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
    ]
    for row in table:
        if any(row.name in results[executor] for executor in executors):
            cells = [_judged(row, results[executor].get(row.name)) for executor in executors]
            lines.append(f"| {' | '.join([row.when, row.killed, _expected(row), *cells])} |")
    return "\n".join(lines) + "\n"


INTRODUCTION = """# System tests: what happens when something is killed

`make system-test` kills the processes of a real Airflow with SIGKILL at chosen moments, and counts what was paid. It
runs a scheduler, DAG processor, triggerer, API server and workers on PostgreSQL, with the emulator as the service. The
rows are `tests/system/scenarios/table.py`. This page is written by
`make system-test RESULTS=docs/measured/system-tests.md`.

{date}, commit {commit}; {versions}.

{reading}

If a person clears a task while it runs, Airflow stops the try. The next try then counts as cleared, and submits a new
job. With `retries=0` it sometimes counts as a retry instead, and resumes the same job.

After the scenarios a test searches every log file, and every statement that wrote to the database, for tokens, the
client secret and signed media links. Only XCom may hold links.
"""

BELOW_3_3 = """# System tests on Airflow {airflow}, with a record folder

The same as [the system tests](system-tests.md), with records in [a folder](../operate/record-folder.md) on a disk,
since this Airflow keeps none. What needs Airflow 3.3 is left out: callbacks, and cancelling a job when its deferred
task is marked as failed. The rows are `tests/system/scenarios/record_folder_table.py`. This page is written by
`make system-test CELL={airflow}-py3.11 RESULTS=...`.

{date}, commit {commit}; {versions}.

{reading}
"""

READING = """- **A cell** has the number of submissions that the service accepted, and the task's final state. "In
  doubt" is a task that fails at once as `AmbiguousSubmissionError`, since it cannot know whether the service has
  accepted.
- **Intent**: the task stores that it is about to submit. **POST**: it submits. **Record**: it stores the job's id.
- **Rows**: "video" is `CreateVideoOperator`, which submits a storyboard and a render. "Six videos" is one task of
  `CreateVideosOperator`. All other rows submit storyboards. Where "the service lists its jobs", takes keys or cancels
  jobs, [the connection says so](../operate/a-submission-in-doubt.md#settling-a-doubt)."""


def _expected(row: Scenario) -> str:
    submissions = f"{row.submissions} or {row.instead[0]}" if row.instead else str(row.submissions)
    return _told(row, submissions, row.renders, row.cancels, row.state)


def _judged(row: Scenario, outcome: Outcome | None) -> str:
    if outcome is None:
        return "not run"
    told = _told(row, str(outcome.submissions), outcome.renders, outcome.cancels, outcome.state)
    if row.is_met_by(outcome):
        return told
    return f"**{told}** ({'could not be played to the end' if outcome.trouble else 'not as expected'})"


def _told(row: Scenario, submissions: str, renders: int, cancels: int, state: str) -> str:
    rendered = f" + {renders} render" if row.renders else ""
    cancelled = f", {cancels} cancelled" if row.cancels else ""
    doubt = ", in doubt" if state == "failed" and row.says == IN_DOUBT else ""
    return f"{submissions}{rendered}{cancelled}; {state}{doubt}"


def _commit() -> str:
    def git(*command: str) -> str:
        here = Path(__file__).parent
        done = subprocess.run(["git", *command], cwd=here, capture_output=True, text=True)
        return done.stdout.strip()

    changed = " with uncommitted changes" if git("status", "--porcelain") else ""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + changed


def _versions() -> list[str]:
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return found
