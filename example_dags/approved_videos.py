"""A person sees each preview before it is rendered: preview -> approval in Airflow -> video.

For each storyboard this DAG makes the preview, asks a question under "Required Actions" in Airflow, and renders and
downloads the video after a yes. After a no, or without an answer within a day, it skips the rest of that video, and
nothing is paid for its render. Waiting for the answer holds no worker.

Before the first run set the connection ``video_creation_default`` and the Variable (or AIRFLOW_VAR_... in the
environment)

    videos_folder    where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos

Answer in Airflow's UI, under Browse > Required Actions. `airflow dags test` alone waits forever. Then let ``plan``
return your own storyboards, such as those of articles_to_videos.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag, task, task_group

from airflow_video_creation import (
    ApproveVideoOperator,
    CreateStoryboardOperator,
    DownloadVideoOperator,
    RenderVideoOperator,
)

VIDEO_NAME = "{{ ti.xcom_pull(task_ids='plan')[ti.map_index]['videoName'] }}"


@task
def plan(params: dict[str, Any]) -> list[dict[str, Any]]:
    """The storyboards of this run."""
    look = {"videoWidth": params["video_width"], "videoHeight": params["video_height"]}
    texts = {
        "ferry-timetable": "From Monday on the ferry crosses the bay every half hour.",
        "market-moves": "On Saturday the market moves to the harbour, for one week only.",
    }
    return [
        {"videoName": name, "scenes": [{"text": text, "voiceOver": True}], **look}
        for name, text in texts.items()
    ]


@task_group
def approved_video(storyboard: dict[str, Any]) -> None:
    """One video, from its storyboard to its .mp4, if a person approves."""
    preview = CreateStoryboardOperator(
        task_id="preview",
        storyboard=storyboard,
        wait_for_completion=True,
        deferrable=True,
        map_index_template=VIDEO_NAME,
    )
    approval = ApproveVideoOperator(
        task_id="approval",
        storyboard_job_id=preview.output,
        subject=f"Render “{VIDEO_NAME}”?",
        response_timeout=timedelta(days=1),
        map_index_template=VIDEO_NAME,
    )
    render = RenderVideoOperator(
        task_id="render",
        storyboard_job_id=approval.output,
        wait_for_completion=True,
        deferrable=True,
        map_index_template=VIDEO_NAME,
    )
    DownloadVideoOperator(
        task_id="download",
        job_id=render.output,
        destination="{{ var.value.videos_folder }}/" + VIDEO_NAME + ".mp4",
        map_index_template=VIDEO_NAME,
    )


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def approved_videos() -> None:
    """Storyboards -> previews -> approvals -> videos."""
    approved_video.expand(storyboard=plan())


approved_videos()
