"""One Airflow process that runs the DAGs of all tests, one after the other: importing Airflow is slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

RUNNER = Path(__file__).parent / "dag_runner.py"

needs_airflow_process = pytest.mark.xdist_group("airflow_process")
"""Marks tests that share the process, on however many processes the tests run."""


@dataclass(frozen=True)
class Run:
    """A DAG run that has ended; the map index of a task that is not mapped is -1."""

    state: str
    tasks: Mapping[tuple[str, int], str]
    xcoms: Mapping[tuple[str, str, int], Any]
    log: str

    def xcom(self, task_id: str, key: str = "return_value", map_index: int = -1) -> Any:
        """What a task returned, or pushed under another key; None for nothing."""
        return self.xcoms.get((task_id, key, map_index))


class AirflowProcess:
    """Runs DAGs by ``dag_runner.py``.

    :param process: of the runner.
    :param home: of this Airflow.
    """

    def __init__(self, process: subprocess.Popen[str], home: Path) -> None:
        self._process = process
        self.home = home

    def run(
        self,
        dag_id: str,
        *,
        dags: Path,
        environment: Mapping[str, str],
        log: Path,
        params: Mapping[str, Any] | None = None,
    ) -> Any:
        """How a run of a DAG ended: its state, its tasks and their XComs.

        :param dag_id: of the DAG.
        :param dags: the DAGs folder of this run.
        :param environment: connections and Variables, as Airflow reads them there.
        :param log: takes what is printed.
        :param params: of the run.
        """
        # Of a folder of many DAGs only its own file is parsed.
        file = dags / f"{dag_id}.py"
        only = ["--dagfile-path", str(file)] if file.exists() else []
        arguments = ["dags", "test", dag_id, "--conf", json.dumps(dict(params or {})), *only]
        return self.command(arguments, dags=dags, environment=environment, log=log)

    def command(
        self, arguments: Sequence[str], *, dags: Path, environment: Mapping[str, str], log: Path
    ) -> Any:
        """How a command of Airflow ended, and the last run of the DAG that it names.

        :param arguments: of the command, as ``dags test my_dag``.
        :param dags: the DAGs folder of this command.
        :param environment: connections and Variables, as Airflow reads them there.
        :param log: takes what is printed.
        """
        asked = {
            "arguments": list(arguments),
            "dags": str(dags),
            "environment": dict(environment),
            "log": str(log),
        }
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, log.read_text()[-3000:]
        return json.loads(answer)


@contextmanager
def airflow_in(home: Path) -> Iterator[AirflowProcess]:
    """An Airflow of its own.

    :param home: takes Airflow's files.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")},
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "NO_PROXY": "127.0.0.1,localhost",
    }
    log = home / "migrate.log"
    with log.open("w") as file:
        migrate = [sys.executable, "-m", "airflow", "db", "migrate"]
        migrated = subprocess.run(migrate, env=environment, stdout=file, stderr=file, check=False)
        assert migrated.returncode == 0, log.read_text()
    with subprocess.Popen(
        [sys.executable, RUNNER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        yield AirflowProcess(process, home)
        assert process.stdin
        process.stdin.close()
        process.wait(60)
