"""Adds voices to the service's library, and makes a video that is read by one of them.

Each task adds one voice of a speech provider. The service accepts each voice name once. So each task stores what it
added in an Airflow Variable, and sends nothing if it finds it there: you can run this DAG as often as you like. If your
service can list its voices, ``if_exists="return"`` finds them without a Variable (docs/sources/voices.md).

Your other DAGs need no task for a voice: they name it as the ``speaker``.

Before the first run set the connection ``video_creation_default``, replace the voices with yours, and set Airflow
Variables:

    videos_folder          where the .mp4 goes, such as s3://my_aws_connection@my-bucket/videos
    elevenlabs_voice_id    the voice's unique id in the provider's voice library
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Param, dag

from airflow_video_creation import AddVoiceoverTrackOperator, CreateVideoOperator, DownloadVideoOperator

SPEAKER = "newsroom-evening"
VOICES: list[dict[str, Any]] = [
    {
        "name": "newsroom-morning",
        "service": "aws",
        "engine": "neural",
        "voiceId": "Joanna",
        "language": "en-US",
        "accent": "American",
        "age": "Adult",
        "gender": "Female",
    },
    {
        "name": "newsroom-midday",
        "service": "google",
        "engine": "Neural2",
        "voiceId": "en-GB-Neural2-B",
        "language": "en-GB",
        "accent": "British",
        "age": "Adult",
        "gender": "Male",
    },
    {
        "name": SPEAKER,
        "service": "elevenlabs",
        "engine": "eleven_multilingual_v2",
        "voiceId": "{{ var.value.elevenlabs_voice_id }}",
        "language": "en-US",
        "accent": "American",
        "age": "Senior",
        "gender": "Male",
        "elevenlabsVoiceSettings": {"similarityBoost": 0.75, "stability": 0.5, "useSpeakerBoost": True},
    },
]
STORYBOARD = {
    "videoName": "new-voice",
    "videoWidth": "{{ params.video_width }}",
    "videoHeight": "{{ params.video_height }}",
    "audio": {"aiVoiceOver": {"speaker": SPEAKER}},
    "scenes": [
        {"text": "Good evening.", "voiceOver": True},
        {"text": "From tonight on, the news has a voice of its own.", "voiceOver": True},
    ],
}


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
def new_voices() -> None:
    """Voices -> a video that is read by one of them -> .mp4."""
    added = {
        voice["name"]: AddVoiceoverTrackOperator(
            task_id=f"add_{voice['service']}_voice",
            track=voice,
            variable=f"video_creation_voice_{voice['name']}",
        )
        for voice in VOICES
    }
    video = CreateVideoOperator(task_id="create_video", storyboard=STORYBOARD, deferrable=True)
    added[SPEAKER] >> video
    DownloadVideoOperator(
        task_id="download_video",
        job_id=video.output,
        destination="{{ var.value.videos_folder }}/new-voice.mp4",
    )


new_voices()
