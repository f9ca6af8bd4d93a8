"""An Airflow process that runs the DAGs of one folder, one after the other: importing Airflow is slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RUNNER = Path(__file__).parent / "dag_runner.py"


class AirflowProcess:
    """Runs DAGs by ``dag_runner.py``.

    :param process: of the runner.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(
        self,
        dag_id: str,
        *,
        environment: Mapping[str, str],
        log: Path,
        params: Mapping[str, Any] | None = None,
    ) -> Any:
        """How a run of a DAG ended: its state, its tasks and their XComs.

        :param dag_id: of the DAG.
        :param environment: connections and Variables, as Airflow reads them there.
        :param log: takes what is printed.
        :param params: of the run.
        """
        asked = {
            "dag_id": dag_id,
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
def airflow_of(dags: Path, home: Path) -> Iterator[AirflowProcess]:
    """An Airflow of its own that knows the DAGs of one folder and nothing else.

    :param dags: the folder.
    :param home: takes Airflow's files.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")},
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
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
        yield AirflowProcess(process)
        assert process.stdin
        process.stdin.close()
        process.wait(60)
