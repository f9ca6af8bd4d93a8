"""A job whose answer is too large for the triggerer: the wait ends, and a worker reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.provider.waiting.wait_event import wait_of_event
from airflow_video_creation.triggers.video_job import VideoJobTrigger

LONG = {"text": "a scene " * 1000}
ANSWERS = {
    "of many bytes": {"scenes": [LONG] * 400},
    "of many values": {"scenes": [0] * 150_000},
}


async def fire(**arguments: Any) -> dict[str, Any]:
    trigger = VideoJobTrigger("j-1", poll_interval=0.01, **arguments)
    async with asyncio.timeout(20):
        [event] = [event async for event in trigger.run()]
    payload: dict[str, Any] = event.payload
    return payload


@pytest.mark.parametrize("settings", ANSWERS.values(), ids=list(ANSWERS))
async def test_the_wait_ends_with_what_a_worker_needs_to_go_on(
    connect: Any, service: Any, settings: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("in-progress", service.job("completed", render_settings=settings))

    event = await fire(deadline=4e9, submitted_at=1e9, kind="storyboard", webhook=True)

    assert (event["error"], event["job_id"], event["webhook"]) == ("JobReplyTooLargeError", "j-1", True)
    wait = wait_of_event(event, now=2e9)
    assert (wait.deadline, wait.submitted_at, wait.kind) == (4e9, 1e9, "storyboard")
    assert "Job j-1: left to a worker, which reads large answers after" in log()


async def test_the_event_holds_nothing_of_the_answer(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("completed", preview="https://signed", render_settings=ANSWERS["of many bytes"]))

    event = await fire()

    assert "https://signed" not in str(event)
    assert len(str(event)) < 1000
