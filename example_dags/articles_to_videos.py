"""Every night: what a feed has published since the last run becomes videos.

Feed -> new articles -> storyboards -> plan -> one task for all videos -> summary. If one video fails, the others are
still made. Waiting is in the triggerer and holds no worker. docs/recipes/alerts.md says how to send the summary to
Slack or by e-mail.

Each article belongs to the run that took it, and no other run takes it. The summary names the videos, the failures with
their causes, and what was left out. The run fails only if no video was made. ``max_videos`` and ``max_minutes`` limit
what a night may cost. Three failures with a cause that all videos share, such as a used-up quota, stop the rest. With
``carry_over=True`` in the plan, the next runs make what was over the limits (docs/recipes/budgets.md).

To retry failed videos, clear ``make_videos`` with "Downstream", which includes the summary. Delivered videos stay, and
are not paid for again. If you clear the whole run, it looks for articles again and makes new storyboards; videos of the
same names stay. Keep the retries: a retry resumes each job and pays nothing. It submits a job again, and perhaps pays
for it, only if the job *failed* at the service.

article_style.yaml, in the folder of this file, says how the videos look and how long they are
(docs/sources/templates.md).

Before the first run set two Airflow Variables (or AIRFLOW_VAR_... in the environment) and the connection
``video_creation_default``:

    articles_feed_url    the address of an RSS or Atom feed
    videos_folder        where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos

For a run by hand, ``lookback`` says how far back it looks for articles (P2D is two days). ``dry_run`` checks and
estimates everything, sends nothing, and leaves the articles for the next run.

Switching on a DAG that has a schedule starts a paid run at once. So this file has no schedule: try a dry run first,
then set ``SCHEDULE``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import Param, dag, task

from airflow_video_creation import (
    CreateVideosOperator,
    FetchArticlesOperator,
    PlanVideosOperator,
    SummarizeVideosOperator,
)

SCHEDULE = None
"""Set it to "0 3 * * *" for every night at three, UTC."""

STYLE = Path(__file__).with_name("article_style.yaml")


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
    schedule=SCHEDULE,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "lookback": Param("P2D", type="string", description="How far back the first and manual runs look"),
        "max_videos": Param(20, type=["integer", "null"], description="The most videos of a run"),
        "max_minutes": Param(60, type=["number", "null"], description="Minutes of video, by the estimate"),
        "dry_run": Param(False, type="boolean", description="Check and estimate, send nothing"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def articles_to_videos() -> None:
    """Feed -> articles -> storyboards -> videos -> summary."""
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        feed_url="{{ var.value.articles_feed_url }}",
        lookback="{{ params.lookback }}",
        dry_run="{{ params.dry_run }}",
    )
    plan = PlanVideosOperator(
        task_id="plan_videos",
        storyboards=make_storyboards(articles.output),
        max_videos="{{ params.max_videos }}",
        max_minutes="{{ params.max_minutes }}",
        dry_run="{{ params.dry_run }}",
    )
    videos = CreateVideosOperator(
        task_id="make_videos",
        storyboards=plan.output,
        destination="{{ var.value.videos_folder }}/",
        deferrable=True,
    )
    videos >> SummarizeVideosOperator(task_id="summarize")


articles_to_videos()
