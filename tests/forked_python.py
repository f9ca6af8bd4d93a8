"""Runs programs in processes of their own: forks of one that has imported Airflow, since that is slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

needs_forked_python = pytest.mark.xdist_group("forked_python")
"""Marks tests that share the process, on however many processes the tests run."""

FORKING = """
import json, os, sys
from airflow.sdk import DAG

for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        output = os.open(asked["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ.clear()
        os.environ.update(asked["environment"])
        exec(asked["program"], {"__name__": "__main__"})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Ended(NamedTuple):
    """How a program ended, and what it printed."""

    status: int
    printed: str


class ForkedPython:
    """Runs programs, one after the other.

    :param process: that is forked.
    :param folder: takes what they print.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process = process
        self._output = folder / "output"

    def run(self, program: str) -> Ended:
        """Run a program in a process of its own, in the environment of the test."""
        asked = {"program": program, "output": str(self._output), "environment": dict(os.environ)}
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return Ended(int(self._process.stdout.readline()), self._output.read_text())


@contextmanager
def forked_python_in(folder: Path) -> Iterator[ForkedPython]:
    """Have the process for a while.

    :param folder: takes what programs print.
    """
    with subprocess.Popen(
        [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield ForkedPython(process, folder)
        assert process.stdin
        process.stdin.close()
