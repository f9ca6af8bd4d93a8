"""What an operator was given reaches the service, the triggerer and the schedule of a wait on the worker."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
Make = Callable[..., Any]
GIVEN = {
    "task_id": "t",
    "video_creation_conn_id": "other",
    "user_id": "editor-2",
    "poll_interval": 7,
    "timeout": 600,
}


@pytest.fixture(autouse=True)
def other_connection(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The only connection to the service is not the default one."""
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"])
    monkeypatch.delenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT")


@pytest.fixture
def make(clock: Any) -> Make:
    """An operator whose time passes only while it sleeps: ``make(RenderVideoOperator, storyboard_job_id="s-1")``."""

    def made(kind: type[Any], **arguments: Any) -> Any:
        operator = kind(**GIVEN, **arguments)
        operator.clock, operator.sleep = clock.time, clock.sleep
        return operator

    return made


def deferral(execute: Callable[..., Any], *arguments: Any) -> TaskDeferred:
    with pytest.raises(TaskDeferred) as deferred:
        execute(*arguments)
    return deferred.value


def told(clock: Any, job_id: str, kind: str, **others: Any) -> dict[str, Any]:
    """The trigger's arguments for a job that was submitted now."""
    return {
        "job_id": job_id,
        "video_creation_conn_id": "other",
        "user_id": "editor-2",
        "poll_interval": 7,
        "deadline": clock.now + 600,
        "kind": kind,
        "submitted_at": clock.now,
        "version": 1,
        "cancel_on_kill": True,
        # The receiver knows the connection's user only.
        "webhook": False,
        **others,
    }


def test_the_triggerer_is_told_whose_storyboard_it_waits_for_and_since_when(
    make: Make, task: Any, clock: Any
) -> None:
    operator = make(
        CreateStoryboardOperator, storyboard=STORYBOARD, wait_for_completion=True, deferrable=True
    )

    _, arguments = deferral(operator.execute, task.context()).trigger.serialize()

    assert arguments == told(clock, "s-1", "storyboard")


def test_so_it_is_of_a_render(make: Make, task: Any, clock: Any) -> None:
    operator = make(RenderVideoOperator, storyboard_job_id="s-1", wait_for_completion=True, deferrable=True)

    _, arguments = deferral(operator.execute, task.context()).trigger.serialize()

    assert arguments == told(clock, "r-1", "render")


def test_a_whole_video_has_one_deadline_and_two_submissions(make: Make, task: Any, clock: Any) -> None:
    began = clock.now
    operator = make(CreateVideoOperator, storyboard=STORYBOARD, deferrable=True)
    _, of_storyboard = deferral(operator.execute, task.context()).trigger.serialize()
    clock.sleep(100)
    event = {"version": 1, "job_id": "s-1", "outcome": "completed"}
    _, of_render = deferral(operator.storyboard_complete, task.context(), event).trigger.serialize()

    assert of_storyboard == told(clock, "s-1", "storyboard", deadline=began + 600, submitted_at=began)
    assert of_render == told(clock, "r-1", "render", deadline=began + 600)


def test_a_wait_on_the_worker_keeps_the_poll_interval(make: Make, ask: Any, task: Any, clock: Any) -> None:
    ask.will("in-progress", "in-progress", ask.job("completed", preview="https://p"), on="/api/v1/job/s-1")
    operator = make(
        CreateStoryboardOperator, storyboard=STORYBOARD, wait_for_completion=True, deferrable=False
    )

    operator.execute(task.context())

    assert clock.slept == [7, 7]


@pytest.mark.parametrize("deferrable", [False, True])
def test_every_request_is_sent_as_the_tasks_user(
    make: Make, ask: Any, task: Any, run: Any, deferrable: bool
) -> None:
    run(lambda where: make(CreateVideoOperator, storyboard=STORYBOARD, deferrable=where), task, deferrable)

    assert {seen.path for seen in ask.seen} >= {"/api/v1/video/storyboard", "/api/v1/video/render"}
    assert {seen.headers["x-service-user-id"] for seen in ask.seen} == {"editor-2"}
