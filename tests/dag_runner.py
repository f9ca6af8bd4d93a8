"""Runs ``airflow dags test`` and other commands, one after the other in one process, since importing Airflow is slow.

Reads one JSON object a line: the command's ``arguments``, the folder ``dags``, ``environment`` and the file ``log`` for
what is printed. Answers each with one line: the command's status, and of the DAG that ``dags test`` names the run's
state, the tasks' states, and what they returned or pushed.
"""

from __future__ import annotations

import json
import os
import sys
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
            status = run(get_parser(), asked["arguments"])
        for name in asked["environment"]:
            del os.environ[name]
        answer(answers, asked["arguments"], status)


def run(parser: Any, arguments: list[str]) -> int:
    """Run a command, and tell its exit status."""
    try:
        parsed = parser.parse_args(arguments)
        parsed.func(parsed)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else bool(end.code)
    return 0


def answer(answers: TextIO, arguments: list[str], status: int) -> None:
    """Tell how the command ended, and the last run of its DAG."""
    from airflow.models.dagrun import DagRun
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session
    from sqlalchemy import select

    dag_id = arguments[2] if arguments[:2] == ["dags", "test"] else None
    with create_session() as session:
        last = session.scalars(
            select(DagRun).where(DagRun.dag_id == dag_id).order_by(DagRun.id.desc())
        ).first()
        told: dict[str, Any] = {"status": status, "state": None, "tasks": [], "xcoms": []}
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
