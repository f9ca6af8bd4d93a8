"""Runs DAGs with ``airflow dags test``, one after the other in one process, since importing Airflow is slow.

Reads one JSON object a line: ``dag_id``, the folder ``dags``, ``params``, ``environment`` and the file ``log`` for what
is printed. Answers each with one line: the run's state, the tasks' states, and what they returned or pushed.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO


def main() -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    from airflow import settings
    from airflow.cli.cli_parser import get_parser

    from airflow_video_creation.provider.waiting import job_durations

    # The emulator's jobs are instant.
    job_durations.COLD_INTERVAL = 0.5
    for line in sys.stdin:
        asked = json.loads(line)
        os.environ.update(asked["environment"])
        settings.DAGS_FOLDER = asked["dags"]
        with Path(asked["log"]).open("w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            run(get_parser(), asked["dag_id"], Path(asked["dags"]), asked["params"])
        for name in asked["environment"]:
            del os.environ[name]
        answer(answers, asked["dag_id"])


def run(parser: Any, dag_id: str, dags: Path, params: dict[str, Any]) -> None:
    """Run a DAG once; a failed run is told by its state. Of a folder of many DAGs only its own file is parsed."""
    file = dags / f"{dag_id}.py"
    only = ["--dagfile-path", str(file)] if file.exists() else []
    arguments = parser.parse_args(["dags", "test", dag_id, "--conf", json.dumps(params), *only])
    with suppress(SystemExit):
        arguments.func(arguments)


def answer(answers: TextIO, dag_id: str) -> None:
    """Tell how the DAG's last run ended."""
    from airflow.models.dagrun import DagRun
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session
    from sqlalchemy import select

    with create_session() as session:
        last = session.scalars(
            select(DagRun).where(DagRun.dag_id == dag_id).order_by(DagRun.id.desc())
        ).first()
        told: dict[str, Any] = {"state": None, "tasks": [], "xcoms": []}
        if last is not None:
            told["state"] = str(last.state)
            told["tasks"] = [[t.task_id, t.map_index, str(t.state)] for t in last.get_task_instances()]
            rows = session.scalars(
                select(XComModel).where(XComModel.dag_id == dag_id, XComModel.run_id == last.run_id)
            )
            told["xcoms"] = [[row.task_id, row.key, row.map_index, row.value] for row in rows]
    print(json.dumps(told), file=answers, flush=True)


if __name__ == "__main__":
    main()
