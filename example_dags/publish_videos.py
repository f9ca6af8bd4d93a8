"""Each new video is published: two DAGs that share only an asset.

``videos_to_publish`` makes videos and delivers them with subtitles, a thumbnail and a sidecar. The asset ``videos`` is
an outlet of its download task, so each delivered video is an event of that asset. The event describes the video.

``publish_videos`` is scheduled on the asset and prints what it would publish: put your upload into ``publish``. Airflow
may give several events to one run, so the task is mapped over them. A run by hand takes the newest video. If somebody
clears a download, the same video comes again: let ``publish`` store the job ids that it has published.

Before the first run set the connection ``video_creation_default``, and the Airflow Variable ``videos_folder``, where
the videos go, such as ``s3://my_aws_connection@my-bucket/videos``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Asset, dag, task, task_group

from airflow_video_creation import video_from_storyboard

VIDEOS = Asset("videos")

NEWS = [
    {"name": "harbour", "title": "What the harbour did", "text": "The harbour opened its third gate today."},
    {"name": "weather", "title": "What the weather will do", "text": "Tomorrow it rains until noon."},
]


@task
def make_storyboard(name: str, text: str) -> dict[str, Any]:
    """One scene, read aloud."""
    return {
        "videoName": name,
        "videoWidth": "640",
        "videoHeight": "360",
        "scenes": [{"text": text, "voiceOver": True}],
    }


@task_group
def make_and_deliver(name: str, title: str, text: str) -> None:
    """One video, from its text to its event."""
    video_from_storyboard(
        storyboard=make_storyboard(name, text),
        destination="{{ var.value.get('videos_folder', '.') }}/",
        download={
            "metadata": {"title": title},
            "subtitles": ("srt", "vtt"),
            "thumbnail": True,
            "sidecar": True,
            "outlets": [VIDEOS],
        },
    )


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def videos_to_publish() -> None:
    """Texts -> videos -> events of the asset."""
    make_and_deliver.expand_kwargs(NEWS)


@task(inlets=[VIDEOS])
def new_videos(triggering_asset_events: Any, inlet_events: Any) -> list[dict[str, Any]]:
    """The videos whose delivery started this run; by hand, the newest one."""
    events = triggering_asset_events.get(VIDEOS) or list(inlet_events[VIDEOS])[-1:]
    return [event.extra for event in events]


@task(map_index_template="{{ task.op_kwargs['video']['video_name'] }}")
def publish(video: dict[str, Any]) -> str:
    """Say what would be published; the files are read with ``ObjectStoragePath(video["path"])``."""
    print(
        f"Would publish {video['path']} ({video['duration']} s, {video['size']} bytes), job {video['job_id']}"
    )
    print(f"  title      {video['metadata']['title']}")
    print(f"  subtitles  {', '.join(video['subtitles'].values())}")
    print(f"  thumbnail  {video['thumbnail']}")
    return str(video["path"])


@dag(
    schedule=[VIDEOS],
    start_date=datetime(2026, 1, 1),
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def publish_videos() -> None:
    """Events of the asset -> published videos."""
    publish.expand(video=new_videos())


videos_to_publish()
publish_videos()
