"""One mapped, deferred wait for each job that the run's configuration names."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from airflow.sdk import dag, task

from airflow_video_creation.sensors.video_job import VideoJobSensor


@task
def jobs(dag_run: Any = None) -> list[str]:
    """The jobs to wait for."""
    return list(dag_run.conf["jobs"])


@dag(schedule=None, start_date=datetime(2026, 1, 1))
def waits() -> None:
    """Jobs -> waits."""
    VideoJobSensor.partial(task_id="wait", deferrable=True, timeout=4 * 3600).expand(job_id=jobs())


waits()
