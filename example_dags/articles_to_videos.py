"""Every night: what a feed has published since the last run becomes videos.

Feed -> new articles -> for each: storyboard -> video -> download -> summary. The articles are mapped, so one that
fails stops no other. Waiting happens in the triggerer and holds no worker.

The summary decides how the run ends. It succeeds as soon as one video was made, and names the articles without
one: if the run failed, the next night would take, and pay for, the whole night again. Clear a failed task to try
that one article again. Retries are safe: they go on from a job that an earlier try submitted, and submit anew
only what failed at the service.

Before the first run set two Airflow Variables (or AIRFLOW_VAR_... in the environment) and the connection
``video_creation_default``:

    articles_feed_url    the address of an RSS or Atom feed
    videos_folder        where the .mp4 files go, such as s3://my_aws_connection@my-bucket/videos

A run that is triggered by hand takes a ``lookback``, how far back it looks for articles (P2D is two days).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.providers.common.compat.sdk import AirflowFailException
from airflow.sdk import Param, dag, task, task_group

from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.video import CreateVideoOperator

ARTICLE_TITLE = "{{ ti.xcom_pull(task_ids='fetch_articles')[ti.map_index]['title'] }}"


@task
def make_storyboard(article: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Cut an article into scenes, and add what all videos have in common."""
    from airflow_video_creation.provider.articles.storyboard import storyboard_from_article

    return {
        **storyboard_from_article(article, words_per_scene=30, max_scenes=5),
        "videoWidth": params["video_width"],
        "videoHeight": params["video_height"],
        "textStyles": {"verticalAlignment": "bottom", "textBackgroundColor": "rgba(17,17,17,0.7)"},
    }


@task_group
def article_to_video(article: dict[str, Any]) -> None:
    """One article, from its text to its .mp4."""
    storyboard = make_storyboard.override(map_index_template=ARTICLE_TITLE)(article)
    create_video = CreateVideoOperator(
        task_id="create_video",
        storyboard=storyboard,
        deferrable=True,
        map_index_template=ARTICLE_TITLE,
    )
    DownloadVideoOperator(
        task_id="download_video",
        job_id=create_video.output,
        destination="{{ var.value.videos_folder }}/"
        "{{ ti.xcom_pull(task_ids='article_to_video.make_storyboard', map_indexes=ti.map_index)['videoName'] }}.mp4",
        map_index_template=ARTICLE_TITLE,
    )


@task(trigger_rule="all_done", retries=0)
def summarize(ti: Any = None) -> dict[str, Any]:
    """Say which articles became videos and which did not."""
    from airflow_video_creation.provider.articles.storyboard import video_name

    articles = ti.xcom_pull(task_ids="fetch_articles")
    left_out = ti.xcom_pull(task_ids="fetch_articles", key="left_out") or []
    if articles is None:
        raise AirflowFailException("No articles were fetched; the log of the task fetch_articles says why.")
    videos = [path for path in ti.xcom_pull(task_ids=["article_to_video.download_video"]) if path]
    made = {path.rpartition("/")[2] for path in videos}
    failed = [a["url"] for a in articles if f"{video_name(a['title'], a['url'])}.mp4" not in made]
    print(
        f"{len(videos)} videos from {len(articles)} articles; {len(left_out)} articles were left out unread"
    )
    for url in failed:
        print(f"No video of {url}: the log of its failed task says why")
    if failed and not videos:
        raise AirflowFailException(f"None of {len(articles)} articles became a video; see the failed tasks.")
    return {"videos": videos, "failed": failed, "left_out": left_out}


@dag(
    schedule="0 3 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    params={
        "lookback": Param("P2D", type="string", description="How far back the first and manual runs look"),
        "video_width": Param(1280, type="integer", description="Pixels"),
        "video_height": Param(720, type="integer", description="Pixels"),
    },
    tags=["video_creation", "example"],
    doc_md=__doc__,
)
def articles_to_videos() -> None:
    """Feed -> articles -> videos -> summary."""
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        feed_url="{{ var.value.articles_feed_url }}",
        lookback="{{ params.lookback }}",
        max_articles=20,
    )
    article_to_video.expand(article=articles.output) >> summarize()


articles_to_videos()
