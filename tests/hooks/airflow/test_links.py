"""The links of a task, and the XCom from which Airflow's UI knows its job."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.hooks.airflow.job_xcom import tell_of_job
from airflow_video_creation.hooks.airflow.links import PreviewLink, VideoLink, log_url, run_tab_url
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.plugin import EXTERNAL_VIEWS
from airflow_video_creation.provider.info import get_provider_info
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob
from airflow_video_creation.sensors.video_job import VideoJobSensor

TI = SimpleNamespace(dag_id="films", run_id="manual__2026-11-21T18:00:00+00:00", task_id="a.b", map_index=3)
RUN = "manual__2026-11-21T18%3A00%3A00%2B00%3A00"


@pytest.mark.parametrize(
    ("base_url", "start"),
    [
        ("https://airflow.example.com/team/", "https://airflow.example.com/team/"),
        ("https://airflow.example.com", "https://airflow.example.com/"),
        ("/", "/"),
    ],
)
def test_a_link_leads_to_a_page_that_never_expires(
    monkeypatch: pytest.MonkeyPatch, base_url: str, start: str
) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", base_url)
    task: Any = None
    page = f"{start}video_creation/tasks/films/{RUN}/a.b/3"
    assert PreviewLink().get_link(task, ti_key=TI) == f"{page}/preview"
    assert VideoLink().get_link(task, ti_key=TI) == f"{page}/video"


def test_a_notification_leads_to_the_tab_of_the_run_and_to_the_log_of_a_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", "https://airflow.example.com/team/")
    run = f"https://airflow.example.com/team/dags/films/runs/{RUN}"
    [route] = [view["url_route"] for view in EXTERNAL_VIEWS if view["destination"] == "dag_run"]

    assert run_tab_url("films", TI.run_id) == f"{run}/plugin/{route}"
    assert log_url("films", TI.run_id, "a.b", 3) == f"{run}/tasks/a.b/mapped/3"
    assert log_url("films", TI.run_id, "a.b") == f"{run}/tasks/a.b"


@pytest.mark.parametrize(
    ("task", "names"),
    [
        (CreateStoryboardOperator, ["Preview"]),
        (RenderVideoOperator, ["Preview", "Video"]),
        (CreateVideoOperator, ["Preview", "Video"]),
        (VideoJobSensor, ["Preview", "Video"]),
        (DownloadVideoOperator, ["Video"]),
    ],
)
def test_each_task_has_the_links_that_it_can_fill(task: Any, names: list[str]) -> None:
    assert [link.name for link in task.operator_extra_links] == names


def test_airflow_is_told_of_the_links() -> None:
    told = get_provider_info()["extra-links"]
    assert told == [f"{link.__module__}.{link.__qualname__}" for link in (PreviewLink, VideoLink)]


def test_a_job_is_told_without_what_is_not_known(caplog: pytest.LogCaptureFixture) -> None:
    pushed: dict[str, Any] = {}
    ti = SimpleNamespace(xcom_push=lambda key, value: pushed.update({key: value}))
    context: Any = {"ti": ti}
    shown = ShownJob("j-1", None, "video_creation_default")
    tell_of_job(context, shown, None)
    assert pushed == {
        JOB_KEY: {"job_id": "j-1", "video_creation_conn_id": "video_creation_default", "version": 1}
    }
    assert ShownJob.from_json(pushed[JOB_KEY]) == shown


def test_a_job_that_cannot_be_told_stops_no_task() -> None:
    warned: list[str] = []
    log = SimpleNamespace(warning=lambda text, *values: warned.append(text % values))

    def push(**given: Any) -> None:
        raise OSError("the API server is away")

    context: Any = {"ti": SimpleNamespace(xcom_push=push)}
    tell_of_job(context, ShownJob("j-1", None, "c"), log)
    assert warned == ["Airflow's UI cannot show job j-1: it could not be written to XCom (OSError)"]
