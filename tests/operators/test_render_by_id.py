"""A service that renders by the storyboard's job id: no settings are read or sent, whatever their size."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, ConfigurationError

from ..told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
RENDER = "/api/v1/video/render"
SCENES = [{"text": "a scene " * 1000}] * 400
"""About 3 MiB."""


@pytest.fixture
def by_id(connect: Any, service: Any) -> Any:
    """A service that takes a storyboard as s-1, and renders it as r-1 by that id; no job of more than 1 MiB is read."""
    connect(service.url, render_by_id=True, max_reply_mib=1)
    service.will(service.reply(200, {"job_id": "s-1"}), on="/api/v1/video/storyboard")
    service.will(service.reply(200, {"job_id": "r-1"}), on=f"{RENDER}/s-1")
    service.will(service.job("completed", render_settings={"scenes": SCENES}), on="/api/v1/job/s-1")
    service.will(service.job("completed", videoURL="https://v"), on="/api/v1/job/r-1")
    return service


def render(deferrable: bool = False, **arguments: Any) -> RenderVideoOperator:
    given = {"storyboard_job_id": "s-1", "poll_interval": 0.01, **arguments}
    return RenderVideoOperator(task_id="t", deferrable=deferrable, **given)


def video(deferrable: bool = False) -> CreateVideoOperator:
    return CreateVideoOperator(task_id="t", storyboard=STORYBOARD, deferrable=deferrable, poll_interval=0.01)


def create(deferrable: bool = False) -> CreateStoryboardOperator:
    return CreateStoryboardOperator(
        task_id="t",
        storyboard=STORYBOARD,
        deferrable=deferrable,
        poll_interval=0.01,
        wait_for_completion=True,
    )


def asked(service: Any) -> list[tuple[str, str]]:
    return [(seen.method, seen.path) for seen in service.seen]


def test_the_storyboard_is_not_read_before_it_is_rendered(by_id: Any, task: Any) -> None:
    assert render().execute(task.context()) == "r-1"

    assert asked(by_id) == [("PUT", f"{RENDER}/s-1")]
    assert by_id.seen[0].body == b"{}"


def test_a_retry_resumes_the_render(by_id: Any, task: Any, run: Any, deferrable: bool) -> None:
    run(render, task, deferrable, wait_for_completion=True)
    task.retry()

    assert run(render, task, deferrable, wait_for_completion=True)["video_url"] == "https://v"
    assert asked(by_id).count(("PUT", f"{RENDER}/s-1")) == 1


@pytest.mark.parametrize("fault", ["503", "reset", "truncated"])
def test_a_render_in_doubt_is_not_sent_again(by_id: Any, task: Any, fault: str) -> None:
    by_id.will(fault, on=f"{RENDER}/s-1")

    with pytest.raises(AmbiguousSubmissionError, match=rf"\(PUT {RENDER}/s-1\)"):
        render().execute(task.context())
    assert len(by_id.seen) == 1


def test_it_follows_no_redirect(by_id: Any, task: Any) -> None:
    by_id.will(by_id.reply(307, b"", location=f"{RENDER}/s-1/now"), on=f"{RENDER}/s-1")

    with pytest.raises(Exception, match="which is not followed"):
        render().execute(task.context())
    assert len(by_id.seen) == 1


def test_settings_alone_are_refused_before_anything_is_sent(by_id: Any, task: Any) -> None:
    with raises_telling(
        ConfigurationError,
        r"Nothing was sent\. Pass storyboard_job_id= instead, or remove render_by_id",
    ):
        render(storyboard_job_id=None, render_settings={"scenes": 1}).execute(task.context())
    assert not by_id.seen
    assert not task.store.values


def test_a_video_of_a_storyboard_of_any_size_is_made(
    by_id: Any, task: Any, run: Any, deferrable: bool
) -> None:
    assert run(video, task, deferrable)["video_url"] == "https://v"

    assert [method for method, path in asked(by_id) if path.startswith(RENDER)] == ["PUT"]
    assert task.record("storyboard")["state"] == "completed"


def test_a_storyboard_of_any_size_is_waited_for(by_id: Any, task: Any, run: Any, deferrable: bool) -> None:
    job = run(create, task, deferrable)

    assert (job["job_id"], job["state"], job["render_settings"]) == ("s-1", "completed", None)


def test_what_the_triggerer_saw_completed_is_not_read_again(by_id: Any, task: Any, run: Any) -> None:
    by_id.will(by_id.job("completed", render_settings={"scenes": 1}), on="/api/v1/job/s-1")

    run(video, task, deferrable=True)

    assert asked(by_id).count(("GET", "/api/v1/job/s-1")) == 1


def test_the_webhook_is_all_that_is_sent(ask: Any, connect: Any, service: Any, task: Any) -> None:
    connect(
        service.url,
        render_by_id=True,
        marker_field="videoDescription",
        callback_base_url="https://airflow.example.com/af",
        webhook_secret="sixteen letters!",
    )
    service.will(service.reply(200, {"job_id": "r-1"}), on=f"{RENDER}/s-1")

    render().execute(task.context())

    assert list(json.loads(service.seen[0].body)) == ["webhook"]


def test_where_settings_are_sent_a_large_storyboard_is_read(
    connect: Any, by_id: Any, task: Any, run: Any, deferrable: bool
) -> None:
    connect(by_id.url)
    by_id.will(by_id.reply(200, {"job_id": "r-1"}), on=RENDER)

    assert run(video, task, deferrable)["video_url"] == "https://v"

    [sent] = [seen for seen in by_id.seen if seen.path == RENDER]
    assert (sent.method, json.loads(sent.body)) == ("POST", {"scenes": SCENES})


@pytest.mark.parametrize("store", [True, False], ids=["records", "below 3.3"])
def test_a_storyboard_that_runs_and_answers_at_length_is_waited_for_again(
    connect: Any, by_id: Any, make_task: Any, event_of: Any, store: bool
) -> None:
    connect(by_id.url)
    by_id.will(by_id.job("in-progress", echo=SCENES), on="/api/v1/job/s-1")
    task = make_task(store=store)
    with pytest.raises(TaskDeferred) as first:
        create(deferrable=True).execute(task.context())
    event = event_of(first.value.trigger)

    with pytest.raises(TaskDeferred) as again:
        create(deferrable=True).resume_execution("execute_complete", {"event": event}, task.context())

    given, kept = first.value.trigger, again.value.trigger
    assert (kept.job_id, kept.deadline, kept.submitted_at) == ("s-1", given.deadline, given.submitted_at)
    assert (kept.kind, kept.poll_interval, again.value.method_name) == ("storyboard", 60, "execute_complete")
