"""The DAGs of the callbacks' tests: a storyboard whose end the service reports, and the DAGs that start on it."""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG
from kill_points import KilledOnce

from airflow_video_creation.operators.job_assets import preview_ready
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator


class KilledStoryboard(KilledOnce, CreateStoryboardOperator):
    """A storyboard whose task is killed at the run's moment."""


# The retry must not begin before the service has called.
with DAG("called_back", schedule=None, default_args={"retries": 3, "retry_delay": timedelta(seconds=10)}):
    KilledStoryboard(
        task_id="work",
        wait_for_completion=True,
        deferrable=True,
        storyboard={"videoName": "{{ run_id }}", "scenes": [{"text": "A tree in the wind."}]},
    )

with DAG("on_preview", schedule=[preview_ready()]):
    EmptyOperator(task_id="seen", on_success_callback=lambda context: None)
