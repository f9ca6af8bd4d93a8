"""What happens to a job when a person stops the task that waits for it in the triggerer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.triggers import job_cancelling
from airflow_video_creation.triggers.video_job import VideoJobTrigger
from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

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
    assert "Job j-1 was not cancelled: it continues at the service and may be paid for" in log()
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

    assert "Job j-1 was not cancelled: it continues" in log()
    assert len(posts(service)) == 1


async def test_a_connection_that_is_gone_breaks_nothing(log: Callable[[], str]) -> None:
    await VideoJobTrigger("j-1", video_creation_conn_id="nowhere").on_kill()

    assert "Job j-1 was not cancelled: it continues" in log()


async def test_a_wait_for_another_tasks_job_leaves_it_alone(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, paths=CANCEL)

    await VideoJobTrigger("j-1", cancel_on_kill=False).on_kill()

    assert not service.seen
    assert "Job j-1, which another task submitted, continues" in log()


def of_many(count: int, **arguments: Any) -> VideoJobsTrigger:
    return VideoJobsTrigger([{"job_id": f"j-{number}"} for number in range(count)], **arguments)


def cancel_path(number: int) -> str:
    return f"/api/v1/job/j-{number}/cancel"


async def test_all_jobs_of_a_task_are_cancelled_and_one_that_cannot_be_stops_no_other(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, paths=CANCEL)
    service.will(service.reply(200, {"success": True}))
    service.will("500", on=cancel_path(3))

    await of_many(20, user_id="editor-2").on_kill()

    assert sorted(posts(service)) == sorted(cancel_path(number) for number in range(20))
    assert {seen.headers["x-service-user-id"] for seen in service.seen} == {"editor-2"}
    assert log().count("is cancelled, because its task was stopped") == 19
    assert "Job j-3 was not cancelled: it continues" in log()


async def test_only_some_are_cancelled_at_a_time(connect: Any, service: Any, until: Any) -> None:
    connect(service.url, paths=CANCEL)
    service.will("hang")
    stopping = asyncio.create_task(of_many(20).on_kill())

    await until(lambda: len(service.seen) == job_cancelling.AT_A_TIME)
    under_way = [task for task in asyncio.all_tasks() if "cancel_jobs" in repr(task)]
    assert len(under_way) == 20
    assert len(service.seen) == job_cancelling.AT_A_TIME
    stopping.cancel()
    await asyncio.wait({stopping})


async def test_that_no_job_can_be_cancelled_is_said_once(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)

    await of_many(2000).on_kill()

    assert not service.seen
    assert log().count("not cancelled") == 1
    assert (
        "2000 jobs (j-0, j-1, j-2, j-3, j-4, ...) were not cancelled: they continue at the service" in log()
    )
    assert "paths names no cancel" in log()


async def test_a_connection_that_is_gone_is_said_once(log: Callable[[], str]) -> None:
    await of_many(3, video_creation_conn_id="nowhere").on_kill()

    assert log().count("not cancelled") == 1
    assert "3 jobs (j-0, j-1, j-2) were not cancelled" in log()
    assert "There is no Airflow connection" in log()


async def test_the_jobs_for_which_the_time_did_not_suffice_are_said_to_go_on(
    connect: Any, service: Any, log: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(service.url, paths=CANCEL)
    monkeypatch.setattr(job_cancelling, "CANCEL_TIMEOUT", 1.0)
    service.will("hang")
    service.will(service.reply(200, {"success": True}), on=cancel_path(1))

    await of_many(3).on_kill()

    assert "Job j-1 is cancelled" in log()
    assert "2 jobs (j-0, j-2) were not cancelled: they continue" in log()
    assert "no answer within 1 s" in log()


async def test_jobs_that_are_not_to_be_cancelled_are_left_alone(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, paths=CANCEL)

    await of_many(3, cancel_on_kill=False).on_kill()

    assert not service.seen
    assert "Its 3 jobs continue at the service" in log()


async def test_a_wait_for_nothing_is_killed_in_silence(connect: Any, log: Callable[[], str]) -> None:
    connect(paths=CANCEL)

    await of_many(0).on_kill()

    assert "cancelled" not in log()
