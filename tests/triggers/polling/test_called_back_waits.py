"""A callback of the service wakes the wait for its job, and polls are seldom while callbacks can come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.schedule import MIN_INTERVAL_WITH_CALLBACKS, PollSchedule
from airflow_video_creation.provider.webhooks.callback import called_back_xcom_key
from airflow_video_creation.triggers.polling.expected_callbacks import ExpectedCallbacks
from airflow_video_creation.triggers.polling.job_waiter import JobWaiter
from airflow_video_creation.triggers.polling.lessons import Lessons
from airflow_video_creation.triggers.polling.ticket import Ticket
from airflow_video_creation.triggers.video_job import VideoJobTrigger

pytestmark = pytest.mark.usefixtures("no_session_stays_open")

WEBHOOKS = {"callback_base_url": "http://127.0.0.1:9", "webhook_secret": "sixteen-characters"}


async def outcome(job_id: str, **arguments: Any) -> str:
    trigger = VideoJobTrigger(job_id, deadline=time.time() + 3600, **arguments)
    [event] = [event async for event in trigger.run()]
    return str(event.payload.get("error") or event.payload["outcome"])


async def test_a_called_back_job_ends_its_wait_long_before_the_next_poll(
    api: Any, connect: Any, service: Any, log: Callable[[], str], until: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-1", submitted_at=time.time() - 60, webhook=True))
    await until(lambda: service.seen and api.reads)
    service.will("completed")
    api.keys.append(called_back_xcom_key("j-1"))
    async with asyncio.timeout(10):
        assert await wait == "completed"
    assert len(service.seen) == 2
    assert "woken by the service's callback, poll 2" in log()


async def test_a_job_that_runs_on_after_its_callback_is_looked_at_a_few_times(
    api: Any, connect: Any, service: Any, until: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress", "in-progress", "in-progress", "completed")
    wait = asyncio.create_task(outcome("j-1", submitted_at=time.time() - 60, webhook=True))
    await until(lambda: service.seen and api.reads)
    api.keys.append(called_back_xcom_key("j-1"))
    async with asyncio.timeout(15):
        assert await wait == "completed"
    assert len(service.seen) == 4


async def test_a_wait_that_is_cancelled_leaves_nothing_behind(
    api: Any, connect: Any, service: Any, until: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-1", webhook=True))
    await until(lambda: api.reads)
    wait.cancel()
    await asyncio.wait([wait])
    await until(lambda: not _our_tasks())


def _our_tasks() -> list[str]:
    return [
        repr(task)
        for task in asyncio.all_tasks()
        if "job_waiter" in repr(task) or "callback reader" in task.get_name()
    ]


@pytest.mark.parametrize("webhook", [False, True])
async def test_nothing_is_read_where_no_callback_is_expected(
    api: Any, connect: Any, service: Any, webhook: bool
) -> None:
    connect(service.url, **({} if webhook else WEBHOOKS))
    service.will("in-progress", "completed")
    async with asyncio.timeout(10):
        assert await outcome("j-1", poll_interval=0.02, webhook=webhook) == "completed"
    assert not api.logins


@pytest.mark.parametrize("interval", [None, 5.0])
async def test_polls_are_seldom_while_callbacks_can_be_read(
    api: Any, pauses: Any, until: Any, interval: float | None
) -> None:
    learned, now = Lessons(), time.time()
    profile = ServiceProfile.from_connection(
        "c", host="https://video.example.com", password="t0ken", extra=WEBHOOKS
    )
    expected = ExpectedCallbacks(learned, time.time, pauses.sleep, lambda ticket: None)
    wait = JobWait("j-1", started_at=now, deadline=None, submitted_at=now, schedule=PollSchedule(interval))
    watch: Any = None
    log: Any = None
    ticket = Ticket(wait, watch, None, log, webhook=True, began_at=now)

    expected.read_as(profile, [ticket])
    assert expected.least_interval(ticket) == 0
    if interval:
        await until(lambda: len(api.reads) > 1)
        assert expected.least_interval(ticket) == 0
    else:
        await until(lambda: expected.least_interval(ticket) == MIN_INTERVAL_WITH_CALLBACKS)
        api.fail(403)
        await until(lambda: expected.least_interval(ticket) == 0)

    ticket.expect_no_callback()
    await expected.closed()


async def test_callbacks_that_never_come_are_not_relied_upon_for_long(
    api: Any, connect: Any, service: Any, log: Callable[[], str], until: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    learned = JobWaiter.here("video_creation_default")._learned
    for number in range(4):
        service.will("in-progress", "in-progress", "completed")
        assert await outcome(f"j-{number}", poll_interval=0.01, webhook=True) == "completed"
    assert log().count("ended without a callback") == 1
    assert learned.missed_callbacks == 4
    api.keys.append(called_back_xcom_key("j-9"))
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-9", poll_interval=0.02, webhook=True))
    await until(lambda: learned.missed_callbacks == 0)
    service.will("completed")
    assert await wait == "completed"
