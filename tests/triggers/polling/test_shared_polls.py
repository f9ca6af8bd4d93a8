"""All waits of a connection share its requests a minute, its sockets, an edit of it and what its jobs took."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from airflow_video_creation.provider.waiting.job_durations import POLLS_A_JOB
from airflow_video_creation.triggers.polling.job_waiter import MAX_POLLS
from airflow_video_creation.triggers.video_job import VideoJobTrigger

pytestmark = pytest.mark.usefixtures("no_session_stays_open", "sleeping_passes_time")


async def wait_for(*job_ids: str, **arguments: Any) -> list[str]:
    """Wait for jobs at one waiter: how each wait ended."""

    async def outcome_of(trigger: VideoJobTrigger) -> str:
        [event] = [event async for event in trigger.run()]
        return str(event.payload.get("error") or event.payload["outcome"])

    async with asyncio.timeout(20):
        return await asyncio.gather(*(outcome_of(VideoJobTrigger(job_id, **arguments)) for job_id in job_ids))


async def test_no_minute_sees_more_polls_than_the_connection_allows(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url, requests_per_minute=60)
    service.will("completed")
    began = clock.now

    assert set(await wait_for(*(f"j-{n}" for n in range(120)))) == {"completed"}

    assert len(service.seen) == 120
    assert 60 < clock.now - began < 130


async def test_a_token_request_counts_among_the_requests_of_a_minute(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(
        service.url,
        requests_per_minute=2,
        auth_url=f"{service.url}/token",
        login="client-1",
        password="client-secret",
    )
    service.will(service.reply(200, {"access_token": "fetched-1"}), on="/token")
    service.will("in-progress", "completed")
    began = clock.now

    assert await wait_for("j-1", poll_interval=1) == ["completed"]

    assert [seen.method for seen in service.seen] == ["POST", "GET", "GET"]
    assert clock.now - began > 60 * 3 / 2


async def test_no_more_polls_are_under_way_than_there_are_sockets_and_the_others_follow(
    connect: Any, service: Any, until: Any
) -> None:
    connect(service.url, connect_timeout=0.2, read_timeout=0.5)
    service.will(*["hang"] * MAX_POLLS, "completed")
    waits = asyncio.create_task(wait_for(*(f"j-{n}" for n in range(MAX_POLLS + 5))))
    await until(lambda: len(service.seen) >= MAX_POLLS)

    assert len([task for task in asyncio.all_tasks() if "JobWaiter._poll()" in repr(task)]) <= MAX_POLLS
    assert set(await waits) == {"completed"}


async def test_an_edited_connection_is_taken_up_when_a_wait_begins(
    connect: Any, service: Any, clock: Any, until: Any
) -> None:
    connect(service.url, password="old")
    service.will("in-progress")
    first = asyncio.create_task(wait_for("j-1", poll_interval=10.0))
    await until(lambda: service.seen)
    connect(service.url, password="new")
    clock.sleep(31)
    second = asyncio.create_task(wait_for("j-2", poll_interval=10.0))

    await until(lambda: service.seen[-1].headers["authorization"] == "new")
    service.will("completed")

    assert [await first, await second] == [["completed"], ["completed"]]


async def test_what_a_connections_jobs_took_says_when_to_look_at_the_next(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url)

    async def wait_for(job_id: str, kind: str, age: float = 0.0) -> tuple[int, float]:
        """Wait for a job of ten minutes; the polls that it cost, and the seconds by which its end was seen late."""
        submitted_at = clock.now - age
        service.will("in-progress")
        service.seen.clear()

        async def sleep(seconds: float) -> None:
            clock.sleep(seconds)
            if clock.now >= submitted_at + 600:
                service.will(service.job("completed", preview="https://p", videoURL="https://v"))

        trigger = VideoJobTrigger(job_id, kind=kind, submitted_at=submitted_at)
        trigger.clock, trigger.sleep = clock.time, sleep
        _ = [event async for event in trigger.run()]
        return len(service.seen), clock.now - submitted_at - 600

    polls = [(await wait_for(f"s-{number}", "storyboard"))[0] for number in range(8)]
    assert max(polls[5:]) <= POLLS_A_JOB < min(polls[:5])

    _, late = await wait_for("s-8", "storyboard", age=500)
    assert late < 30

    polls_of_another_kind, _ = await wait_for("r-1", "render")
    assert polls_of_another_kind == polls[0]
