"""The pages about a run and about a DAG in Airflow's UI: all their videos, and the state of each."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ...provider.plugin_paths import RUN_PAGES
from ..airflow_api import AirflowApiError
from .answers import HEADERS, as_its_user, html, refusal, told_status
from .shown_run import read_run, read_runs, require_readable
from .shown_task import index_of
from .task_pages import TASK

DAG = RUN_PAGES + "/{dag_id}"
RUN = DAG + "/{run_id}"
VIDEOS, RUNS = "/videos.json", "/runs.json"
"""Below a page: what it is drawn from."""


def run_pages_router() -> APIRouter:
    """The routes of the pages (source: ours, docs/operate/ui.md)."""
    router = APIRouter()

    # Before the page of a run, or it would be taken for a DAG run of that name.
    @router.get(DAG + RUNS)
    async def list_runs(request: Request, dag_id: str) -> Response:
        """List the latest runs of a DAG."""
        try:
            async with as_its_user(request) as api:
                return _json({"runs": await read_runs(api, dag_id)})
        except AirflowApiError as error:
            return Response(status_code=told_status(error.status), headers=HEADERS)

    @router.get(DAG)
    async def show_dag(request: Request, dag_id: str) -> Response:
        """Show the latest runs of a DAG, one line each."""
        try:
            async with as_its_user(request) as api:
                await read_runs(api, dag_id)
        except AirflowApiError as error:
            return refusal(error.status, "DAG")
        return html("runs.html", 200, root="../", dag_id=dag_id)

    @router.get(RUN)
    async def show_run(request: Request, dag_id: str, run_id: str) -> Response:
        """Show the videos of a run."""
        try:
            async with as_its_user(request) as api:
                await require_readable(api, dag_id, run_id)
        except AirflowApiError as error:
            return refusal(error.status, "run")
        return html("videos.html", 200, root="../../", dag_id=dag_id, run_id=run_id)

    @router.get(RUN + VIDEOS)
    async def list_videos(
        request: Request, dag_id: str, run_id: str, seen: str = "", rows: bool = True
    ) -> Response:
        """List the videos of a run."""
        return await _videos(request, dag_id, run_id, None, seen, with_rows=rows)

    @router.get(TASK + VIDEOS)
    async def list_videos_of_task(
        request: Request, dag_id: str, run_id: str, task_id: str, map_index: str, seen: str = ""
    ) -> Response:
        """List the videos of a task that makes many."""
        return await _videos(request, dag_id, run_id, (task_id, index_of(map_index)), seen, with_rows=True)

    return router


async def _videos(
    request: Request,
    dag_id: str,
    run_id: str,
    of_task: tuple[str, int] | None,
    seen: str,
    *,
    with_rows: bool,
) -> Response:
    try:
        async with as_its_user(request) as api:
            run = await read_run(api, dag_id, run_id, of_task)
    except AirflowApiError as error:
        return Response(status_code=told_status(error.status), headers=HEADERS)
    return _json(run.to_json(with_rows=with_rows), seen)


def _json(value: Any, seen: str = "") -> Response:
    """The value, or nothing where the browser has it already: a night of thousands is asked for every few seconds."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    version = hashlib.sha256(content).hexdigest()[:16]
    if version == seen:
        return Response(status_code=204, headers=HEADERS)
    return Response(content, headers={**HEADERS, "X-Version": version}, media_type="application/json")
