"""Mapped, deferred waits for the jobs that a run's configuration names, or has made."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from airflow.sdk import dag, task
from airflow.triggers.base import StartTriggerArgs

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.sensors.video_job import VideoJobSensor


@task(retries=5, retry_delay=1.0)
def jobs(dag_run: Any = None) -> list[str]:
    """The jobs to wait for."""
    return list(dag_run.conf["jobs"])


@task(retries=5, retry_delay=1.0)
def storyboards(dag_run: Any = None) -> list[dict[str, Any]]:
    """As many storyboards as the run's configuration says."""
    return [
        {"videoName": f"board-{number}", "scenes": [{"text": "A scene."}]}
        for number in range(dag_run.conf["jobs"])
    ]


class SensorThatBeginsInTheTriggerer(VideoJobSensor):
    """Begins to wait without a worker, since worker starts would take most of the benchmark's time."""

    start_from_trigger = True
    start_trigger_args = StartTriggerArgs(
        trigger_cls="airflow_video_creation.triggers.video_job.VideoJobTrigger",
        trigger_kwargs={
            "job_id": "{{ dag_run.conf['jobs'][ti.map_index] }}",
            "webhook": True,
            "cancel_on_kill": False,
        },
        next_method="execute_complete",
    )


@dag(schedule=None, start_date=datetime(2026, 1, 1))
def waits() -> None:
    """Jobs -> waits."""
    VideoJobSensor.partial(task_id="wait", deferrable=True, timeout=4 * 3600).expand(job_id=jobs())


@dag(schedule=None, start_date=datetime(2026, 1, 1), max_active_tasks=2000)
def many_waits() -> None:
    """Jobs -> waits that begin in the triggerer."""
    SensorThatBeginsInTheTriggerer.partial(
        task_id="wait", deferrable=True, timeout=4 * 3600, max_active_tis_per_dag=2000
    ).expand(job_id=jobs())


@dag(schedule=None, start_date=datetime(2026, 1, 1))
def boards() -> None:
    """Storyboards -> their previews, each awaited by the task that submitted it."""
    CreateStoryboardOperator.partial(
        task_id="wait", wait_for_completion=True, deferrable=True, timeout=4 * 3600
    ).expand(storyboard=storyboards())


waits()
many_waits()
boards()
