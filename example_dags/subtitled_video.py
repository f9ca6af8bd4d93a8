"""A video gets its transcript as subtitles: the same pictures and sound, with a scene for each cue.

Transcript -> storyboard -> video -> download. Before the first run set the connection ``video_creation_default`` and
the Variable (or AIRFLOW_VAR_... in the environment)

    videos_folder    where the .mp4 goes, such as s3://my_aws_connection@my-bucket/videos

Trigger it with the address of a video, which the service must be able to read, and the address of its transcript: an
.srt, .vtt or .json file on the web or in any storage, such as s3://my_aws_connection@my-bucket/talk.srt. The service
must be able to show a part of a video (docs/sources/transcripts.md): try a short video first.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag, task

from airflow_video_creation import video_from_storyboard


@task
def make_storyboard(params: dict[str, Any]) -> dict[str, Any]:
    """Lay the transcript over the video, and say how it looks."""
    from airflow_video_creation import fetch_transcript, subtitled_video

    transcript = fetch_transcript(params["transcript"])
    return {
        **subtitled_video(params["video_url"], transcript, title=params["title"]),
        "videoWidth": params["video_width"],
        "videoHeight": params["video_height"],
        "textStyles": {
            "verticalAlignment": "bottom",
            "horizontalAlignment": "center",
            "textBackgroundColor": "rgba(17,17,17,0.6)",
        },
    }


@dag(
    "subtitled_video",
    schedule=None,
    start_date=datetime(2026, 1, 1),
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "video_url": Param(
            type="string", description="https://..., see docs/sources/transcripts.md for s3://"
        ),
        "transcript": Param(type="string", description="An .srt, .vtt or .json file"),
        "title": Param("Subtitled video", type="string", description="Names the video"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def subtitled_video_dag() -> None:
    """Transcript -> storyboard -> video -> download."""
    video_from_storyboard(storyboard=make_storyboard(), destination="{{ var.value.videos_folder }}/")


subtitled_video_dag()
