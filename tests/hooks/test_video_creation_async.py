"""The hook of the triggerer: reads jobs in a real event loop, one token for all, and leaves no session open."""

from __future__ import annotations

import asyncio
import gc
import warnings
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import redact

from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    NotFoundError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
    VideoCreationError,
)


async def test_a_job_is_read_with_the_interfaces_headers(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("in-progress", progress=40))

    async with VideoCreationAsyncHook() as hook:
        job, unknown = await hook.poll_job("a/b")

    assert (job.job_id, job.state, job.progress, unknown) == ("a/b", "in-progress", 40, None)
    [seen] = service.seen
    assert (seen.method, seen.path) == ("GET", "/api/v1/job/a%2Fb")
    assert seen.headers["authorization"] == "a-token-that-nobody-may-see"
    assert seen.headers["x-service-user-id"] == "user-7"


async def test_no_cookie_of_one_users_reply_goes_out_for_another(connect: Any, service: Any) -> None:
    connect(service.url.replace("127.0.0.1", "localhost"))
    service.will(service.reply(200, {"data": {"status": "completed"}}, set_cookie="who=ada"))

    async with VideoCreationAsyncHook() as hook:
        await hook.poll_job("j-1", "ada")
        await hook.poll_job("j-2", "grace")

    assert ["cookie" in seen.headers for seen in service.seen] == [False, False]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("401", AuthenticationError),
        ("404", NotFoundError),
        ("503", ServiceFailureError),
        ("reset", ServiceUnreachableError),
        ("hang", ServiceUnreachableError),
        ("truncated", ServiceUnreachableError),
        ("html", UnreadableReplyError),
        ("malformed", UnreadableReplyError),
    ],
)
async def test_each_fault_is_an_error_of_ours(
    connect: Any, service: Any, fault: str, kind: type[VideoCreationError]
) -> None:
    hangs = fault == "hang"
    connect(service.url, connect_timeout=0.3 if hangs else 10, read_timeout=0.1 if hangs else 30)
    service.will(fault)

    async with VideoCreationAsyncHook() as hook:
        with pytest.raises(kind) as told:
            await hook.poll_job("j-1")

    assert "a-token-that-nobody-may-see" not in str(told.value)


async def test_a_missing_connection_is_said() -> None:
    with pytest.raises(ConfigurationError, match="no Airflow connection 'nowhere'"):
        async with VideoCreationAsyncHook("nowhere"):
            pass


async def test_polls_at_the_same_time_share_one_masked_token(connect: Any, service: Any) -> None:
    connect(service.url, auth_url=f"{service.url}/token", login="client-1", password="client-secret")
    service.will(service.reply(200, {"access_token": "fetched-in-the-triggerer"}), on="/token")
    service.will("in-progress")

    async with VideoCreationAsyncHook() as hook:
        await asyncio.gather(*(hook.poll_job(f"j-{n}") for n in range(5)))

    assert [seen.method for seen in service.seen].count("POST") == 1
    assert redact("fetched-in-the-triggerer") == "***"


async def test_a_refused_token_is_replaced_once(connect: Any, service: Any) -> None:
    connect(service.url, auth_url=f"{service.url}/token", login="client-1", password="client-secret")
    service.will(
        *(service.reply(200, {"access_token": f"fetched-{n}"}) for n in (1, 2, 3)),
        on="/token",
    )
    service.will("401", "completed")

    async with VideoCreationAsyncHook() as hook:
        job, _ = await hook.poll_job("j-1")

    assert job.state == "completed"
    asked = [seen.headers["authorization"] for seen in service.seen if seen.method == "GET"]
    assert asked == ["fetched-1", "fetched-2"]


async def test_a_cancelled_poll_leaves_no_session_open(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("hang")

    async def poll() -> None:
        async with VideoCreationAsyncHook() as hook:
            await hook.poll_job("j-1")

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        task = asyncio.create_task(poll())
        await asyncio.to_thread(service.asked.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        gc.collect()

    assert not [str(warning.message) for warning in told if "client session" in str(warning.message)]
