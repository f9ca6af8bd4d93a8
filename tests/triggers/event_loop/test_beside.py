"""Work beside the event loop: its result and its error come back, and it ends with its trigger."""

from __future__ import annotations

import asyncio
import threading

import pytest

from airflow_video_creation.triggers.event_loop.beside import beside_the_loop


async def test_a_result_comes_back() -> None:
    assert await beside_the_loop(threading.get_ident, end=lambda: None, name="w") != threading.get_ident()


async def test_an_error_comes_back() -> None:
    def fail() -> None:
        raise KeyError("no")

    with pytest.raises(KeyError):
        await beside_the_loop(fail, end=lambda: None, name="w")


async def test_work_that_nobody_waits_for_any_more_is_ended_and_leaves_no_thread() -> None:
    over, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert over.wait(30)
        raise OSError("its connection was shut")

    waiting = asyncio.create_task(beside_the_loop(work, end=over.set, name="to-be-ended"))
    await asyncio.to_thread(begun.wait, 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    for thread in [thread for thread in threading.enumerate() if thread.name == "to-be-ended"]:
        thread.join(10)
        assert not thread.is_alive()
