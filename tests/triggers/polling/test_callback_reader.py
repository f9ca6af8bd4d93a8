"""A callback of the service wakes the wait for its job; whatever Airflow's API does costs a wait no more than time."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from airflow_video_creation.hooks.airflow.public_api import PAGE_SIZE
from airflow_video_creation.provider.webhooks.callback import called_back_xcom_key
from airflow_video_creation.triggers.polling.callback_reader import CallbackReader

API_CONN_ID = "video_creation_airflow_api"

pytestmark = pytest.mark.usefixtures("no_session_stays_open")


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


def reader(pauses: Any, conn_id: str = API_CONN_ID) -> CallbackReader:
    return CallbackReader.here(conn_id, time.time, pauses.sleep)


async def test_a_callback_wakes_the_waits_for_its_job_and_no_other(api: Any, pauses: Any, until: Any) -> None:
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


async def test_a_callback_that_came_before_the_wait_began_is_found(api: Any, pauses: Any, until: Any) -> None:
    api.keys = [called_back_xcom_key("early")]
    shared = reader(pauses)
    async with Expecting(shared, "other"):
        await until(lambda: shared.healthy)
        async with Expecting(shared, "early") as early:
            assert len(early.woken) == 1


async def test_all_waits_cost_one_read_a_second(api: Any, pauses: Any, until: Any) -> None:
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


async def test_reading_ends_with_the_last_wait_and_begins_again(api: Any, pauses: Any, until: Any) -> None:
    async with Expecting(reader(pauses), "j-1"):
        await until(lambda: api.reads)
    so_far = len(api.reads)
    assert not [task for task in asyncio.all_tasks() if "callback reader" in task.get_name()]
    async with Expecting(reader(pauses), "j-1"):
        await until(lambda: len(api.reads) > so_far)


async def test_more_callbacks_at_once_than_a_page_holds_are_all_found(
    api: Any, pauses: Any, until: Any
) -> None:
    shared = reader(pauses)
    waits = [Expecting(shared, f"j-{n}") for n in range(4 * PAGE_SIZE)]
    await until(lambda: shared.healthy)
    api.keys += [called_back_xcom_key(f"j-{n}") for n in range(4 * PAGE_SIZE)]
    await until(lambda: all(wait.woken for wait in waits))
    for wait in waits:
        wait.leave()
    await shared.closed()


async def test_an_old_history_is_not_read_through(api: Any, pauses: Any, until: Any) -> None:
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
        (lambda: web.Response(status=403), "is not allowed"),
        (lambda: web.Response(status=302, headers={"Location": "/"}), "answered 302"),
        (_garbage, "not answered with JSON"),
        (_huge, "more than 4,194,304 bytes"),
        (_no_list, "without a list of XComs"),
        (_deep, "JSON"),
        (_hang, "not answered within"),
    ],
)
async def test_trouble_is_told_once_and_passes(
    api: Any,
    pauses: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[], Any],
    told: str,
    until: Any,
) -> None:
    monkeypatch.setattr("airflow_video_creation.hooks.airflow.rest_api.TOTAL_TIMEOUT", 0.3)
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


async def test_a_token_that_expires_is_replaced(api: Any, pauses: Any, until: Any) -> None:
    shared = reader(pauses)
    async with Expecting(shared, "j-1") as waiting:
        await until(lambda: shared.healthy)
        api.tokens = set()
        api.keys.append(called_back_xcom_key("j-1"))
        await until(lambda: waiting.woken)
    assert api.logins == 2


async def test_attempts_grow_rare_while_the_api_is_away(api: Any, pauses: Any, until: Any) -> None:
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
    pauses: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    connection: dict[str, str] | None,
    told: str,
    until: Any,
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
