"""A fetched token serves all processes of a user on a machine, and lies nowhere in clear text."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.private_files import NAME
from airflow_video_creation.hooks.tokens.sharing import SharedToken
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.protocol.authentication import Token

BASE = "https://video.example.com"
TOKENS = "https://auth.example.com/token"
JOB = {"data": {"status": "completed"}}
SECRET = "client-secret"


@pytest.fixture
def fetch(requests_mock: Any) -> Any:
    """The authentication API; each token is another one."""
    answers = [{"json": {"access_token": f"fetched-{n}", "expires_in": 600}} for n in range(9)]
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json=JOB)
    return requests_mock.post(TOKENS, answers)


def process(connect: Any, clock: Any, **extra: Any) -> VideoCreationHook:
    """A hook that knows nothing of those before it, as in a task's process."""
    connect(**{"auth_url": TOKENS, "login": "client-1", "password": SECRET, **extra})
    return VideoCreationHook(clock=clock.time, sleep=clock.sleep)


def authorizations(requests_mock: Any) -> list[str]:
    return [seen.headers["Authorization"] for seen in requests_mock.request_history if seen.method == "GET"]


def files() -> Iterator[Path]:
    yield from Path(os.environ["XDG_RUNTIME_DIR"], NAME).glob("*")


def test_five_processes_fetch_one_token(connect: Any, clock: Any, fetch: Any, requests_mock: Any) -> None:
    for _ in range(5):
        process(connect, clock).get_job("j-1")

    assert fetch.call_count == 1
    assert set(authorizations(requests_mock)) == {"fetched-0"}


def test_neither_token_nor_secret_lies_there_in_clear_text(connect: Any, clock: Any, fetch: Any) -> None:
    process(connect, clock).get_job("j-1")

    [file] = files()
    content = file.read_bytes()
    assert b"fetched-0" not in content
    assert SECRET.encode() not in content


def test_one_that_is_about_to_end_is_fetched_again(connect: Any, clock: Any, fetch: Any) -> None:
    process(connect, clock).get_job("j-1")
    clock.sleep(550)

    process(connect, clock).get_job("j-1")

    assert fetch.call_count == 2


def test_a_refused_one_is_fetched_again_and_given_on(
    connect: Any, clock: Any, fetch: Any, requests_mock: Any
) -> None:
    process(connect, clock).get_job("j-1")
    requests_mock.get(f"{BASE}/api/v1/job/j-1", [{"status_code": 401}, {"json": JOB}])

    process(connect, clock).get_job("j-1")
    process(connect, clock).get_job("j-1")

    assert authorizations(requests_mock)[1:] == ["fetched-0", "fetched-1", "fetched-1"]


@pytest.mark.parametrize("other", [{"password": "another"}, {"login": "client-2"}, {"share_tokens": False}])
def test_another_client_fetches_its_own(connect: Any, clock: Any, fetch: Any, other: dict[str, Any]) -> None:
    process(connect, clock).get_job("j-1")

    process(connect, clock, **other).get_job("j-1")

    assert fetch.call_count == 2


@pytest.mark.parametrize("content", [b"", b"not sealed", b"\xff" * 200])
def test_a_file_that_holds_something_else_stops_nothing(
    connect: Any, clock: Any, fetch: Any, content: bytes
) -> None:
    process(connect, clock).get_job("j-1")
    [file] = files()
    file.write_bytes(content)

    process(connect, clock).get_job("j-1")

    assert fetch.call_count == 2


def test_one_that_was_left_by_a_clock_far_ahead_is_fetched_again(
    connect: Any, clock: Any, fetch: Any, requests_mock: Any
) -> None:
    hook = process(connect, clock)
    SharedToken(hook.profile).leave(Token("of the year 2096", 4_000_000_000.0))

    hook.get_job("j-1")

    assert authorizations(requests_mock) == ["fetched-0"]


def test_the_triggerer_takes_the_workers_token(connect: Any, clock: Any, fetch: Any, service: Any) -> None:
    process(connect, clock).get_job("j-1")
    connect(service.url, auth_url=TOKENS, login="client-1", password=SECRET)
    service.will(service.reply(200, JOB))

    async def poll() -> None:
        async with VideoCreationAsyncHook(clock=clock.time) as hook:
            await hook.poll_job("j-1")

    asyncio.run(poll())

    assert [seen.headers["authorization"] for seen in service.seen] == ["fetched-0"]
