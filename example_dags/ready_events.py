"""Videos without a waiting task: the service calls Airflow when a job has ended, and that starts the next DAG.

``submit_storyboards`` only submits. When a preview is ready, ``render_ready_previews`` submits its render. When a video
is ready, ``deliver_ready_videos`` downloads it. Nothing polls, and you need no triggerer.

Before the first run set up webhooks (docs/operate/webhooks.md; Airflow 3.3 or newer) and the Airflow Variable
``videos_folder``, where the videos go, such as ``s3://my_aws_connection@my-bucket/videos``.

- Every preview on the connection is an event, whichever DAG made it. So this DAG filters by ``dag_id``. Otherwise it
  would render, and pay for, a preview that another DAG renders itself.
- Airflow may give many events to one run. So the tasks are mapped over all of them.
- Once ``render_ready_previews`` is switched on, it renders each of these previews, and each render is paid for.
- A lost callback makes no event. Then run the DAG by hand, with the missing job ids.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Asset, Param, dag, task

from airflow_video_creation import (
    CreateStoryboardOperator,
    DownloadVideoOperator,
    RenderVideoOperator,
    preview_ready,
    video_ready,
)

PREVIEW_READY, VIDEO_READY = preview_ready(), video_ready()
NEWS = {"harbour": "The harbour opened its third gate today.", "weather": "Tomorrow it rains until noon."}
FACTS: dict[str, Any] = {
    "start_date": datetime(2026, 1, 1),
    "default_args": {"retries": 2, "retry_delay": timedelta(minutes=1)},
    "tags": ["video_creation", "example"],
    "doc_md": __doc__,
}
BY_HAND = {
    "job_ids": Param([], type="array", description="By hand: these jobs, such as those of a lost call")
}


@task
def make_storyboards() -> list[dict[str, Any]]:
    """One storyboard for each item of news, with one scene that is read aloud."""
    size = {"videoWidth": "640", "videoHeight": "360"}
    return [
        {"videoName": name, **size, "scenes": [{"text": text, "voiceOver": True}]}
        for name, text in NEWS.items()
    ]


@task
def jobs_of(ready: Asset, dag_id: str, triggering_asset_events: Any, params: dict[str, Any]) -> list[str]:
    """The jobs of a DAG whose end started this run, each once; by hand, those of the parameter."""
    extras = [event.extra for event in triggering_asset_events.get(ready, [])]
    told = dict.fromkeys(extra["job_id"] for extra in extras if extra["dag_id"] == dag_id)
    return [*told] or params["job_ids"]


@dag(schedule=None, **FACTS)
def submit_storyboards() -> None:
    """Storyboards -> jobs."""
    CreateStoryboardOperator.partial(task_id="submit").expand(storyboard=make_storyboards())


@dag(schedule=[PREVIEW_READY], params=BY_HAND, **FACTS)
def render_ready_previews() -> None:
    """Previews that are ready -> renders."""
    previews = jobs_of(PREVIEW_READY, dag_id="submit_storyboards")
    RenderVideoOperator.partial(task_id="render").expand(storyboard_job_id=previews)


@dag(schedule=[VIDEO_READY], params=BY_HAND, **FACTS)
def deliver_ready_videos() -> None:
    """Videos that are ready -> files."""
    videos = jobs_of(VIDEO_READY, dag_id="render_ready_previews")
    DownloadVideoOperator.partial(
        task_id="deliver",
        destination="{{ var.value.get('videos_folder', '.') }}/",
    ).expand(job_id=videos)


submit_storyboards()
render_ready_previews()
deliver_ready_videos()
