"""An Airflow plugin of the demo: writes what happens to tasks and to the run as JSON lines.

Airflow loads it from the demo's plugins folder, in the process that runs the DAG.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from airflow.listeners import hookimpl
from airflow.plugins_manager import AirflowPlugin

from airflow_video_creation.demo.airflow_plugin import STEPS_FILE


def _tell(**step: Any) -> None:
    if path := os.environ.get(STEPS_FILE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": time.time(), **step}) + "\n")


def _tell_task(state: str, task_instance: Any, error: object = None) -> None:
    map_index = getattr(task_instance, "map_index", -1)
    result = None
    if state == "success":
        result = task_instance.xcom_pull(task_ids=task_instance.task_id, map_indexes=map_index)
    _tell(
        state=state,
        task=task_instance.task_id,
        map_index=map_index,
        count=len(result) if isinstance(result, list) else None,
        files=[item["file"] for item in result or () if isinstance(item, dict) and item.get("file")]
        if isinstance(result, list)
        else [],
        error=str(error) if error else None,
    )


@hookimpl
def on_task_instance_running(previous_state: Any, task_instance: Any) -> None:
    """Report that a task is running."""
    _tell_task("running", task_instance)


@hookimpl
def on_task_instance_success(previous_state: Any, task_instance: Any) -> None:
    """Report that a task succeeded."""
    _tell_task("success", task_instance)


@hookimpl
def on_task_instance_failed(previous_state: Any, task_instance: Any, error: Any) -> None:
    """Report that a task failed."""
    _tell_task("failed", task_instance, error)


@hookimpl
def on_dag_run_success(dag_run: Any, msg: str) -> None:
    """Report that the run succeeded."""
    _tell(state="success", run=dag_run.run_id)


@hookimpl
def on_dag_run_failed(dag_run: Any, msg: str) -> None:
    """Report that the run failed."""
    _tell(state="failed", run=dag_run.run_id)


class TellStepsPlugin(AirflowPlugin):
    """Makes this module's hooks known to Airflow."""

    name = "video_creation_demo_steps"
    listeners = [sys.modules[__name__]]  # noqa: RUF012 - Airflow declares it this way
