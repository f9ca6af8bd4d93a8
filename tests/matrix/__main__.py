"""``make test-matrix``: the tests and the example DAG on every Airflow and Python that we support.

Each cell of the table gets an environment of its own in ``build/matrix``. A cell that cannot be installed, or that
fails, is in the table with the reason. The table is printed, and written to ``docs/measured/compatibility.md`` when all
cells ran.
"""

from __future__ import annotations

import argparse
import pickle
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime

from cells import CELLS, ROOT, WORK, Cell, find_uv, install
from trial import Result, trial

sys.path.append(str(ROOT / "benchmarks"))

from figures_pages import write_part
from page import INTRODUCTION, OTHER_PACKAGES, notes, row, table

LEFT = "result.pickle"
WITH_CHANGES = " with changes"


def main() -> int:
    """Run the cells and return the exit status: 1 when one of them is not good."""
    names = [cell.name for cell in CELLS]
    parser = argparse.ArgumentParser(prog="python tests/matrix", description=__doc__)
    parser.add_argument("cells", nargs="*", metavar="CELL", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="run only the cells that have not run on this commit yet",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the page even if not all cells have run; the others keep the row of their last run",
    )
    parser.add_argument(
        "--system-tests",
        action="store_true",
        help="only make the cells' environments, for `make system-test`",
    )
    given = parser.parse_args()
    wanted = given.cells or names
    unknown = sorted(set(wanted) - set(names))
    if unknown:
        parser.error(f"there is no cell {', '.join(unknown)}: choose from {', '.join(names)}")
    WORK.mkdir(parents=True, exist_ok=True)
    uv, commit, results = find_uv(), tested_commit(), []
    if given.system_tests:
        for cell in CELLS:
            if cell.name in wanted and not cell.interpreter.exists():
                say(f"Installing {cell.name}: logs in {cell.folder}")
                install(cell, uv, "--requirement", "tests/system/requirements.txt")
        return 0
    for cell in CELLS:
        result = kept(cell, commit) if given.resume else None
        if result is None and cell.name in wanted:
            say(f"Airflow {cell.airflow} on Python {cell.python}: logs in {cell.folder}")
            result = keep(trial(cell, uv), commit)
            say("\n".join([row(result, commit), *notes([result])]))
        if result:
            results.append(result)
    found = (
        f"{table(results, commit.removeprefix('commit '))}\n\n"
        f"Run on {datetime.now(UTC):%Y-%m-%d}, {commit}, after release {last_release()}."
    )
    say(found)
    if given.write or len(results) == len(CELLS):
        page = write_part("matrix", f"{INTRODUCTION}\n{found}\n{OTHER_PACKAGES}")
        say(f"Written to {page}")
    return 0 if all(result.good for result in results) else 1


def keep(result: Result, commit: str) -> Result:
    """Leave a cell's result in its folder, for a run that resumes."""
    (result.cell.folder / LEFT).write_bytes(pickle.dumps((commit, result)))
    return result


def kept(cell: Cell, commit: str) -> Result | None:
    """The result that a run on the same commit has left of a cell."""
    left = cell.folder / LEFT
    if not left.exists() or commit.endswith(WITH_CHANGES):
        return None
    of_commit, result = pickle.loads(left.read_bytes())
    return result if of_commit == commit else None


def tested_commit() -> str:
    """The commit that is tested, and whether files other than the table differ from it."""
    try:
        commit = git("rev-parse", "--short", "HEAD")
        changed = git("status", "--porcelain", "--", ".", ":!docs")
    except (OSError, subprocess.CalledProcessError):
        return "of no known commit"
    return f"commit {commit}{WITH_CHANGES if changed else ''}"


def last_release() -> str:
    """The version that the code gives itself until the next release."""
    return re.findall(
        r'^VERSION = "(.+)"$', (ROOT / "provider" / "info.py").read_text("utf-8"), re.MULTILINE
    )[0]


def git(*arguments: str) -> str:
    """What git says about this repository."""
    asked = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def say(text: str) -> None:
    """Print at once, even into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # As on an interrupt: what a cell has running is stopped before we go.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped: nothing was written.")
