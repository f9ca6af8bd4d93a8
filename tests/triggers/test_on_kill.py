"""What happens to a job when a person stops the task that waits for it in the triggerer."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.triggers.video_job import VideoJobTrigger

CANCEL = {"cancel": "/api/v1/job/{job_id}/cancel"}


@pytest.fixture(autouse=True)
def airflow_calls_on_kill() -> None:
    from airflow.triggers.base import BaseTrigger

    if not hasattr(BaseTrigger, "on_kill"):
        pytest.skip("below Airflow 3.3 nothing calls on_kill")


def posts(service: Any) -> list[str]:
    return [seen.path for seen in service.seen if seen.method == "POST"]


async def test_the_job_is_cancelled_where_the_connection_names_a_call_for_it(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, paths=CANCEL)
    service.will(service.reply(200, {"success": True}))

    await VideoJobTrigger("j-1").on_kill()

    assert posts(service) == ["/api/v1/job/j-1/cancel"]
    assert "Job j-1 is cancelled" in log()


async def test_the_job_is_cancelled_through_its_own_connection_as_its_user(
    connect: Any, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(service.url, paths=CANCEL)
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"])
    monkeypatch.delenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT")
    service.will(service.reply(200, {"success": True}))

    await VideoJobTrigger("j-1", video_creation_conn_id="other", user_id="editor-2").on_kill()

    assert [seen.headers["x-service-user-id"] for seen in service.seen] == ["editor-2"]


async def test_without_such_a_call_nothing_is_sent_and_the_log_says_that_the_job_goes_on(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)

    await VideoJobTrigger("j-1").on_kill()

    assert not service.seen
    assert "Job j-1 was not cancelled and goes on at the service, and may be paid for" in log()
    assert "paths names no cancel" in log()


@pytest.mark.parametrize("answer", ["403", "500", "reset", "refusal"])
async def test_a_job_that_could_not_be_cancelled_is_said_to_go_on(
    connect: Any, service: Any, log: Callable[[], str], answer: str
) -> None:
    connect(service.url, paths=CANCEL)
    service.will(
        service.reply(200, {"success": False, "message": "too late"}) if answer == "refusal" else answer
    )

    await VideoJobTrigger("j-1").on_kill()

    assert "Job j-1 was not cancelled and goes on" in log()
    assert len(posts(service)) == 1


async def test_a_connection_that_is_gone_breaks_nothing(log: Callable[[], str]) -> None:
    await VideoJobTrigger("j-1", video_creation_conn_id="nowhere").on_kill()

    assert "Job j-1 was not cancelled and goes on" in log()


async def test_a_wait_for_another_tasks_job_leaves_it_alone(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, paths=CANCEL)

    await VideoJobTrigger("j-1", cancel_on_kill=False).on_kill()

    assert not service.seen
    assert "job j-1, which another task submitted, goes on" in log()
