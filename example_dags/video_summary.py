"""A minute of a long video: the most important sentences, over their own pictures.

Transcript -> the most important sentences, within a target length -> storyboard -> video -> download. Before the first
run set the connection ``video_creation_default`` and the Variable (or AIRFLOW_VAR_... in the environment)

    videos_folder    where the .mp4 goes, such as s3://my_aws_connection@my-bucket/videos

Trigger it with the address of a transcript (.srt, .vtt or .json, on the web or in any storage). With the address of its
video too, the summary has the video's own pictures and sound. The service must be able to read the video, and to show a
part of it (docs/sources/transcripts.md). Without the video, a voice reads the sentences.

A formula ranks the sentences, without a model. To rank them in another way, such as with a language model, give
``extract(..., rank=...)`` your own function.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag, task

from airflow_video_creation import video_from_storyboard


@task
def make_storyboard(params: dict[str, Any]) -> dict[str, Any]:
    """Choose the sentences, and say how they look."""
    from airflow_video_creation import (
        extract,
        fetch_transcript,
        seconds_to_say,
        spoken_sentences,
        summary_video,
    )

    transcript = fetch_transcript(params["transcript"])
    sentences = spoken_sentences(transcript)
    if params["video_url"]:
        chosen = extract(sentences, params["seconds"])
    else:
        chosen = extract(
            sentences, params["seconds"], length=lambda s: seconds_to_say(s.text, transcript.language)
        )
    print(f"{len(chosen)} of {len(sentences)} sentences were chosen")
    return {
        **summary_video(
            chosen,
            title=params["title"],
            source=params["transcript"],
            video_uri=params["video_url"],
            language=transcript.language,
        ),
        "videoWidth": params["video_width"],
        "videoHeight": params["video_height"],
    }


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "transcript": Param(type="string", description="An .srt, .vtt or .json file"),
        "video_url": Param(None, type=["string", "null"], description="https://..., or nothing for a voice"),
        "seconds": Param(60, type="number", exclusiveMinimum=0, description="How long the summary may be"),
        "title": Param("Summary", type="string", description="Names the video"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def video_summary() -> None:
    """Transcript -> sentences -> storyboard -> video -> download."""
    video_from_storyboard(storyboard=make_storyboard(), destination="{{ var.value.videos_folder }}/")


video_summary()
