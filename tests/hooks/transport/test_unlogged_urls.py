"""A key in the query of an address is in no line of any log, whatever the answer, and also when it comes too late."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.articles.fetch import fetch
from airflow_video_creation.hooks.articles.fetch import open_session as open_article_session
from airflow_video_creation.hooks.delivery.media_download import download
from airflow_video_creation.hooks.transport.requests_transport import open_session, send
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ArticleError, ServiceUnreachableError
from airflow_video_creation.provider.protocol.messages import HttpRequest, TransportFailure

KEY = "key-that-nobody-may-see"


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)


async def poll_in_the_triggerer() -> None:
    async with VideoCreationAsyncHook() as hook:
        await hook.poll_job("j-1")


@pytest.mark.parametrize("where", ["worker", "triggerer"])
@pytest.mark.parametrize("answer", ["token", "redirect", "503", "reset", "odd headers", "no headers"])
def test_a_key_in_the_address_of_the_token_api_is_not_logged(
    service: Any,
    connect: Callable[..., None],
    clock: Any,
    caplog: pytest.LogCaptureFixture,
    where: str,
    answer: str,
) -> None:
    connect(
        service.url, auth_url=f"{service.url}/token?key={KEY}", login="client-1", password="client-secret"
    )
    token = {"access_token": "t", "expires_in": 60}
    answers = {
        "token": service.reply(200, token),
        "redirect": service.reply(302, b"", Location=f"/elsewhere?key={KEY}"),
        "odd headers": service.reply(200, token, **{"X-Odd": "1\r\n no header at all"}),
        "no headers": service.reply(200, token, **{"X-Odd": "1\r\nno header at all\r\nX-More: 1"}),
    }
    service.will(answers.get(answer, answer), on="/token")
    service.will("in-progress", on="/api/v1/job/j-1")
    told = ""

    try:
        if where == "worker":
            VideoCreationHook(clock=clock.time, sleep=clock.sleep).get_job("j-1")
        else:
            asyncio.run(poll_in_the_triggerer())
    except Exception as error:
        told = f"{error!r} {error.__cause__!r}"

    assert service.seen[0].path == f"/token?key={KEY}"
    # aiohttp reads no reply with a header that is none.
    unread = answer == "no headers" and where == "triggerer"
    assert bool(told) == (unread or answer in ("redirect", "503", "reset"))
    assert KEY not in caplog.text
    assert KEY not in told


@pytest.fixture
def late() -> Iterator[tuple[str, threading.Event]]:
    """The URL of a host that answers when the event is set."""
    may_answer = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                may_answer.wait(30)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/late?key={KEY}", may_answer
        may_answer.set()


def has_answered(may_answer: threading.Event, name: str) -> None:
    """Let the host answer, and wait until what nobody waits for any more has read it."""
    left_alone = [thread for thread in threading.enumerate() if thread.name == name]
    may_answer.set()
    for thread in left_alone:
        thread.join(30)
    assert left_alone


def test_an_answer_that_the_hook_no_longer_waits_for_is_not_logged(
    late: tuple[str, threading.Event], caplog: pytest.LogCaptureFixture
) -> None:
    url, may_answer = late
    profile = ServiceProfile(base_url=url, secret="s")

    with open_session(profile) as session:
        answer = send(session, HttpRequest("POST", url, {}), profile, limit=0.0)
        assert isinstance(answer, TransportFailure)
        has_answered(may_answer, "video-creation-request")

    assert KEY not in caplog.text


def test_a_video_that_nobody_waits_for_any_more_is_not_logged(
    late: tuple[str, threading.Event], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url, may_answer = late
    minutes = iter([0.0, *[1000.0] * 9])

    with pytest.raises(ServiceUnreachableError, match="too slowly"):
        download(
            url,
            tmp_path / "v.mp4",
            ServiceProfile(base_url=url, secret="s"),
            job_id="j-1",
            clock=lambda: next(minutes),
        )
    has_answered(may_answer, "video-creation-download")

    assert KEY not in caplog.text


def test_a_page_that_nobody_waits_for_any_more_is_not_logged(
    late: tuple[str, threading.Event], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    url, may_answer = late
    monkeypatch.setattr("airflow_video_creation.hooks.articles.fetch.TOTAL_TIMEOUT", 0.05)

    with open_article_session() as session, pytest.raises(ArticleError, match="no complete answer"):
        fetch(session, url)
    has_answered(may_answer, "article")

    assert KEY not in caplog.text
