"""A night that looks before it pays: what is left of the quota, which voices there are, and what a lost answer was.

Bulletins -> plan, which asks the service -> for each: storyboard job -> render -> .mp4 -> summary. The plan takes what
fits into the minutes that are left, and leaves out a bulletin whose speaker the service does not have, with the nearest
name. A try that died without knowing whether its request was accepted is settled by its retry, with a look at the
service's list of jobs: nothing is paid for twice.

What the service can be asked is named in the extra of the connection ``video_creation_default``:

    {"user_id": "...", "paths": {"quota": "/api/v1/quota", "voices": "/api/v1/voices", "jobs": "/api/v1/jobs"}}

A path that is not named is not asked, and the night goes on without that look. Set the Airflow Variable
``videos_folder`` to where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos; absent: the worker's own
folder. Trigger it with ``dry_run`` first: it looks and estimates, and makes nothing. Triggering in the UI also switches
a DAG on. This one has no schedule; a copy with one starts the run that was due, and pays for it.
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
    """One storyboard a bulletin, each with a speaker of its own."""
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
