"""The pages about a task in Airflow's UI: the tab with its preview or video, and what the two links lead to.

Airflow does not check who opens the plugin's pages. So each page asks Airflow's own API for the task, with the cookie
or token of the user who asks, and what Airflow does not show him is not shown here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from ...hooks.airflow.public_api import task_instance_path
from ...provider.errors import VideoCreationError
from ...provider.models.job import Job
from ...provider.plugin_paths import TASK_PAGES
from ..airflow_api import AirflowApiError
from .answers import HEADERS, as_its_user, html, refusal, told_status
from .recent_jobs import READ_SECONDS, RecentJobs
from .shown_task import OneOfMany, ShownTask, TaskIdentity, index_of, read_task
from .task_facts import Media, TaskFacts, media_url, unread, with_job, without_job

MAX_POSTERS = 4
"""How many pictures are requested from the service at a time, for all users together (ours)."""
TASK = TASK_PAGES + "/{dag_id}/{run_id}/{task_id}/{map_index}"


async def _identity(dag_id: str, run_id: str, task_id: str, map_index: str) -> TaskIdentity:
    return TaskIdentity(dag_id, run_id, task_id, index_of(map_index))


async def _one_of_many(video: str | None = None, shard: int | None = None) -> OneOfMany | None:
    return None if video is None else OneOfMany(video, shard)


OfPath = Annotated[TaskIdentity, Depends(_identity)]
"""The task instance that a page's path names."""
OfQuery = Annotated[OneOfMany | None, Depends(_one_of_many)]
"""Which of the task's videos is asked for, where it makes many."""


def task_pages_router(
    jobs: RecentJobs | None = None, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """The routes of the pages (source: ours, docs/operate/ui.md).

    :param jobs: reads jobs at the service.
    :param clock: gives seconds that never go back.
    """
    router = APIRouter()
    recent = jobs or RecentJobs(clock)
    posters = asyncio.Semaphore(MAX_POSTERS)

    @router.get(TASK)
    async def show_task(request: Request, identity: OfPath, video: OfQuery) -> Response:
        """Show the preview or the video of a task, or of one of the videos that it makes, with its facts."""
        return await _page(request, recent, identity, one_of_many=video)

    @router.get(TASK + "/poster")
    async def lead_to_poster(request: Request, identity: OfPath, video: OfQuery) -> Response:
        """Lead to a picture of the video; 404 where there is none."""
        try:
            async with as_its_user(request) as api:
                task = await read_task(api, identity, video, job_alone=True)
        except AirflowApiError as error:
            return Response(status_code=told_status(error.status), headers=HEADERS)
        if task.job is None:
            return Response(status_code=404, headers=HEADERS)
        async with posters:
            try:
                job = await recent.job(task.job.video_creation_conn_id, task.job.user_id, task.job.job_id)
            except (VideoCreationError, TimeoutError):
                return Response(status_code=404, headers=HEADERS)
        url = media_url(job, "poster")
        return (
            RedirectResponse(url, 303, headers=HEADERS) if url else Response(status_code=404, headers=HEADERS)
        )

    @router.get(TASK + "/preview")
    async def lead_to_preview(request: Request, identity: OfPath) -> Response:
        """Lead to the preview, or say why there is none."""
        return await _page(request, recent, identity, "preview")

    @router.get(TASK + "/video")
    async def lead_to_video(request: Request, identity: OfPath) -> Response:
        """Lead to the video, or say why there is none."""
        return await _page(request, recent, identity, "video")

    return router


async def _page(
    request: Request,
    recent: RecentJobs,
    identity: TaskIdentity,
    wanted: Media | None = None,
    one_of_many: OneOfMany | None = None,
) -> Response:
    try:
        async with as_its_user(request) as api:
            task = await read_task(api, identity, one_of_many)
    except AirflowApiError as error:
        return refusal(error.status)
    if task.makes_many and one_of_many is None and wanted is None:
        return html("videos.html", 200, root="../../../../", dag_id=identity.dag_id, run_id=identity.run_id)
    facts, url = await _facts(recent, task, wanted)
    if url:
        return RedirectResponse(url, 303, headers=HEADERS)
    if wanted and not facts.problem:
        facts = _said_first(facts, f"There is no {wanted} {'yet' if facts.may_come else 'here'}.")
    sandbox, question = _sandbox(request, facts.preview_url), _question(identity)
    return html("task.html", 200, page=facts, sandbox=sandbox, question=question, form=_form(identity))


async def _facts(recent: RecentJobs, task: ShownTask, wanted: Media | None) -> tuple[TaskFacts, str | None]:
    """What the page says, and the URL of what is wanted, where it is there."""
    shown = task.job
    if shown is None:
        return without_job(task), None

    async def read(job_id: str) -> Job:
        return await recent.job(shown.video_creation_conn_id, shown.user_id, job_id)

    try:
        storyboard = None
        if wanted == "preview" and shown.storyboard_job_id:
            storyboard = await read(shown.storyboard_job_id)
            if url := media_url(storyboard, "preview"):
                return with_job(task, storyboard), url
        job = await read(shown.job_id)
        if storyboard is None and shown.storyboard_job_id and not media_url(job, "video"):
            storyboard = await read(shown.storyboard_job_id)
    except VideoCreationError as error:
        return unread(task, str(error)), None
    except TimeoutError:
        return unread(task, f"The service did not answer within {READ_SECONDS:.0f} s."), None
    return with_job(task, job, storyboard), media_url(job, wanted) if wanted else None


def _form(identity: TaskIdentity) -> str:
    """Where in Airflow's UI a person answers what the task asks."""
    dag, run, task = (quote(part, safe="") for part in (identity.dag_id, identity.run_id, identity.task_id))
    mapped = "" if identity.map_index < 0 else f"/mapped/{identity.map_index}"
    return f"dags/{dag}/runs/{run}/tasks/{task}{mapped}/required_actions"


def _question(identity: TaskIdentity) -> str:
    """Where Airflow's API has the question that the task asks a person."""
    path = task_instance_path(identity.dag_id, identity.run_id, identity.task_id)
    return f"{path}/{identity.map_index}/hitlDetails"


def _said_first(facts: TaskFacts, note: str) -> TaskFacts:
    return replace(facts, notes=(note, *facts.notes))


def _sandbox(request: Request, preview_url: str | None) -> str:
    """What the preview's player may do: have its own origin, unless that is Airflow's."""
    own = preview_url is not None and urlsplit(preview_url).hostname == request.url.hostname
    return "allow-scripts" if own else "allow-scripts allow-same-origin"
