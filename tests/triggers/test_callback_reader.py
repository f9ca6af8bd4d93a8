"""A callback of the service wakes the wait for its job; whatever Airflow's API does costs a wait no more than time."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import time
import warnings
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from aiohttp import web

from airflow_video_creation.provider.webhooks.callback import called_back_xcom_key
from airflow_video_creation.triggers import callback_reader
from airflow_video_creation.triggers.callback_reader import PAGE, CallbackReader
from airflow_video_creation.triggers.job_waiter import JobWaiter
from airflow_video_creation.triggers.video_job import VideoJobTrigger

API_CONN_ID = "video_creation_airflow_api"
WEBHOOKS = {"callback_base_url": "http://127.0.0.1:9", "webhook_secret": "sixteen-characters"}
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


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
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


class Expecting:
    """One that expects a callback for a job."""

    def __init__(self, reader: CallbackReader, job_id: str) -> None:
        self.reader = reader
        self.woken: list[float] = []
        self.leave = reader.expect(called_back_xcom_key(job_id), self.woken.append)

    async def __aenter__(self) -> Expecting:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()
        await self.reader.closed()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while True:
            if condition():
                return
            await asyncio.sleep(0.001)


def reader(pauses: Pauses, conn_id: str = API_CONN_ID) -> CallbackReader:
    return CallbackReader.here(conn_id, time.time, pauses.sleep)


async def test_a_callback_wakes_the_waits_for_its_job_and_no_other(api: AirflowApi, pauses: Pauses) -> None:
    shared = reader(pauses)
    async with (
        Expecting(shared, "j-1") as one,
        Expecting(shared, "j-1") as twin,
        Expecting(shared, "j-2") as two,
    ):
        await until(lambda: shared.healthy)
        api.keys.append(called_back_xcom_key("j-1"))
        await until(lambda: one.woken and twin.woken)
        await until(lambda: len(api.reads) > 5)

        assert [len(one.woken), len(twin.woken), len(two.woken)] == [1, 1, 0]
    assert api.logins == 1


async def test_a_callback_that_came_before_the_wait_began_is_found(api: AirflowApi, pauses: Pauses) -> None:
    api.keys = [called_back_xcom_key("early")]
    shared = reader(pauses)
    async with Expecting(shared, "other"):
        await until(lambda: shared.healthy)
        async with Expecting(shared, "early") as early:
            assert len(early.woken) == 1


async def test_all_waits_cost_one_read_a_second(api: AirflowApi, pauses: Pauses) -> None:
    shared = reader(pauses)
    waits = [Expecting(shared, f"j-{n}") for n in range(1000)]
    await until(lambda: len(api.reads) >= 20)
    assert len(pauses.asked) in (len(api.reads) - 1, len(api.reads))
    assert set(pauses.asked) == {1.0}
    assert api.reads[0]["limit"] == "100"
    assert api.reads[0]["order_by"] == "-timestamp"
    for wait in waits:
        wait.leave()
    await shared.closed()


async def test_reading_ends_with_the_last_wait_and_begins_again(api: AirflowApi, pauses: Pauses) -> None:
    async with Expecting(reader(pauses), "j-1"):
        await until(lambda: api.reads)
    so_far = len(api.reads)
    await asyncio.sleep(0.05)
    assert len(api.reads) == so_far
    async with Expecting(reader(pauses), "j-1"):
        await until(lambda: len(api.reads) > so_far)


async def test_more_callbacks_at_once_than_a_page_holds_are_all_found(
    api: AirflowApi, pauses: Pauses
) -> None:
    shared = reader(pauses)
    waits = [Expecting(shared, f"j-{n}") for n in range(4 * PAGE)]
    await until(lambda: shared.healthy)
    api.keys += [called_back_xcom_key(f"j-{n}") for n in range(4 * PAGE)]
    await until(lambda: all(wait.woken for wait in waits))
    for wait in waits:
        wait.leave()
    await shared.closed()


async def test_an_old_history_is_not_read_through(api: AirflowApi, pauses: Pauses) -> None:
    api.keys = [called_back_xcom_key(f"old-{n}") for n in range(5000)]
    shared = reader(pauses)
    async with Expecting(shared, "j-1"):
        await until(lambda: len(api.reads) > 5)
    assert {read["offset"] for read in api.reads} == {"0"}


async def _garbage() -> web.Response:
    return web.Response(text="<html>Welcome</html>")


async def _huge() -> web.Response:
    return web.Response(body=b" " * 5_000_000)


async def _no_list() -> web.Response:
    return web.json_response({"xcom_entries": [{"key": 1}]})


async def _deep() -> web.Response:
    return web.Response(text="[" * 100_000)


async def _hang() -> web.Response:
    await asyncio.sleep(3600)
    return web.Response()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (lambda: web.Response(status=500), "answered 500"),
        (lambda: web.Response(status=403), "lacks the right"),
        (lambda: web.Response(status=302, headers={"Location": "/"}), "answered 302"),
        (_garbage, "not answered with JSON"),
        (_huge, "more than 4,194,304 bytes"),
        (_no_list, "no list of XComs"),
        (_deep, "JSON"),
        (_hang, "not answered within"),
    ],
)
async def test_trouble_is_told_once_and_passes(
    api: AirflowApi,
    pauses: Pauses,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[], Any],
    told: str,
) -> None:
    monkeypatch.setattr("airflow_video_creation.hooks.airflow_api.TOTAL_TIMEOUT", 0.3)
    caplog.set_level("INFO")
    shared = reader(pauses)
    async with Expecting(shared, "j-1") as waiting:
        await until(lambda: shared.healthy)
        api.faults.extend([fault, fault, fault])
        await until(lambda: not shared.healthy)
        api.keys.append(called_back_xcom_key("j-1"))
        await until(lambda: waiting.woken)
        assert shared.healthy
    assert [pause for pause in pauses.asked if pause != 1.0][:2] == [2.0, 4.0]
    warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len([line for line in warned if "only polled" in line]) == 1
    assert told in "".join(warned)
    assert "a-password" not in caplog.text
    assert "token-" not in caplog.text


async def test_a_token_that_expires_is_replaced(api: AirflowApi, pauses: Pauses) -> None:
    shared = reader(pauses)
    async with Expecting(shared, "j-1") as waiting:
        await until(lambda: shared.healthy)
        api.tokens = set()
        api.keys.append(called_back_xcom_key("j-1"))
        await until(lambda: waiting.woken)
    assert api.logins == 2


async def test_attempts_grow_rare_while_the_api_is_away(api: AirflowApi, pauses: Pauses) -> None:
    api.fail(*[500] * 10)
    shared = reader(pauses)
    async with Expecting(shared, "j-1"):
        await until(lambda: shared.healthy)
    assert pauses.asked[:10] == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]


@pytest.mark.parametrize(
    ("connection", "told"),
    [
        (None, "there is no Airflow connection"),
        ({"host": "http://127.0.0.1:9", "login": "video"}, "has no password"),
        ({"login": "video", "password": "a-password"}, "has no host"),
        ({"host": "http://127.0.0.1:9", "login": "video", "password": "a-password"}, "connection refused"),
        ({"host": "{api}", "login": "video", "password": "wrong"}, "login and password"),
    ],
)
@pytest.mark.usefixtures("api")
async def test_without_an_identity_it_says_what_is_missing(
    pauses: Pauses,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    connection: dict[str, str] | None,
    told: str,
) -> None:
    name = f"AIRFLOW_CONN_{API_CONN_ID.upper()}"
    right = json.loads(os.environ[name])
    if connection is None:
        monkeypatch.delenv(name)
    else:
        given = {key: value.replace("{api}", right["host"]) for key, value in connection.items()}
        monkeypatch.setenv(name, json.dumps({"conn_type": "http", **given}))
    shared = reader(pauses)
    async with Expecting(shared, "j-1"):
        await until(lambda: len(pauses.asked) > 2)
        assert not shared.healthy
    assert told in caplog.text
    assert "wrong" not in caplog.text


async def outcome(job_id: str, **arguments: Any) -> str:
    trigger = VideoJobTrigger(job_id, deadline=time.time() + 3600, **arguments)
    [event] = [event async for event in trigger.run()]
    return str(event.payload.get("error") or event.payload["outcome"])


async def test_a_called_back_job_ends_its_wait_long_before_the_next_poll(
    api: AirflowApi, connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-1", submitted_at=time.time() - 60, webhook=True))
    await until(lambda: service.seen and api.reads)
    service.will("completed")
    api.keys.append(called_back_xcom_key("j-1"))
    async with asyncio.timeout(10):
        assert await wait == "completed"
    assert len(service.seen) == 2
    assert "woken by the service's callback, poll 2" in log()


async def test_a_job_that_runs_on_after_its_callback_is_looked_at_a_few_times(
    api: AirflowApi, connect: Any, service: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress", "in-progress", "in-progress", "completed")
    wait = asyncio.create_task(outcome("j-1", submitted_at=time.time() - 60, webhook=True))
    await until(lambda: service.seen and api.reads)
    api.keys.append(called_back_xcom_key("j-1"))
    async with asyncio.timeout(15):
        assert await wait == "completed"
    assert len(service.seen) == 4


async def test_a_wait_that_is_cancelled_leaves_nothing_behind(
    api: AirflowApi, connect: Any, service: Any
) -> None:
    connect(service.url, **WEBHOOKS)
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-1", webhook=True))
    await until(lambda: api.reads)
    wait.cancel()
    await asyncio.wait([wait])
    await until(lambda: not _our_tasks())


def _our_tasks() -> list[str]:
    return [
        repr(task)
        for task in asyncio.all_tasks()
        if "job_waiter" in repr(task) or "callback reader" in task.get_name()
    ]


@pytest.mark.parametrize("webhook", [False, True])
async def test_nothing_is_read_where_no_callback_is_expected(
    api: AirflowApi, connect: Any, service: Any, webhook: bool
) -> None:
    connect(service.url, **({} if webhook else WEBHOOKS))
    service.will("in-progress", "completed")
    async with asyncio.timeout(10):
        assert await outcome("j-1", poll_interval=0.02, webhook=webhook) == "completed"
    assert not api.logins


@pytest.mark.parametrize("reads", [True, False])
async def test_polls_are_sparse_while_callbacks_can_be_read(
    api: AirflowApi, connect: Any, service: Any, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    faster, start = 100, time.time()

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / faster)

    def clock(_: object = None) -> float:
        return start + (time.time() - start) * faster

    monkeypatch.setattr(VideoJobTrigger, "clock", clock)
    monkeypatch.setattr(VideoJobTrigger, "sleep", staticmethod(sleep))
    connect(service.url, **WEBHOOKS)
    service.will("in-progress")
    if not reads:
        api.fail(*[403] * 1000)
    wait = asyncio.create_task(outcome("j-1", submitted_at=clock() - 30, webhook=True))
    await until(lambda: clock() > start + 250)
    wait.cancel()
    await asyncio.wait([wait])

    # Every 10 s as long as no job has taught the schedule; every 60 s where callbacks come.
    assert len(service.seen) <= 6 if reads else len(service.seen) >= 12


async def test_callbacks_that_never_come_are_not_relied_upon_for_long(
    api: AirflowApi, connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url, **WEBHOOKS)
    learned = JobWaiter.here("video_creation_default")._learned
    for number in range(4):
        service.will("in-progress", "completed")
        assert await outcome(f"j-{number}", poll_interval=0.01, webhook=True) == "completed"
    assert log().count("ended without a callback") == 1
    assert learned.missed_callbacks == 4
    api.keys.append(called_back_xcom_key("j-9"))
    service.will("in-progress")
    wait = asyncio.create_task(outcome("j-9", poll_interval=0.02, webhook=True))
    await until(lambda: learned.missed_callbacks == 0)
    service.will("completed")
    assert await wait == "completed"
