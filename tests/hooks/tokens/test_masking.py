"""A token is hidden in the logs, and the triggerer's talk with its supervisor stays in its own event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import redact
from airflow.sdk.execution_time import task_runner
from asgiref.sync import async_to_sync

from airflow_video_creation.hooks.tokens.masking import mask_token


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
