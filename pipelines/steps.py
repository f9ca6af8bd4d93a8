"""The tasks of a pipeline: articles -> storyboards -> plan -> videos -> summary."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import task, task_group

from ..operators.articles import FetchArticlesOperator
from ..operators.download import DownloadVideoOperator
from ..operators.plan import PlanVideosOperator
from ..operators.render import RenderVideoOperator
from ..operators.storyboard import CreateStoryboardOperator
from ..operators.summary import SummarizeVideosOperator
from ..operators.videos import CreateVideosOperator
from .told_people import told_of_questions, told_of_runs

if TYPE_CHECKING:
    from ..provider.pipelines.settings import PipelineSettings

log = logging.getLogger(__name__)

PLAN = "plan_videos"
VIDEO_NAME = f"{{{{ ti.xcom_pull(task_ids='{PLAN}')[ti.map_index]['videoName'] }}}}"
ALL_ARTICLES = 1000
"""So many articles a run takes at most where the settings limit no number of videos (ours)."""


def add_steps(settings: PipelineSettings) -> None:
    """Put the tasks into the DAG that is being made.

    :param settings: of the pipeline.
    :raises ConfigurationError: the provider of a channel is not installed.
    """
    service = _service(settings)
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        **{settings.source: _source(settings)},
        lookback="{{ params.lookback }}",
        # What is read and not made would be lost: an article belongs to the run that read it.
        max_articles=f"{{{{ params.max_videos or {ALL_ARTICLES} }}}}",
        dry_run="{{ params.dry_run }}",
    )
    plan = PlanVideosOperator(
        task_id=PLAN,
        storyboards=_storyboards(settings)(articles.output),
        max_videos="{{ params.max_videos }}",
        max_minutes="{{ params.max_minutes }}",
        dry_run="{{ params.dry_run }}",
        on_low_quota=settings.budget.on_low_quota,
        **service,
    )
    videos = _approved_videos(settings, plan) if settings.approval else _videos(settings, plan)
    told: Any = told_of_runs(settings.tell)
    videos >> SummarizeVideosOperator(task_id="summarize", on_success_callback=told or None)


def _service(settings: PipelineSettings) -> dict[str, Any]:
    return {"video_creation_conn_id": settings.video_creation_conn_id, "user_id": settings.user_id}


def _source(settings: PipelineSettings) -> Any:
    source = getattr(settings, settings.source)
    return list(source) if isinstance(source, tuple) else source


def _storyboards(settings: PipelineSettings) -> Any:
    @task(show_return_value_in_logs=False)
    def make_storyboards(articles: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Cut each article into scenes, by the rules of the pipeline."""
        from ..hooks.airflow.errors import airflow_errors
        from ..provider.errors import ArticleError
        from ..provider.pipelines.template import template_of

        storyboards = []
        # A template that is wrong fails at once, without burning retries.
        with airflow_errors():
            template = template_of(settings, Path)
            for article in articles:
                try:
                    storyboards.append(template.storyboard_of(article))
                except ArticleError as error:
                    log.warning("“%s” is left out: %s", article.get("title"), error)
        return storyboards

    return make_storyboards


def _videos(settings: PipelineSettings, plan: PlanVideosOperator) -> CreateVideosOperator:
    delivery = settings.delivery
    return CreateVideosOperator(
        task_id="make_videos",
        storyboards=plan.output,
        destination=delivery.destination,
        manifest=delivery.manifest,
        subtitles=delivery.subtitles,
        thumbnail=delivery.thumbnail,
        sidecar=delivery.sidecar,
        deferrable=True,
        **_service(settings),
    )


def _approved_videos(settings: PipelineSettings, plan: PlanVideosOperator) -> Any:
    from ..operators.approval import ApproveVideoOperator

    delivery = settings.delivery
    named: dict[str, Any] = {"map_index_template": VIDEO_NAME, **_service(settings)}
    waiting: dict[str, Any] = {"wait_for_completion": True, "deferrable": True, **named}

    @task_group
    def approved_video(storyboard: dict[str, Any]) -> None:
        """One video, from its storyboard to its .mp4, if a person approves."""
        preview = CreateStoryboardOperator(task_id="preview", storyboard=storyboard, **waiting)
        approval = ApproveVideoOperator(
            task_id="approval",
            storyboard_job_id=preview.output,
            subject=f"Render “{VIDEO_NAME}”?",
            notifiers=told_of_questions(settings.tell),
            **named,
        )
        render = RenderVideoOperator(task_id="render", storyboard_job_id=approval.output, **waiting)
        DownloadVideoOperator(
            task_id="download",
            job_id=render.output,
            destination=delivery.destination,
            video_name=VIDEO_NAME,
            subtitles=delivery.subtitles,
            thumbnail=delivery.thumbnail,
            sidecar=delivery.sidecar,
            **named,
        )

    return approved_video.expand(storyboard=plan.output)
