"""Any call of a running service, by both transports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import NotFoundError, RequestRefusedError

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


async def by_aiohttp(*arguments: Any, **options: Any) -> Any:
    async with VideoCreationAsyncHook() as hook:
        return await hook.acall(*arguments, **options)


@pytest.fixture(params=["requests", "aiohttp"])
def call(request: Any, video_creation_emulator: Any) -> Callable[..., Any]:
    if request.param == "requests":
        return VideoCreationHook().call
    return lambda *arguments, **options: asyncio.run(by_aiohttp(*arguments, **options))


def test_a_job_that_is_paid_for_and_read_as_it_is(call: Callable[..., Any]) -> None:
    job_id = call("POST", "/api/v1/video/storyboard", json=STORYBOARD, paid=True)["job_id"]

    job = call("GET", f"/api/v1/job/{job_id}")

    assert job["job_id"] == job_id
    assert job["data"]["render_settings"]


@pytest.mark.parametrize("path", ["/api/v1/job/nobody-knows", "/api/v1/nowhere"])
def test_what_is_not_there(call: Callable[..., Any], path: str) -> None:
    with pytest.raises(NotFoundError, match=rf"This call \(GET {path}\): not found \(404\)"):
        call("GET", path, params={"key": "s3cret"})


@pytest.mark.parametrize("paid", [True, False])
def test_what_the_service_refuses(call: Callable[..., Any], paid: bool) -> None:
    with pytest.raises(RequestRefusedError, match="videoName"):
        call("POST", "/api/v1/video/storyboard", json={"scenes": []}, paid=paid)


def test_a_method_that_the_path_does_not_take(call: Callable[..., Any]) -> None:
    with pytest.raises(RequestRefusedError, match="405"):
        call("DELETE", "/api/v1/video/storyboard")
