"""Within two minutes: each new article of a feed becomes a video. It is ``articles_to_videos``, started by the feed.

A watcher in the triggerer polls the feed. A new entry is an event of the asset, and the event starts a run: articles ->
storyboards -> plan -> one task for all videos -> summary. Waiting is in the triggerer and holds no worker.

Each article is made into a video once. The event only says that something is new. ``fetch_articles`` reads the feed
itself and takes what no other run has. So a repeated event starts a run that finds nothing, and the next run takes what
a run could not read. Keep ``max_active_runs=1`` (docs/sources/published.md).

``max_videos`` and ``max_minutes`` limit what one run may cost. ``max_minutes_per_day`` limits what all runs on the
connection may cost in a day. (Below Airflow 3.3 it needs ``[video_creation] record_folder``.) What is over the limits
is left out. article_style.yaml, in the folder of this file, says how the videos look (docs/sources/templates.md).

To begin:

1. Set ``FEED_URL``, the Variable ``videos_folder`` (where the .mp4 files go, such as
   s3://my_aws_connection@my-bucket/videos), and the connection ``video_creation_default``.
2. Trigger a dry run by hand: it checks and estimates everything, sends nothing, and leaves the articles for later.
3. Give ``max_minutes_per_day`` a default, such as 60, set ``WATCHED = True``, and switch the DAG on.

This file comes with ``WATCHED = False``: nothing watches the feed, no run starts by itself, and nothing is paid for,
even when the DAG is switched on. What the watcher finds at its first poll starts no run. The first run that a new entry
starts also takes the articles of the last hour (``lookback``).
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import Asset, AssetWatcher, Param, dag, task

from airflow_video_creation import (
    CreateVideosOperator,
    FeedEventTrigger,
    FetchArticlesOperator,
    PlanVideosOperator,
    SummarizeVideosOperator,
)

WATCHED = False
"""With True, whenever the feed publishes something, a run starts and is paid for."""

FEED_URL = os.environ.get("AIRFLOW_VAR_ARTICLES_FEED_URL", "https://www.example.com/feed.xml")
"""The feed. The watcher needs it when this file is parsed, so it cannot be a Variable in Airflow's database."""

POLL_INTERVAL = 30
"""Seconds between two polls, unless the feed asks for more. For your own feed set ``respect_ttl=False``."""

STYLE = Path(__file__).with_name("article_style.yaml")

ARTICLES = Asset(
    "published_articles",
    watchers=[AssetWatcher(name="feed", trigger=FeedEventTrigger(FEED_URL, poll_interval=POLL_INTERVAL))]
    if WATCHED
    else [],
)


@task(show_return_value_in_logs=False)
def make_storyboards(articles: list[dict[str, Any]], params: dict[str, Any]) -> list[dict[str, Any]]:
    """Cut each article into scenes, by the rules of the style."""
    from airflow_video_creation import airflow_errors, storyboard_from_article
    from airflow_video_creation.provider.errors import ArticleError

    size = {"videoWidth": params["video_width"], "videoHeight": params["video_height"]}
    storyboards = []
    # A style that is wrong fails at once, without burning retries.
    with airflow_errors():
        for article in articles:
            try:
                storyboards.append(storyboard_from_article(article, template=STYLE) | size)
            except ArticleError as error:
                print(f"“{article.get('title')}” is left out: {error}")
    return storyboards


@dag(
    schedule=ARTICLES,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(seconds=30)},
    params={
        "lookback": Param("PT1H", type="string", description="How far back the first and manual runs look"),
        "max_videos": Param(5, type=["integer", "null"], description="The most videos of a run"),
        "max_minutes": Param(
            15, type=["number", "null"], description="Minutes of video in a run, by estimate"
        ),
        "max_minutes_per_day": Param(
            None, type=["number", "null"], description="Minutes of video a day, of all runs together"
        ),
        "dry_run": Param(False, type="boolean", description="Check and estimate, send nothing"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def published_to_videos() -> None:
    """Event -> articles -> storyboards -> videos -> summary."""
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        feed_url=FEED_URL,
        lookback="{{ params.lookback }}",
        dry_run="{{ params.dry_run }}",
    )
    plan = PlanVideosOperator(
        task_id="plan_videos",
        storyboards=make_storyboards(articles.output),
        max_videos="{{ params.max_videos }}",
        max_minutes="{{ params.max_minutes }}",
        max_minutes_per_day="{{ params.max_minutes_per_day }}",
        video_creation_conn_id="video_creation_default",
        dry_run="{{ params.dry_run }}",
    )
    videos = CreateVideosOperator(
        task_id="make_videos",
        storyboards=plan.output,
        destination="{{ var.value.videos_folder }}/",
        deferrable=True,
    )
    videos >> SummarizeVideosOperator(task_id="summarize")


published_to_videos()
