"""The pages about a task in Airflow's UI: the tab with its preview or video, and what the two links lead to.

The plugin's pages are below no check of Airflow's. So each page asks Airflow's own API for the task, with the cookie or
token of the user who asks, and what Airflow does not show him is not shown here.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jinja2
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...provider.errors import VideoCreationError
from ...provider.models.job import Job
from ...provider.plugin_paths import TASK_PAGES
from ..airflow_api import AirflowApi, AirflowApiError
from ..airflow_app import airflow_app
from .recent_jobs import READ_SECONDS, RecentJobs
from .shown_task import ShownTask, TaskIdentity, read_task
from .task_facts import Media, TaskFacts, media_url, unread, with_job, without_job

TASK = TASK_PAGES + "/{dag_id}/{run_id}/{task_id}/{map_index}"
CREDENTIALS = ("authorization", "cookie")
"""The headers by which Airflow knows its user."""
SECURITY_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
    "frame-src http: https:; media-src http: https:; img-src http: https:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer: media URLs are capabilities, kept by no cache and told to no other site."""
REFUSALS = {
    401: ("You are not logged in", "Log in to Airflow, and open this page again."),
    403: ("Nothing to show", "There is no such task, or you may not see it."),
    503: ("Airflow cannot say", "Airflow's API does not answer now. Try again in a moment."),
}

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def task_pages_router(
    jobs: RecentJobs | None = None, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """The routes of the pages (source: ours, docs/ui.md).

    :param jobs: reads jobs at the service.
    :param clock: gives seconds that never go back.
    """
    router = APIRouter()
    recent = jobs or RecentJobs(clock)

    @router.get(TASK)
    async def show_task(request: Request, dag_id: str, run_id: str, task_id: str, map_index: str) -> Response:
        """Show the preview or the video of a task, with its facts."""
        return await _page(request, recent, TaskIdentity(dag_id, run_id, task_id, _index(map_index)))

    @router.get(TASK + "/preview")
    async def lead_to_preview(
        request: Request, dag_id: str, run_id: str, task_id: str, map_index: str
    ) -> Response:
        """Lead to the preview, or say why there is none."""
        return await _page(
            request, recent, TaskIdentity(dag_id, run_id, task_id, _index(map_index)), "preview"
        )

    @router.get(TASK + "/video")
    async def lead_to_video(
        request: Request, dag_id: str, run_id: str, task_id: str, map_index: str
    ) -> Response:
        """Lead to the video, or say why there is none."""
        return await _page(request, recent, TaskIdentity(dag_id, run_id, task_id, _index(map_index)), "video")

    return router


async def _page(
    request: Request, recent: RecentJobs, identity: TaskIdentity, wanted: Media | None = None
) -> Response:
    given = {name: request.headers[name] for name in CREDENTIALS if name in request.headers}
    try:
        async with AirflowApi(airflow_app(request), given) as api:
            task = await read_task(api, identity)
    except AirflowApiError as error:
        return _refusal(error.status)
    facts, url = await _facts(recent, task, wanted)
    if url:
        return RedirectResponse(url, 303, headers=HEADERS)
    if wanted and not facts.problem:
        facts = _said_first(facts, f"There is no {wanted} {'yet' if facts.refreshes else 'here'}.")
    return _html("task.html", 200, page=facts, sandbox=_sandbox(request, facts.preview_url))


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
        return unread(task, f"The service has not answered within {READ_SECONDS:.0f} s."), None
    return with_job(task, job, storyboard), media_url(job, wanted) if wanted else None


def _said_first(facts: TaskFacts, note: str) -> TaskFacts:
    return replace(facts, notes=(note, *facts.notes))


def _refusal(status: int) -> HTMLResponse:
    """Whether a task is not there or not for this user is not told apart."""
    status = 401 if status == 401 else 403 if status < 500 else 503
    title, note = REFUSALS[status]
    return _html("task.html", status, page=TaskFacts(title, notes=(note,)), sandbox="")


def _html(template: str, status: int, **values: Any) -> HTMLResponse:
    nonce = secrets.token_urlsafe(16)
    headers = {**HEADERS, "Content-Security-Policy": SECURITY_POLICY.format(nonce=nonce)}
    return HTMLResponse(
        _templates.get_template(template).render(nonce=nonce, **values), status, headers=headers
    )


def _sandbox(request: Request, preview_url: str | None) -> str:
    """What the preview's player may do: have its own origin, unless that is Airflow's."""
    own = preview_url is not None and urlsplit(preview_url).hostname == request.url.hostname
    return "allow-scripts" if own else "allow-scripts allow-same-origin"


def _index(map_index: str) -> int:
    """Of a task that is not mapped the UI leaves the placeholder as it is."""
    return int(map_index) if map_index.isascii() and map_index.isdigit() and len(map_index) < 10 else -1
