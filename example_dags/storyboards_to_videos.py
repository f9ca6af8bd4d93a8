"""Many storyboards become many videos in one task, within a budget.

Storyboards -> plan -> one task for all videos -> summary. The plan leaves out what is wrong or over the limits, before
anything is paid for. A refused token or a used-up quota stops the rest. If one video fails, the others are still made.
A retry makes only the missing videos. The summary says what was made and what failed.

Set the connection ``video_creation_default``, and the Airflow Variable ``videos_folder`` (or AIRFLOW_VAR_VIDEOS_FOLDER)
to where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos. Without it they go to the worker's current
folder. ``manifest.jsonl`` in the same folder has a line for each video. Replace ``make_storyboards`` with your
storyboards, each with its own videoName.

Trigger it with ``dry_run`` first: it checks and estimates, and sends nothing. Triggering a DAG in the UI also switches
it on. This one has no schedule. If your copy has one, the run that is due starts, and is paid for.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag, task

from airflow_video_creation import CreateVideosOperator, PlanVideosOperator, SummarizeVideosOperator

PRODUCTS = {
    "kettle": "The kettle boils a litre in three minutes, and switches itself off.",
    "lamp": "The lamp follows the sun: bright at noon, warm in the evening.",
    "radio": "The radio finds its stations alone, and remembers twelve of them.",
    "teapot": "The teapot keeps two cups warm for an hour.",
}


@task
def make_storyboards(params: dict[str, Any]) -> list[dict[str, Any]]:
    """One storyboard for each product, with the service's own field names."""
    return [
        {
            "videoName": f"product-{name}",
            "videoWidth": params["video_width"],
            "videoHeight": params["video_height"],
            "scenes": [
                {"text": f"Meet the {name}.", "voiceOver": True},
                {"text": text, "voiceOver": True},
            ],
        }
        for name, text in PRODUCTS.items()
    ]


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "dry_run": Param(False, type="boolean", description="Check and estimate, send nothing"),
        "max_videos": Param(20, type=["integer", "null"], description="The most videos of a run"),
        "max_minutes": Param(30, type=["number", "null"], description="Minutes of video, by the estimate"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def storyboards_to_videos() -> None:
    """Storyboards -> plan -> videos -> summary."""
    plan = PlanVideosOperator(
        task_id="plan_videos",
        storyboards=make_storyboards(),
        max_videos="{{ params.max_videos }}",
        max_minutes="{{ params.max_minutes }}",
        dry_run="{{ params.dry_run }}",
    )
    videos = CreateVideosOperator(
        task_id="make_videos",
        storyboards=plan.output,
        destination="{{ var.value.get('videos_folder', '.') }}/",
        manifest="{{ var.value.get('videos_folder', '.') }}/manifest.jsonl",
        deferrable=True,
    )
    videos >> SummarizeVideosOperator(task_id="summarize")


storyboards_to_videos()
