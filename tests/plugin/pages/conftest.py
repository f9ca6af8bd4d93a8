"""A task that tells of a job, and the pages about it, below a real Airflow API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi import FastAPI

from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob

OURS = {"video_creation_conn_id": "video_creation_default", "user_id": None}
"""What Airflow has rendered for a task of ours."""
Get = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
def told(airflow: Any) -> Callable[..., Awaitable[None]]:
    """Lets the task tell of its job; ``rendered`` are the fields that Airflow keeps of it."""

    async def tell(value: Any, rendered: dict[str, Any] | None = OURS) -> None:
        from airflow.models.renderedtifields import RenderedTaskInstanceFields
        from airflow.utils.session import create_session

        ti = SimpleNamespace(
            dag_id=airflow.task.dag_id,
            run_id=airflow.task.run_id,
            task_id=airflow.task.task_id,
            map_index=-1,
            task=None,
        )
        if rendered:
            with create_session() as session:
                session.merge(
                    RenderedTaskInstanceFields(ti, render_templates=False, rendered_fields=dict(rendered))
                )
        value = value.to_json() if isinstance(value, ShownJob) else value
        # httpx would refuse to send NaN, which Airflow takes.
        reply = await airflow.client.post(
            f"{airflow._path}/xcomEntries",
            content=json.dumps({"key": JOB_KEY, "value": value}),
            headers={"content-type": "application/json"},
        )
        assert reply.is_success, reply.text

    return tell


@pytest.fixture
async def get(
    airflow_app: Any, airflow: Any, connect: Callable[..., None], service: Any, now: Any
) -> AsyncIterator[Get]:
    """Asks for a page about the task, as a user or as nobody."""
    from airflow_video_creation.plugin.airflow_app import AIRFLOW_APP
    from airflow_video_creation.plugin.pages.recent_jobs import RecentJobs
    from airflow_video_creation.plugin.pages.task_pages import task_pages_router

    connect(service.url)
    jobs = RecentJobs(now)
    pages = FastAPI()
    pages.include_router(task_pages_router(jobs))

    async def below_airflow(scope: Any, receive: Any, send: Any) -> None:
        await pages({**scope, AIRFLOW_APP: airflow_app}, receive, send)

    async def ask(page: str = "", user: str | None = "viewer", **task: str) -> httpx.Response:
        headers = {}
        if user:
            login = {"username": user, "password": f"{user}-word"}
            token = (await airflow.client.post("/auth/token", json=login)).json()["access_token"]
            headers["Cookie"] = f"_token={token}"
        names = {
            "dag_id": "submits",
            "run_id": airflow.task.run_id,
            "task_id": "storyboard",
            "map_index": "{MAP_INDEX}",
        }
        path = "/tasks/" + "/".join(quote(value, safe="") for value in {**names, **task}.values())
        transport = httpx.ASGITransport(app=below_airflow)
        async with httpx.AsyncClient(transport=transport, base_url="http://airflow.example.com") as client:
            return await client.get(path + page, headers=headers)

    yield ask
    await jobs.close()


class Night:
    """A run of a DAG, whose tasks a test lets have ended somehow."""

    def __init__(self, run_id: str, dag_id: str = "night") -> None:
        self.run_id = run_id
        self.dag_id = dag_id

    def has(
        self,
        task_id: str,
        map_index: int,
        state: str,
        xcoms: dict[str, Any] | None = None,
        store: dict[str, Any] | None = None,
        *,
        rendered: Iterable[str] = (),
    ) -> None:
        """Let a task instance be in a state, and have pushed and stored something.

        ``rendered`` are the template fields that tell its role, beside those of each task of ours.
        """
        from airflow.models.renderedtifields import RenderedTaskInstanceFields
        from airflow.models.taskinstance import TaskInstance
        from airflow.models.xcom import XComModel
        from airflow.utils.session import create_session

        where = {"dag_id": self.dag_id, "run_id": self.run_id, "task_id": task_id, "map_index": map_index}
        with create_session() as session:
            ti = session.query(TaskInstance).filter_by(**where).one()
            ti.state, ti.try_number = state, 1
            session.query(XComModel).filter_by(**where).delete()
            for key, value in (xcoms or {}).items():
                made = XComModel(dag_run_id=ti.dag_run.id, key=key, value=json.dumps(value), **where)
                session.add(made)
            if rendered:
                named = SimpleNamespace(**where, task=None)
                fields = {**dict.fromkeys(rendered), **OURS}
                session.merge(
                    RenderedTaskInstanceFields(named, render_templates=False, rendered_fields=fields)
                )
            if store:
                from airflow.models.task_state_store import TaskStateStoreModel

                for key, value in store.items():
                    session.add(
                        TaskStateStoreModel(
                            dag_run_id=ti.dag_run.id, key=key, value=json.dumps(value), **where
                        )
                    )


@pytest.fixture
def run_of(airflow: Any) -> Callable[[str], Awaitable[Night]]:
    """Makes a run of a DAG."""

    async def make(dag_id: str) -> Night:
        run = await airflow.ask("POST", f"/api/v2/dags/{dag_id}/dagRuns", json={"logical_date": None})
        return Night(run["dag_run_id"], dag_id)

    return make


@pytest.fixture
async def night(run_of: Any) -> Night:
    """A run of the DAG ``night``."""
    return await run_of("night")


@pytest.fixture
async def steps(run_of: Any) -> Night:
    """A run of the DAG ``steps``."""
    return await run_of("steps")


class Ask:
    """Asks for a page of the plugin, as a user or as nobody; counts what Airflow is asked for it."""

    def __init__(self, airflow: Any, airflow_app: Any, night: Night, pages: FastAPI) -> None:
        self._airflow, self._app, self._night, self.pages = airflow, airflow_app, night, pages
        self.asked: list[str] = []
        self.state = airflow_app.state

    async def __call__(self, path: str, user: str | None = "viewer") -> httpx.Response:
        headers = {}
        if user:
            login = {"username": user, "password": f"{user}-word"}
            token = (await self._airflow.client.post("/auth/token", json=login)).json()["access_token"]
            headers["Cookie"] = f"_token={token}"
        transport = httpx.ASGITransport(app=self._below_airflow)
        path = path.replace("{run}", quote(self._night.run_id, safe=""))
        async with httpx.AsyncClient(transport=transport, base_url="http://airflow.example.com") as client:
            return await client.get(path, headers=headers)

    async def _below_airflow(self, scope: Any, receive: Any, send: Any) -> None:
        from airflow_video_creation.plugin.airflow_app import AIRFLOW_APP

        await self.pages({**scope, AIRFLOW_APP: self._counting}, receive, send)

    async def _counting(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        await self._app(scope, receive, send)


@pytest.fixture
async def ask(
    airflow_app: Any, airflow: Any, night: Night, connect: Callable[..., None], service: Any, now: Any
) -> AsyncIterator[Ask]:
    """Asks for any page of the plugin."""
    from airflow_video_creation.plugin.pages.recent_jobs import RecentJobs
    from airflow_video_creation.plugin.pages.run_pages import run_pages_router
    from airflow_video_creation.plugin.pages.task_pages import task_pages_router

    connect(service.url)
    jobs = RecentJobs(now)
    pages = FastAPI()
    pages.include_router(task_pages_router(jobs))
    pages.include_router(run_pages_router())
    yield Ask(airflow, airflow_app, night, pages)
    await jobs.close()
