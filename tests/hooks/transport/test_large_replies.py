"""A large answer is read beside the event loop, whatever it answers, and one too large is refused by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import ServiceError

SECRET = "token-beside-the-loop"
LARGE = [{"text": "as it is spoken", "at": 1.5}] * 7_500


class CountingExecutor(ThreadPoolExecutor):
    """The threads beside an event loop, and how often they were asked to do something."""

    asked = 0

    def submit(self, *arguments: Any, **named: Any) -> Any:
        self.asked += 1
        return super().submit(*arguments, **named)


async def threads_asked(job_id: str = "j-1") -> int:
    """How much of one poll is done beside the loop."""
    threads = CountingExecutor()
    async with VideoCreationAsyncHook() as hook:
        asyncio.get_running_loop().set_default_executor(threads)
        with suppress(ServiceError):
            await hook.poll_job(job_id)
        return threads.asked


@pytest.mark.parametrize(
    "answer",
    [
        lambda service: service.job("completed", render_settings={"scenes": LARGE}),
        lambda service: service.job("in-progress", lines=LARGE),
        lambda service: service.reply(503, {"message": "busy", "lines": LARGE}),
    ],
    ids=["completed", "in-progress", "error"],
)
async def test_a_large_answer_is_read_beside_the_loop(
    connect: Any, service: Any, answer: Callable[[Any], Any]
) -> None:
    connect(service.url)
    service.will(answer(service))

    assert await threads_asked() >= 1


async def test_a_large_answer_of_the_authentication_api_is_read_beside_the_loop(
    connect: Any, service: Any
) -> None:
    connect(
        service.url,
        auth_url=f"{service.url}/token",
        login="client-1",
        password="client-secret",
        share_tokens=False,
    )
    service.will("completed")
    service.will(service.reply(200, {"access_token": SECRET}), on="/token")
    with_small_token = await threads_asked()
    service.will(service.reply(200, {"access_token": SECRET, "lines": LARGE}), on="/token")

    assert await threads_asked() == with_small_token + 1


@pytest.mark.parametrize("answer", ["in-progress", "completed", "503", "malformed", "reset"])
async def test_a_small_answer_costs_no_thread(connect: Any, service: Any, answer: str) -> None:
    connect(service.url)
    service.will(answer)

    assert await threads_asked() == 0


async def test_a_large_answer_is_read_whole(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("completed", render_settings={"scenes": LARGE}))

    async with VideoCreationAsyncHook() as hook:
        job, _ = await hook.poll_job("j-1")

    assert job.render_settings == {"scenes": LARGE}
