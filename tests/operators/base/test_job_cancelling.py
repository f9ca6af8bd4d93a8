"""What a stopped task says of its jobs: of each, whether it is cancelled; of none what is not so."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.base.job_cancelling import CANCELLED_AT_A_TIME, cancel_jobs_on_kill

JOBS = [f"job-{number}" for number in range(30)]
SILENT = JOBS[-CANCELLED_AT_A_TIME:]
"""Jobs on which the service says nothing; the last ones, so that all others have had their turn."""


class Late:
    """An answer that comes when the test is over."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.is_over = asyncio.Event()

    async def send(self, *connection: Any) -> None:
        self.loop = asyncio.get_running_loop()
        await self.is_over.wait()
        await self.answer.send(*connection)


@pytest.fixture
def hook(connect: Any, service: Any) -> Iterator[VideoCreationHook]:
    """Of a service that cancels most jobs at once, and on some says nothing."""
    connect(service.url, paths={"cancel": "/api/v1/job/{job_id}/cancel"})
    done = service.reply(200, {"success": True})
    late = Late(done)
    service.will(done)
    for job_id in SILENT:
        service.will(late, on=f"/api/v1/job/{job_id}/cancel")
    made = VideoCreationHook()
    assert made.profile
    before = set(threading.enumerate())
    yield made
    late.loop.call_soon_threadsafe(late.is_over.set)
    for thread in set(threading.enumerate()) - before:
        thread.join(10)


def test_of_many_jobs_those_are_named_that_may_go_on(
    hook: VideoCreationHook, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        cancel_jobs_on_kill(hook, JOBS, "its task was stopped", logging.getLogger("task"), seconds=2.0)

    told = [record for record in caplog.records if record.name == "task"]
    assert [record.getMessage() for record in told if record.levelno == logging.WARNING] == [
        f"{len(SILENT)} jobs ({', '.join(SILENT[:5])}, ...) were not cancelled: they continue at the service and may "
        "be paid for: no answer within 2 s"
    ]
    assert sum("is cancelled" in record.getMessage() for record in told) == len(JOBS) - len(SILENT)
