"""A fetched token is hidden in the triggerer's logs, on every Airflow, and the triggerer lives on."""

from __future__ import annotations

import asyncio
import threading

import pytest
from airflow.providers.common.compat import sdk
from airflow.sdk import log
from asgiref.sync import async_to_sync

from airflow_video_creation.hooks.transport.token_masking import mask_token


async def test_below_airflow_3_3_the_supervisor_is_told_on_the_triggerers_own_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[str, bool, bool]] = []
    loop, thread = asyncio.get_running_loop(), threading.current_thread()

    async def loop_of_the_call() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def mask_secret(token: str) -> None:
        """As Airflow 3.1 and 3.2 have it: the triggerer's pipe to its supervisor belongs to one loop."""
        own = async_to_sync(loop_of_the_call)() is loop
        told.append((token, own, threading.current_thread() is thread))

    monkeypatch.delattr(log, "amask_secret", raising=False)
    monkeypatch.setattr(sdk, "mask_secret", mask_secret)

    await mask_token("t-1")

    assert told == [("t-1", True, False)]
