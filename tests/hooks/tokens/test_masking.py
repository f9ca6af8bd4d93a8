"""A token is hidden in the logs, and the triggerer's talk with its supervisor stays in its own event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import redact
from airflow.sdk.execution_time import task_runner
from airflow.sdk.execution_time.comms import CommsDecoder
from asgiref.sync import async_to_sync

from airflow_video_creation.hooks.tokens.masking import mask_in_task, mask_token, may_tell


class TriggererComms:
    """As in the triggerer: its stream belongs to one event loop, and a blocking call goes through that loop."""

    def __init__(self) -> None:
        self.told: list[tuple[str, asyncio.AbstractEventLoop]] = []

    async def asend(self, message: Any) -> None:
        self.told.append((message.value, asyncio.get_running_loop()))

    def send(self, message: Any) -> None:
        async_to_sync(self.asend)(message)


async def test_a_token_is_hidden_here_and_told_to_the_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    comms = TriggererComms()
    monkeypatch.setattr(task_runner, "SUPERVISOR_COMMS", comms, raising=False)

    await mask_token("token-fetched-at-run-time")

    # Other tests of this process may have hidden other words of the line, such as a connection's token prefix.
    assert "token-fetched-at-run-time" not in str(redact("Bearer token-fetched-at-run-time"))
    assert comms.told == [("token-fetched-at-run-time", asyncio.get_running_loop())]


def test_a_waiting_thread_of_a_task_tells_the_supervisor_nothing_where_it_has_no_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on Airflow 3.1, where two threads would get each other's answers."""
    comms = TriggererComms()
    monkeypatch.setattr(task_runner, "SUPERVISOR_COMMS", comms, raising=False)

    with ThreadPoolExecutor(1) as waiting:
        waiting.submit(asyncio.run, mask_token("token-of-a-waiting-thread")).result()

    assert comms.told == []


class Unlocked:
    """Airflow 3.1's way to the supervisor, which several threads must not go at once."""


AIRFLOWS = CommsDecoder(socket=None)
HAS_LOCK = pytest.mark.skipif(
    not hasattr(AIRFLOWS, "_thread_lock"), reason="Airflow 3.1 has no lock on its way to the supervisor"
)


@pytest.mark.parametrize(
    ("comms", "may"),
    [
        pytest.param(Unlocked(), False, id="3.1"),
        pytest.param(AIRFLOWS, True, id="3.2", marks=HAS_LOCK),
        pytest.param(None, True, id="no task"),
    ],
)
def test_another_thread_tells_airflow_only_where_that_disturbs_nobody(comms: Any, may: bool) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(may_tell, comms).result() == may


def test_the_main_thread_always_tells_it() -> None:
    assert may_tell(Unlocked())


def test_a_token_that_a_thread_fetched_is_masked() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(mask_in_task, "fetched-in-a-thread").result()

    assert "fetched-in-a-thread" not in str(redact("it is fetched-in-a-thread"))
