"""Airflow's API as the triggerer sees it, and time that passes a thousand times faster."""

from __future__ import annotations

import asyncio
import gc
import json
import warnings
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from aiohttp import web

from airflow_video_creation.triggers.polling import callback_reader

API_CONN_ID = "video_creation_airflow_api"
STAMP = "2026-11-21T12:00:00.000000Z"


class AirflowApi:
    """What the triggerer sees of Airflow's API."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.logins = 0
        self.reads: list[dict[str, str]] = []
        self.tokens: set[str] = set()
        self.faults: deque[Callable[[], Any]] = deque()

    def fail(self, *statuses: int) -> None:
        """Answer the next reads so."""
        self.faults.extend(lambda status=status: web.Response(status=status) for status in statuses)

    async def login(self, request: web.Request) -> web.Response:
        self.logins += 1
        given = await request.json()
        if given != {"username": "video", "password": "a-password"}:
            return web.json_response({"detail": "Invalid credentials"}, status=401)
        self.tokens = {f"token-{self.logins}"}
        return web.json_response({"access_token": f"token-{self.logins}"}, status=201)

    async def read(self, request: web.Request) -> Any:
        self.reads.append(dict(request.query))
        if request.headers["Authorization"].removeprefix("Bearer ") not in self.tokens:
            return web.json_response({}, status=401)
        if self.faults:
            answer = self.faults.popleft()()
            return await answer if asyncio.iscoroutine(answer) else answer
        offset, limit = int(request.query["offset"]), int(request.query["limit"])
        newest_first = self.keys[::-1][offset : offset + limit]
        entries = [{"key": key, "timestamp": STAMP, "dag_id": "d"} for key in newest_first]
        return web.json_response({"xcom_entries": entries, "total_entries": len(self.keys)})


@pytest.fixture
async def api(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AirflowApi]:
    """Airflow's API below a path prefix, and the connection to it."""
    airflow = AirflowApi()
    app = web.Application()
    app.router.add_post("/airflow/auth/token", airflow.login)
    app.router.add_get("/airflow" + callback_reader.PATH, airflow.read)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    connection = {"host": f"http://127.0.0.1:{port}/airflow/", "login": "video", "password": "a-password"}
    monkeypatch.setenv(f"AIRFLOW_CONN_{API_CONN_ID.upper()}", json.dumps({"conn_type": "http", **connection}))
    yield airflow
    await runner.cleanup()


@pytest.fixture
def no_session_stays_open() -> Iterator[None]:
    """Every test leaves no session open."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        yield
        gc.collect()
    assert not [str(warning.message) for warning in told if "client session" in str(warning.message)]


class Pauses:
    """Sleeps a thousandth of what is asked for, and keeps that."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        await asyncio.sleep(seconds / 1000)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()
