"""The DAG of the browser tests in which a person is asked about two previews."""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk import DAG

from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator

FILMS = [
    {"videoName": name, "scenes": [{"text": text}]}
    for name, text in (("harbour", "The harbour wakes before the town."), ("heath", "The heath is in bloom."))
]

with DAG("asked", schedule=None, default_args={"retries": 3, "retry_delay": timedelta(seconds=1)}):
    preview = CreateStoryboardOperator.partial(
        task_id="preview", wait_for_completion=True, deferrable=True, poll_interval=1
    ).expand(storyboard=FILMS)
    ApproveVideoOperator.partial(task_id="approve").expand(storyboard_job_id=preview.output)
