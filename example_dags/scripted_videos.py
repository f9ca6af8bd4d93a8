"""A language model writes scripts of articles, and the videos show nothing that the articles do not say.

Feed -> new articles -> a script each, compared with its article -> plan -> one task for all videos -> summary. If a
script is wrong, the model gets one chance to correct it. If it is still wrong, or the answer is nonsense, the video
shows the article's own text. The JSON file of each video says what was compared and found (docs/sources/scripts.md).
This DAG needs the extra ``[ai]``.

Before the first run set two Airflow Variables (or AIRFLOW_VAR_... in the environment) and two connections:

    articles_feed_url         the address of an RSS or Atom feed
    videos_folder             where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos
    video_creation_default    the text-to-video service
    pydanticai_default        the model: type pydanticai, its key as password, {"model": "..."} as extra; the model
                              "test" answers nonsense, and costs nothing

article_style.yaml, in the folder of this file, says how the videos look (docs/sources/templates.md). This file has no
schedule: try a ``dry_run`` first, which asks the model and pays for no video.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from airflow.sdk import Param, dag

from airflow_video_creation import (
    CreateVideosOperator,
    FetchArticlesOperator,
    PlanVideosOperator,
    SummarizeVideosOperator,
    WriteScriptOperator,
)


@dag(
    schedule=None,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "lookback": Param("P2D", type="string", description="How far back the first and manual runs look"),
        "seconds": Param(45, type="number", description="How long each script is to be"),
        "max_videos": Param(20, type=["integer", "null"], description="The most videos of a run"),
        "dry_run": Param(False, type="boolean", description="Write and compare scripts, make no video"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def scripted_videos() -> None:
    """Feed -> articles -> scripts -> videos -> summary."""
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        feed_url="{{ var.value.articles_feed_url }}",
        lookback="{{ params.lookback }}",
        dry_run="{{ params.dry_run }}",
    )
    scripts = WriteScriptOperator.partial(
        task_id="write_scripts",
        llm_conn_id="pydanticai_default",
        template=Path(__file__).with_name("article_style.yaml"),
        seconds="{{ params.seconds }}",
        on_unsupported="fall_back",
    ).expand(article=articles.output)
    plan = PlanVideosOperator(
        task_id="plan_videos",
        storyboards=scripts.output,
        max_videos="{{ params.max_videos }}",
        dry_run="{{ params.dry_run }}",
    )
    videos = CreateVideosOperator(
        task_id="make_videos",
        storyboards=plan.output,
        destination="{{ var.value.videos_folder }}/",
        sidecar=True,
        deferrable=True,
    )
    videos >> SummarizeVideosOperator(task_id="summarize")


scripted_videos()
