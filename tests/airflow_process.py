"""One Airflow process that runs the DAGs of all tests, one after the other: importing Airflow is slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

RUNNER = Path(__file__).parent / "dag_runner.py"

needs_airflow_process = pytest.mark.xdist_group("airflow_process")
"""Marks tests that share the process, on however many processes the tests run."""


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
        asked = {
            "dag_id": dag_id,
            "dags": str(dags),
            "params": dict(params or {}),
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
