"""Checks the quota and the voices before it pays, and settles a submission in doubt.

Bulletins -> plan, which asks the service -> for each: storyboard job -> render -> .mp4 -> summary. The plan takes what
fits into the minutes that are left. It leaves out a bulletin whose speaker the service does not have, and names the
nearest speaker. If a try died and its request may have been accepted, the retry looks it up in the service's list of
jobs, so nothing is paid for twice.

Name what the service can list in the extra of the connection ``video_creation_default``:

    {"user_id": "...", "paths": {"quota": "/api/v1/quota", "voices": "/api/v1/voices", "jobs": "/api/v1/jobs"}}

Without a path, the run skips that check. Set the Airflow Variable ``videos_folder`` to where the .mp4 files go, such as
s3://my_aws_connection@my-bucket/videos; without it they go to the worker's current folder. Trigger it with ``dry_run``
first: it checks and estimates, and makes nothing.

Triggering a DAG in the UI also switches it on. This one has no schedule. If your copy has one, the run that is due
starts, and is paid for.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag, task

from airflow_video_creation import PlanVideosOperator, SummarizeVideosOperator, video_from_storyboard

CONNECTION = "video_creation_default"
BULLETINS = {
    "harbour": "The harbour opens its new quay on Friday, two months early.",
    "market": "The market moves to the old station while its roof is mended.",
    "theatre": "The theatre plays outdoors this summer, whatever the weather.",
}


@task
def make_storyboards(params: dict[str, Any]) -> list[dict[str, Any]]:
    """One storyboard for each bulletin, each with its own speaker."""
    return [
        {
            "videoName": f"bulletin-{name}",
            "videoWidth": params["video_width"],
            "videoHeight": params["video_height"],
            "audio": {"aiVoiceOver": {"speaker": speaker}},
            "scenes": [{"text": text, "voiceOver": True}],
        }
        for (name, text), speaker in zip(BULLETINS.items(), params["speakers"], strict=True)
    ]


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "dry_run": Param(False, type="boolean", description="Look and estimate, make nothing"),
        "speakers": Param(["Matthew", "Joanna", "Amy"], type="array", description="One for each bulletin"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def quota_and_voices() -> None:
    """Bulletins -> a plan that asks the service -> videos -> summary."""
    plan = PlanVideosOperator(
        task_id="plan_videos",
        storyboards=make_storyboards(),
        dry_run="{{ params.dry_run }}",
        video_creation_conn_id=CONNECTION,
        on_low_quota="make_what_fits",
    )
    videos = video_from_storyboard.partial(
        destination="{{ var.value.get('videos_folder', '.') }}/",
        video_creation_conn_id=CONNECTION,
    ).expand(storyboard=plan.output)
    videos >> SummarizeVideosOperator(task_id="summarize")


quota_and_voices()
