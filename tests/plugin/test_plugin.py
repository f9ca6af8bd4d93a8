"""Airflow loads the plugin by its entry point into each of its processes, and mounts it where others lead to."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette

from airflow_video_creation.hooks.airflow.links import page_url
from airflow_video_creation.plugin import EXTERNAL_VIEWS, VideoCreationPlugin
from airflow_video_creation.provider.quoting import quotable
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, webhook_url

LOADED_BY_IT = """
import sys
import airflow.providers.common.compat.sdk as sdk
sdk.AirflowPlugin
before = set(sys.modules)
import airflow_video_creation.plugin
print(*{name.split(".")[0] for name in set(sys.modules) - before})
"""
TI = SimpleNamespace(dag_id="films", run_id="r-1", task_id="a.b", map_index=3)
WEBHOOK = webhook_url(
    "https://airflow.example.com",
    "a-secret-of-22-letters",
    Submitter("c", "render", "d", "r", "t", 0, 1.0),
)


@pytest.fixture
async def airflow() -> Any:
    """An application with the plugin where Airflow mounts it."""
    [served] = VideoCreationPlugin.fastapi_apps
    application = Starlette()
    application.mount(served["url_prefix"], served["app"])
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="https://airflow.example.com") as client:
        yield client


def test_airflow_finds_it() -> None:
    [found] = entry_points(group="airflow.plugins", name="video_creation")
    assert found.load() is VideoCreationPlugin


def test_a_worker_loads_nothing_of_what_the_api_server_needs() -> None:
    told = subprocess.run([sys.executable, "-c", LOADED_BY_IT], capture_output=True, text=True, check=True)
    assert not {"fastapi", "httpx", "jinja2", "aiohttp", "itsdangerous", "pydantic"} & set(
        told.stdout.split()
    )


async def test_the_webhooks_that_tasks_send_lead_to_the_receiver(airflow: Any) -> None:
    assert (await airflow.post(urlsplit(WEBHOOK).path, json={})).json() == {
        "detail": "this is not a valid webhook"
    }


@pytest.mark.parametrize("page", ["preview", "video"])
async def test_the_links_of_tasks_and_the_tab_lead_to_the_pages(
    airflow: Any, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", "https://airflow.example.com")
    link = urlsplit(page_url(TI, page)).path
    tab = next(view for view in EXTERNAL_VIEWS if view["destination"] == "task_instance")
    opened = "/" + tab["href"].format(DAG_ID="films", RUN_ID="r-1", TASK_ID="a.b", MAP_INDEX=3)
    assert link == f"{opened}/{page}"
    for path in (opened, link):
        # The application above has no such task to show.
        assert "This task does not exist, or you are not allowed to see it." in (await airflow.get(path)).text


@pytest.mark.parametrize(("destination", "what"), [("dag_run", "run"), ("dag", "DAG")])
async def test_the_tabs_of_runs_and_dags_lead_to_their_pages(
    airflow: Any, destination: str, what: str
) -> None:
    [tab] = [view for view in EXTERNAL_VIEWS if view["destination"] == destination]
    page = await airflow.get("/" + tab["href"].format(DAG_ID="films", RUN_ID="r-1"))
    assert f"This {what} does not exist, or you are not allowed to see it." in page.text
    # Airflow finds a view by its route alone.
    assert len({view["url_route"] for view in EXTERNAL_VIEWS}) == len(EXTERNAL_VIEWS)


def test_no_message_quotes_a_webhook() -> None:
    assert WEBHOOK.rpartition("/")[2] not in (quotable(f"{WEBHOOK} is not reachable") or "")
