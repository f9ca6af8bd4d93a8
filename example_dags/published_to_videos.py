"""Within two minutes: what a feed publishes becomes a video. The nightly ``articles_to_videos``, started by the feed.

A watcher in the triggerer looks at the feed. A new entry is an event of the asset, and the event starts a run:
articles -> storyboards -> plan -> one task for all videos -> summary. Waiting happens in the triggerer and holds no
worker.

Each article is made into a video once. The event only says that there is something new; ``fetch_articles`` looks at the
feed itself and takes what no run was given, so an event that comes twice starts a run that finds nothing, and what a
run could not read is the next one's. Keep ``max_active_runs=1`` (docs/build/published.md).

``max_videos`` and ``max_minutes`` limit what one run may cost; ``max_minutes_per_day`` limits what all runs on the
connection may cost in a day. (Below Airflow 3.3 it needs ``[video_creation] record_folder``.) What finds no room is
left out. How the videos look and how long they are is in article_style.yaml beside this file (docs/build/templates.md).

To begin:

1. Set ``FEED_URL``, the Variable ``videos_folder`` (where the .mp4 files go, such as
   s3://my_aws_connection@my-bucket/videos), and the connection ``video_creation_default``.
2. Trigger a dry run by hand: it checks and estimates everything, sends nothing, and leaves the articles where they are.
3. Give ``max_minutes_per_day`` a default, such as 60, set ``WATCHED = True``, and switch the DAG on.

This file comes with ``WATCHED = False``: then nothing watches the feed, no run starts by itself, and nothing is paid
for, also when the DAG is switched on. What the feed shows at the first look starts no run; the first run that something
new starts also takes the articles of the last hour (``lookback``).
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
"""Set it to True for a run, which is paid for, whenever the feed publishes something."""

FEED_URL = os.environ.get("AIRFLOW_VAR_ARTICLES_FEED_URL", "https://www.example.com/feed.xml")
"""The feed. A watcher must know it when this file is read, so no Variable in Airflow's database can hold it."""

POLL_INTERVAL = 30
"""Seconds between two looks at the feed, unless it asks for more; ``respect_ttl=False`` for a feed of your own."""

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
