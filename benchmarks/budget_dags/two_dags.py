"""Two DAGs whose plans spend one budget at the same moments."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from airflow.sdk import DAG, task

from airflow_video_creation.operators.plan import PlanVideosOperator

MOMENT = 15.0
"""Seconds between two moments at which all plans begin that have a worker by then."""


def at_the_next_moment(context: Any) -> None:
    """Wait for the others."""
    time.sleep(MOMENT - time.time() % MOMENT)


@task
def make_storyboards(dag_run: Any = None) -> list[dict[str, Any]]:
    """Five videos of two minutes."""
    return [
        {"videoName": f"{dag_run.run_id}-{number}", "scenes": [{"text": "x", "minimumDuration": 120}]}
        for number in range(5)
    ]


for dag_id in ("spends_here", "spends_there"):
    with DAG(dag_id, schedule=None, start_date=datetime(2026, 1, 1), max_active_runs=16, max_active_tasks=16):
        PlanVideosOperator(
            task_id="plan",
            storyboards=make_storyboards(),
            max_minutes_per_day=30,
            video_creation_conn_id="video_creation_default",
            pre_execute=at_the_next_moment,
        )
