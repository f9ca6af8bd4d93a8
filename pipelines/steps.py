"""The tasks of a pipeline: articles -> storyboards or scripts -> plan -> videos -> summary."""

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
from ..provider.pipelines.field_types import is_lines, length_of
from .told_people import told_of_questions, told_of_runs

if TYPE_CHECKING:
    from ..provider.pipelines.parts import Approval, Script
    from ..provider.pipelines.settings import PipelineSettings

log = logging.getLogger(__name__)

PLAN = "plan_videos"
VIDEO_NAME = f"{{{{ ti.xcom_pull(task_ids='{PLAN}')[ti.map_index]['videoName'] }}}}"
ALL_ARTICLES = 1000
"""So many articles a run takes at most where the settings limit no number of videos (ours)."""


def add_steps(settings: PipelineSettings) -> None:
    """Put the tasks into the DAG that is being made.

    :param settings: of the pipeline.
    """
    service = _service(settings)
    articles = FetchArticlesOperator(
        task_id="fetch_articles",
        **{settings.source: _source(settings)},
        lookback="{{ params.lookback }}",
        max_articles=_max_articles(settings),
        shortest_text=settings.shortest_text,
        respect_robots=settings.respect_robots,
        allow_private_addresses=settings.allow_private_addresses,
        dry_run="{{ params.dry_run }}",
    )
    budget = settings.budget
    plan = PlanVideosOperator(
        task_id=PLAN,
        storyboards=_storyboards(settings, articles),
        max_videos="{{ params.max_videos }}",
        max_minutes="{{ params.max_minutes }}",
        dry_run="{{ params.dry_run }}",
        max_minutes_per_day=budget.max_minutes_per_day,
        max_minutes_per_month=budget.max_minutes_per_month,
        budget_timezone=budget.budget_timezone,
        carry_over=budget.carry_over,
        max_age=length_of(budget.max_age),
        on_low_quota=budget.on_low_quota,
        **service,
    )
    approval = settings.approval
    videos = _approved_videos(settings, approval, plan) if approval else _videos(settings, plan)
    told: Any = told_of_runs(settings.tell)
    videos >> SummarizeVideosOperator(
        task_id="summarize",
        fail_when=settings.fail_when,
        on_left_out=settings.on_left_out,
        on_success_callback=told or None,
    )


def _service(settings: PipelineSettings) -> dict[str, Any]:
    return {"video_creation_conn_id": settings.video_creation_conn_id, "user_id": settings.user_id}


def _source(settings: PipelineSettings) -> Any:
    source = getattr(settings, settings.source)
    return list(source) if isinstance(source, tuple) else source


def _max_articles(settings: PipelineSettings) -> int | str:
    if settings.max_articles:
        return settings.max_articles
    if settings.budget.carry_over:
        return ALL_ARTICLES
    # What is read and not made would be lost: an article belongs to the run that read it.
    return f"{{{{ params.max_videos or {ALL_ARTICLES} }}}}"


def _storyboards(settings: PipelineSettings, articles: FetchArticlesOperator) -> Any:
    if settings.script:
        return _scripts(settings, settings.script, articles).output
    return _extracts(settings)(articles.output)


def _scripts(settings: PipelineSettings, script: Script, articles: FetchArticlesOperator) -> Any:
    from ..operators.script import WriteScriptOperator

    instructions = script.instructions
    return WriteScriptOperator.partial(
        task_id="write_scripts",
        llm_conn_id=script.llm_conn_id,
        model_id=script.model_id,
        template=settings.template_layers(Path),
        seconds=script.seconds,
        on_unsupported=script.on_unsupported,
        instructions=Path(instructions) if instructions and not is_lines(instructions) else instructions,
        model_settings=script.model_settings or None,
    ).expand(article=articles.output)


def _extracts(settings: PipelineSettings) -> Any:
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
        timeout=length_of(settings.timeout),
        deferrable=True,
        max_active=settings.max_active,
        **_service(settings),
    )


def _approved_videos(settings: PipelineSettings, approval: Approval, plan: PlanVideosOperator) -> Any:
    from ..operators.approval import ApproveVideoOperator

    delivery = settings.delivery
    named: dict[str, Any] = {"map_index_template": VIDEO_NAME, **_service(settings)}
    waiting: dict[str, Any] = {
        "wait_for_completion": True,
        "deferrable": True,
        "timeout": length_of(settings.timeout),
        **named,
    }

    @task_group
    def approved_video(storyboard: dict[str, Any]) -> None:
        """One video, from its storyboard to its .mp4, if a person approves."""
        preview = CreateStoryboardOperator(task_id="preview", storyboard=storyboard, **waiting)
        answer = ApproveVideoOperator(
            task_id="approval",
            storyboard_job_id=preview.output,
            subject=f"Render “{VIDEO_NAME}”?",
            notifiers=told_of_questions(settings.tell),
            response_timeout=length_of(approval.response_timeout),
            defaults=approval.defaults,
            **named,
        )
        render = RenderVideoOperator(task_id="render", storyboard_job_id=answer.output, **waiting)
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
