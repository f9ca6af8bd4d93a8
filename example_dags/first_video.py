"""The shortest complete pipeline: a storyboard, its preview, a render, an .mp4."""

from datetime import datetime, timedelta

from airflow.sdk import dag

from airflow_video_creation import (
    CreateStoryboardOperator,
    DownloadVideoOperator,
    RenderVideoOperator,
    VideoJobSensor,
)

STORYBOARD = {
    "videoName": "first-video",
    "scenes": [
        {"text": "Hello from Airflow.", "voiceOver": True},
        {"text": "This scene was read aloud by the service.", "voiceOver": True},
    ],
}


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    default_args={"retries": 2, "retry_delay": timedelta(seconds=30)},
    tags=["video_creation", "example"],
)
def first_video() -> None:
    """Storyboard -> preview -> render -> .mp4."""
    storyboard = CreateStoryboardOperator(task_id="storyboard", storyboard=STORYBOARD)
    preview = VideoJobSensor(task_id="preview", job_id=storyboard.output, deferrable=True)
    render = RenderVideoOperator(task_id="render", storyboard_job_id=storyboard.output)
    video = VideoJobSensor(task_id="video", job_id=render.output, deferrable=True)
    download = DownloadVideoOperator(
        task_id="download",
        job_id=render.output,
        destination="{{ var.value.get('videos_folder', '.') }}/first-video.mp4",
    )
    preview >> render
    video >> download


first_video()
