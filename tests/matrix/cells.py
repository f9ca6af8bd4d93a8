"""The cells of the matrix, and how each gets its environment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "matrix"
USERS_EXTRAS = "amazon,articles,emulator,openlineage"
EXTRAS = f"{USERS_EXTRAS},dev"
INSTALL_SECONDS, STOP_SECONDS = 1200, 30
# What would make a cell behave as the shell that started it, not as a clean machine.
FOREIGN = ("AIRFLOW_", "_AIRFLOW", "PYTEST_", "PYTHON", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Cell:
    """An Airflow on a Python.

    :param as_of: install Airflow from what was published before this day; empty for the newest that fits.
    :param pinned: install the versions of ``constraints.txt``.
    :param end: ``lowest`` or ``newest``: that end of every bound of ``pyproject.toml``; empty for what fits best.
    """

    airflow: str
    python: str
    as_of: str = ""
    pinned: bool = False
    end: str = ""

    @property
    def name(self) -> str:
        """``3.3.2-py3.11`` or ``3.3.2-py3.13-newest``, also its folder's name."""
        return "-".join(filter(None, [self.airflow, f"py{self.python}", self.end]))

    @property
    def folder(self) -> Path:
        """Its environment, logs and videos."""
        return WORK / self.name

    @property
    def interpreter(self) -> Path:
        """Its Python, once it is installed."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def other_packages(self) -> str:
        """Which versions of the other packages it takes."""
        if self.pinned:
            return "`constraints.txt`"
        if self.end == "lowest":
            return "the lowest that we allow"
        return f"as of {self.as_of}" if self.as_of else "the newest that fit"


# 3.2.2 sets no upper bound to a fastapi and a pydantic that came after it and break `airflow dags test`, and 3.1.8 none
# to a python-dateutil that botocore does not take.
CELLS = (
    *(Cell("3.1.8", python, as_of="2026-05-10") for python in ("3.11", "3.12", "3.13")),
    *(Cell("3.2.2", python, as_of="2026-05-30") for python in ("3.11", "3.12", "3.13")),
    *(Cell("3.3.2", python, pinned=True) for python in ("3.11", "3.12", "3.13", "3.14")),
    Cell("3.1.8", "3.11", end="lowest"),
    Cell("3.3.2", "3.13", end="newest"),
)


class CellError(Exception):
    """A step of a cell failed; the message says which and why."""


def run(cell: Cell, step: str, command: Sequence[str | Path], seconds: int) -> int:
    """Run a command of a cell and return its exit status.

    :param step: its output is added to ``<step>.log`` in the cell's folder.
    :param seconds: at most; then it is stopped with all that it started.
    :raises CellError: it took longer.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    with (cell.folder / f"{step}.log").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise CellError(f"{step}: stopped, since it had not ended after {seconds} s") from error
        finally:
            if process.returncode is None:
                _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a process: by an interrupt, on which pytest and the demo end what they started, or by force."""
    for how in (signal.SIGINT, signal.SIGKILL):
        os.killpg(process.pid, how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return


def find_uv() -> str:
    """The path of uv, which is installed into ``build/matrix`` if it is missing."""
    found = shutil.which("uv")
    if found:
        return found
    own = WORK / "uv" / "bin"
    if not own.joinpath("uv").exists():
        subprocess.run([sys.executable, "-m", "venv", own.parent], check=True)
        subprocess.run([own / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(own / "uv")


def find_python(version: str) -> str:
    """The path of an installed Python, or its bare version for uv to fetch.

    A ``python3.12`` on PATH may be pyenv's launcher of a version that is not selected, so each candidate is tried.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    candidates = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python{version}"))]
    for candidate in map(str, filter(None, candidates)):
        asked = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and asked.stdout.startswith(f"Python {version}."):
            return candidate
    return version


def install(cell: Cell, uv: str, *more: str) -> None:
    """Make the cell's environment: Airflow first, then the provider beside it, without changing Airflow's packages.

    :param uv: the path of uv.
    :param more: what is installed beside it, as uv takes it.
    :raises CellError: a Python or a package cannot be installed.
    """
    shutil.rmtree(cell.folder, ignore_errors=True)
    cell.folder.mkdir(parents=True)
    environment = cell.folder / "venv"
    if run(cell, "install", [uv, "venv", "--python", find_python(cell.python), environment], INSTALL_SECONDS):
        raise CellError(f"not installed: no Python {cell.python} was found, and it could not be fetched")
    into = [uv, "pip", "install", "--python", str(cell.interpreter)]
    if cell.pinned:
        into += ["--constraint", "constraints.txt"]
    published_before = ["--exclude-newer", cell.as_of] if cell.as_of else []
    airflow = [*into, *published_before, f"apache-airflow=={cell.airflow}"]
    if cell.end:
        # Together: Airflow alone takes a python-dateutil that is newer than what botocore takes.
        airflow += ["--editable", f".[{USERS_EXTRAS}]"]
    if cell.end == "lowest":
        airflow += ["--resolution", "lowest-direct"]
    if run(cell, "install", airflow, INSTALL_SECONDS):
        raise CellError(
            f"not installed: Airflow {cell.airflow} could not be installed for Python {cell.python}"
        )
    listed = subprocess.run(
        [uv, "pip", "freeze", "--exclude-editable", "--python", cell.interpreter],
        capture_output=True,
        text=True,
        check=True,
    )
    kept = cell.folder / "airflow.txt"
    kept.write_text(listed.stdout, "utf-8")
    provider = [*into, "--constraint", str(kept), "--editable", f".[{EXTRAS}]", *more]
    if run(cell, "install", provider, INSTALL_SECONDS):
        raise CellError(f"not installed: the provider's packages do not fit beside Airflow {cell.airflow}")
