"""The DAG of the browser tests: a task for each thing that the UI can show."""

from __future__ import annotations

import os
from datetime import timedelta

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.video_group import video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.sensors.video_job import VideoJobSensor


def storyboard(name: str, *texts: str) -> dict[str, object]:
    return {
        "videoName": name,
        "videoWidth": "640",
        "videoHeight": "360",
        "scenes": [{"text": text} for text in texts],
    }


MILL = storyboard(
    "tide-mill",
    "The tide mill turns twice a day.",
    "It has ground flour since 1750.",
    "Now it makes light as well.",
)

VIDEOS = os.environ.get("VIDEOS_FOLDER", "/tmp/videos/")

# Airflow takes a task that is resumed at once for one that ended without a word, now and then: a retry goes on.
RETRIES = {"retries": 3, "retry_delay": timedelta(seconds=1)}

with DAG("films", schedule=None, max_active_tasks=4, default_args=RETRIES):
    preview = CreateStoryboardOperator(
        task_id="preview", storyboard=MILL, wait_for_completion=True, deferrable=True, poll_interval=1
    )
    VideoJobSensor(task_id="watch", job_id="{{ ti.xcom_pull('preview')['job_id'] }}").set_upstream(preview)
    ApproveVideoOperator(
        task_id="approve", storyboard_job_id="{{ ti.xcom_pull('preview')['job_id'] }}"
    ).set_upstream(preview)
    CreateVideoOperator(task_id="video", storyboard=MILL, deferrable=True, poll_interval=1)
    CreateVideoOperator.partial(task_id="many", deferrable=True, poll_interval=1).expand(
        storyboard=[storyboard(f"film-{number}", f"This is film {number}.") for number in (1, 2)]
    )
    CreateStoryboardOperator(
        task_id="failing",
        retries=0,
        storyboard=storyboard("failing", "This cannot be drawn."),
        wait_for_completion=True,
        deferrable=True,
        poll_interval=1,
    )
    CreateStoryboardOperator(
        task_id="slow",
        storyboard=storyboard("slow", "This takes its time."),
        wait_for_completion=True,
        deferrable=True,
        video_creation_conn_id="video_creation_slow",
    )
    video_from_storyboard.override(group_id="delivered").partial(destination=VIDEOS, poll_interval=1).expand(
        storyboard=[storyboard("city-swifts", "Swifts nest in the walls of the city.")]
    )
    CreateVideosOperator(
        task_id="all",
        storyboards=[
            storyboard("winter-bread", "Rye bread keeps all winter."),
            storyboard("failing", "This cannot be drawn."),
        ],
        destination=VIDEOS,
        on_failure="succeed",
        poll_interval=1,
    )
    EmptyOperator(task_id="other", on_success_callback=lambda context: None)
