"""What runs in a cell: all tests, and the example DAG in its Airflow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from cells import Cell, CellError, install, run

VIDEOS = 3
TEST_SECONDS, DAG_SECONDS = 1800, 600


@dataclass(frozen=True)
class Tested:
    """What pytest reported.

    :param failed: the names of the tests that failed, or that could not be set up or torn down.
    :param skipped: the reason of each test that was skipped.
    :param trouble: why this is incomplete; empty when it is complete.
    """

    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True)
class Result:
    """The result of a cell.

    :param tested: None when it could not be installed.
    :param example_dag: ``ok`` when it made its videos, or what is wrong.
    :param trouble: why it could not be installed.
    """

    cell: Cell
    tested: Tested | None = None
    example_dag: str = "–"
    trouble: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing failed, and nothing is missing except what was skipped."""
        tested = self.tested
        return bool(tested and not tested.failed and not tested.trouble and self.example_dag == "ok")

    @property
    def notes(self) -> Iterator[str]:
        """What the numbers do not say."""
        if self.trouble:
            yield self.trouble
        if self.tested:
            if self.tested.trouble:
                yield self.tested.trouble
            yield from (f"failed: `{name}`" for name in self.tested.failed)
            for reason in sorted(set(self.tested.skipped)):
                yield f"skipped ({self.tested.skipped.count(reason)}): {reason}"


def trial(cell: Cell, uv: str) -> Result:
    """Install a cell and run all in it.

    :param uv: the path of uv.
    """
    try:
        install(cell, uv)
    except CellError as error:
        return Result(cell, trouble=str(error))
    return Result(cell, run_tests(cell), run_example_dag(cell))


def run_tests(cell: Cell) -> Tested:
    """Run the tests in a cell."""
    report = cell.folder / "tests.xml"
    command = ["-m", "pytest", "--numprocesses", "3", "--dist", "loadgroup", "-p", "no:cacheprovider"]
    # It reads the page that this run will write.
    command += ["--ignore", "tests/docs/test_compatibility.py"]
    try:
        status = run(cell, "tests", [cell.interpreter, *command, f"--junitxml={report}"], TEST_SECONDS)
    except CellError as error:
        return Tested(trouble=str(error))
    if not report.exists():
        return Tested(trouble=f"tests: pytest ended with {status} and wrote no report")
    return read_report(report, status)


def read_report(report: Path, status: int) -> Tested:
    """Read pytest's JUnit report.

    :param status: what pytest ended with; 1 means that tests failed. Any other, or a 1 without a failed test, means
        that the report does not speak for all tests.
    """
    passed = 0
    failed: dict[str, None] = {}
    skipped: list[str] = []
    for case in ElementTree.parse(report).iter("testcase"):
        reason = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed[f"{case.get('classname')}::{case.get('name')}"] = None
        elif reason is not None:
            skipped.append(reason.get("message") or "no reason given")
        else:
            passed += 1
    whole = status == bool(failed) and passed
    return Tested(
        passed, tuple(failed), tuple(skipped), "" if whole else f"tests: pytest ended with {status}"
    )


def run_example_dag(cell: Cell) -> str:
    """Run the example DAG in the cell's Airflow, on the emulator: ``ok``, or what is wrong."""
    folder = cell.folder / "demo"
    command = [
        "-m",
        "airflow_video_creation.demo",
        "--folder",
        str(folder),
        "--width",
        "320",
        "--height",
        "180",
    ]
    try:
        status = run(cell, "demo", [cell.interpreter, *command], DAG_SECONDS)
    except CellError as error:
        return str(error)
    made = len(list(folder.glob("videos/*.mp4")))
    return "ok" if (status, made) == (0, VIDEOS) else f"ended with {status}, {made} of {VIDEOS} videos"
