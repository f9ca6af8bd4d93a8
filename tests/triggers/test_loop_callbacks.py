"""A wait leaves the event loop to the others: no callback blocks it, whatever the service does.

CPU time of the loop's own thread, so that a busy machine changes nothing; after one wait, whose first use builds the
TLS context and imports (in threads, see ``test_event_loop``); and without the garbage collector, whose pauses grow with
all that the process holds, pytest's own objects too.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from airflow_video_creation.triggers.video_job import VideoJobTrigger
from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

MAX_CPU = 0.25
"""What only a callback that blocks reaches, on a busy machine too; ``benchmarks/faults.py`` has the real figures."""

IMPATIENT = {"connect_timeout": 0.5, "read_timeout": 0.1}
PASSING: dict[str, list[str]] = {
    "one 503": ["503"],
    "five 503 in a row": ["503"] * 5,
    "429 with Retry-After": ["429 with Retry-After"],
    "429 without": ["429"],
    "reset": ["reset"],
    "hang": ["hang"],
    "dripping body": ["drip"],
    "truncated body": ["truncated"],
    "malformed JSON": ["malformed"],
    "HTML": ["html"],
    "401 once": ["401"],
    "403 once": ["403"],
    "404 once": ["404"],
    "unknown state word": ["polishing"],
    "an answer of nearly 2 MB": ["2 MB"],
}
FOR_GOOD = {
    "401 for good": ("401", "AuthenticationError"),
    "403 for good": ("403", "PermissionDeniedError"),
    "job vanishes": ("404", "JobLostError"),
    "malformed JSON for good": ("malformed", "UnreadableReplyError"),
    "HTML for good": ("html", "UnreadableReplyError"),
}


class Callbacks:
    """The most CPU seconds that one callback of the event loop took, and which one it was."""

    def __init__(self) -> None:
        self.cpu, self.which = 0.0, ""

    def timed(self, run: Callable[[asyncio.Handle], None]) -> Callable[[asyncio.Handle], None]:
        def timed_run(handle: asyncio.Handle) -> None:
            begin = time.thread_time()
            run(handle)
            took = time.thread_time() - begin
            if took > self.cpu:
                self.cpu, self.which = took, repr(handle)

        return timed_run


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Callbacks]]:
    """Begin to measure: ``callbacks = measure()``."""

    def begin() -> Callbacks:
        gc.collect()
        gc.disable()
        callbacks = Callbacks()
        monkeypatch.setattr(asyncio.Handle, "_run", callbacks.timed(asyncio.Handle._run))
        return callbacks

    yield begin
    gc.enable()


async def end_of_wait(job_id: str = "j-1", seconds: float = 36_000, **arguments: Any) -> str:
    """``completed``, or the name of the error that ended the wait."""
    waiting = VideoJobTrigger(job_id=job_id, poll_interval=0.01, **arguments)
    waiting.deadline = waiting.clock() + seconds
    async with asyncio.timeout(20):
        [event] = [event async for event in waiting.run()]
    return str(event.payload.get("error") or event.payload["outcome"])


async def warm_up(service: Any) -> None:
    service.will("completed")
    assert await end_of_wait() == "completed"


@pytest.mark.usefixtures("sleeping_passes_time")
@pytest.mark.parametrize("fault", PASSING)
async def test_trouble_that_passes_leaves_the_loop_to_others(
    connect: Any, service: Any, measure: Callable[[], Callbacks], fault: str
) -> None:
    connect(service.url, **(IMPATIENT if fault in ("hang", "dripping body") else {}))
    await warm_up(service)
    special = {
        "429 with Retry-After": service.reply(429, {}, retry_after="1"),
        "2 MB": service.job("in-progress", lines=[{"text": "as it is spoken", "at": 1.5}] * 45_000),
    }
    service.will("in-progress", *(special.get(answer, answer) for answer in PASSING[fault]), "completed")

    callbacks = measure()

    assert await end_of_wait() == "completed"
    assert 0 < callbacks.cpu < MAX_CPU, callbacks.which


@pytest.mark.usefixtures("fast_clock")
@pytest.mark.parametrize(("answer", "error"), FOR_GOOD.values(), ids=FOR_GOOD.keys())
async def test_what_stays_wrong_leaves_the_loop_to_others(
    connect: Any, service: Any, measure: Callable[[], Callbacks], answer: str, error: str
) -> None:
    connect(service.url)
    await warm_up(service)
    service.will("in-progress", answer)

    callbacks = measure()

    assert await end_of_wait() == error
    assert 0 < callbacks.cpu < MAX_CPU, callbacks.which


@pytest.mark.usefixtures("fast_clock")
async def test_a_wait_until_the_deadline_leaves_the_loop_to_others(
    connect: Any, service: Any, measure: Callable[[], Callbacks]
) -> None:
    connect(service.url)
    await warm_up(service)
    service.will("in-progress", "503")

    callbacks = measure()

    assert await end_of_wait(seconds=300) == "JobDeadlinePassedError"
    assert 0 < callbacks.cpu < MAX_CPU, callbacks.which


@pytest.mark.usefixtures("sleeping_passes_time")
async def test_a_connection_that_is_not_there_leaves_the_loop_to_others(
    connect: Any, service: Any, measure: Callable[[], Callbacks]
) -> None:
    connect(service.url)
    await warm_up(service)

    callbacks = measure()

    assert await end_of_wait(video_creation_conn_id="nowhere") == "ConnectionMissingError"
    assert 0 < callbacks.cpu < MAX_CPU, callbacks.which


async def test_one_wait_ends_while_the_service_leaves_another_without_an_answer(
    connect: Any, service: Any
) -> None:
    connect(service.url)
    service.will("completed")
    service.will("hang", on="/api/v1/job/j-hung")

    hung = asyncio.create_task(end_of_wait("j-hung"))
    assert await asyncio.to_thread(service.asked.wait, 10)

    assert await end_of_wait() == "completed"
    assert [request.path for request in service.seen].count("/api/v1/job/j-hung") == 1
    assert not hung.done()
    hung.cancel()
    await asyncio.wait([hung])


async def test_two_thousand_waits_of_one_trigger_begin_and_end_while_the_loop_serves_others(
    connect: Any, service: Any, measure: Callable[[], Callbacks]
) -> None:
    connect(service.url)
    await warm_up(service)
    service.will("in-progress")
    service.will("completed", on="/api/v1/job/j-7")
    jobs = [{"job_id": f"j-{number}"} for number in range(2000)]
    waiting = VideoJobsTrigger(jobs, poll_interval=60, wake_after=0)
    waiting.settle_seconds = 0.0

    callbacks = measure()

    async with asyncio.timeout(60):
        [event] = [event async for event in waiting.run()]
    assert [end["job_id"] for end in event.payload["ends"]] == ["j-7"]
    assert 0 < callbacks.cpu < MAX_CPU, callbacks.which


async def test_a_callback_that_keeps_the_loop_is_seen(measure: Callable[[], Callbacks]) -> None:
    def keep_the_loop() -> None:
        until = time.thread_time() + MAX_CPU
        while time.thread_time() < until:
            pass

    callbacks = measure()
    asyncio.get_running_loop().call_soon(keep_the_loop)
    await asyncio.sleep(0)

    assert callbacks.cpu >= MAX_CPU
    assert "keep_the_loop" in callbacks.which
