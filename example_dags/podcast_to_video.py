"""Every day: new episodes of a podcast become videos of their most important sentences, over their cover art.

Feed -> episodes without a video -> for each: transcript -> storyboard -> video -> download. An episode of the last days
is made if its video is not in the folder. So nothing is paid for twice, and the next run picks up failed episodes and
late transcripts. The episodes are mapped: if one fails, the others are still made.

Before the first run set two Variables (or AIRFLOW_VAR_... in the environment) and the connection
``video_creation_default``:

    podcast_feed_url    the address of the podcast's RSS feed; its episodes need <podcast:transcript>
    videos_folder       where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos

Switching on a DAG that has a schedule starts a paid run at once. So this file has no schedule: set ``SCHEDULE`` when
you like the videos of a run by hand.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from airflow.sdk import ObjectStoragePath, Param, Variable, dag, task, task_group

from airflow_video_creation import video_from_storyboard

SCHEDULE = None
"""Set it to "0 5 * * *" for every day at five, UTC."""


@task
def new_episodes(params: dict[str, Any]) -> list[dict[str, Any]]:
    """Read the feed, and leave out what has a video already."""
    from dataclasses import asdict

    from airflow_video_creation import fetch_podcast

    podcast = fetch_podcast(Variable.get("podcast_feed_url"))
    folder = ObjectStoragePath(Variable.get("videos_folder"))
    # The run's date will not do: for a run that events start it is that of the first event (docs/sources/published.md).
    until = datetime.now(UTC)
    episodes = []
    for episode in podcast.published_between(until - timedelta(days=params["days"]), until):
        if episode.transcript_url is None:
            print(f"“{episode.title}” is left out: the feed names no transcript with times")
        elif not any(folder.glob(f"{episode.video_pattern}.mp4")):
            episodes.append(asdict(episode))
    chosen, waiting = episodes[: params["max_episodes"]], episodes[params["max_episodes"] :]
    print(f"{len(chosen)} of {len(podcast.episodes)} episodes get a video")
    for episode in waiting:
        print(f"“{episode['title']}” waits for the next run: max_episodes is {params['max_episodes']}")
    return chosen


@task
def make_storyboard(episode: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Choose what matters in an episode, and say how it looks."""
    from airflow_video_creation import (
        extract,
        fetch_transcript,
        seconds_to_say,
        spoken_sentences,
        storyboard_from_episode,
    )

    transcript = fetch_transcript(
        episode["transcript_url"],
        language=episode["language"],
        feed_url=Variable.get("podcast_feed_url"),
    )
    sentences = extract(
        spoken_sentences(transcript),
        params["seconds"],
        length=lambda sentence: seconds_to_say(sentence.text, transcript.language),
    )
    return {
        **storyboard_from_episode(episode, sentences),
        "videoWidth": params["video_width"],
        "videoHeight": params["video_height"],
    }


@task_group
def episode_to_video(episode: dict[str, Any]) -> None:
    """One episode, from its transcript to its .mp4."""
    video_from_storyboard(storyboard=make_storyboard(episode), destination="{{ var.value.videos_folder }}/")


@dag(
    schedule=SCHEDULE,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "days": Param(7, type="number", exclusiveMinimum=0, description="How far back episodes are taken"),
        "max_episodes": Param(3, type="integer", minimum=1, description="The most videos of a run"),
        "seconds": Param(90, type="number", exclusiveMinimum=0, description="How long a video may speak"),
        "video_width": Param(1080, type="integer", description="Pixels"),
        "video_height": Param(1080, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def podcast_to_video() -> None:
    """Feed -> episodes -> videos."""
    episode_to_video.expand(episode=new_episodes())


podcast_to_video()
