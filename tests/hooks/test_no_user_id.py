"""A service that knows its callers by a token alone: no user id is sent, none is asked for, none is to be checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import AuthenticationError, ConfigurationError

from ..sample_requests import AWS_CONNECTION, STORYBOARD, VOICEOVER_TRACK

SYNCHRONOUS: dict[str, Callable[[VideoCreationHook], Any]] = {
    "create_storyboard": lambda hook: hook.create_storyboard(STORYBOARD),
    "render_video": lambda hook: hook.render_video({"scenes": []}),
    "register_aws_connection": lambda hook: hook.register_aws_connection(AWS_CONNECTION),
    "add_voiceover_track": lambda hook: hook.add_voiceover_track(VOICEOVER_TRACK),
    "get_job": lambda hook: hook.get_job("j-1"),
    "call": lambda hook: hook.call("GET", "/api/v1/voices"),
}
ASYNCHRONOUS: dict[str, Callable[[VideoCreationAsyncHook], Any]] = {
    "poll_job": lambda hook: hook.poll_job("j-1"),
    "cancel_job": lambda hook: hook.cancel_job("j-1"),
    "acall": lambda hook: hook.acall("GET", "/api/v1/voices"),
}


async def asynchronously(method: str) -> Any:
    async with VideoCreationAsyncHook() as hook:
        return await ASYNCHRONOUS[method](hook)


def make(method: str) -> Any:
    if method in SYNCHRONOUS:
        return SYNCHRONOUS[method](VideoCreationHook())
    return asyncio.run(asynchronously(method))


@pytest.fixture(params=[{"user_id": ""}, {"user_id": "", "token_prefix": "Bearer"}, {}])
def without_user(request: Any, connect: Any, service: Any) -> None:
    paths = {"cancel": "/api/v1/job/{job_id}/cancel"}
    connect(service.url, user_id_header=None, paths=paths, **request.param)


@pytest.mark.parametrize("method", [*SYNCHRONOUS, *ASYNCHRONOUS])
@pytest.mark.usefixtures("without_user")
def test_no_call_sends_a_user_id(service: Any, method: str) -> None:
    service.will(service.reply(200, {"job_id": "j-1", "data": {"status": "in-progress"}}))

    make(method)

    [seen] = service.seen
    assert not [name for name in seen.headers if "user-id" in name]
    assert "user-7" not in str(seen)


@pytest.mark.parametrize("method", ["get_job", "create_storyboard", "call", "poll_job", "acall"])
@pytest.mark.usefixtures("without_user")
def test_a_refused_token_asks_nobody_to_check_a_user_id(service: Any, method: str) -> None:
    service.will("401")

    with pytest.raises(AuthenticationError, match="does not accept the access token ") as told:
        make(method)

    assert "extra user_id and" not in str(told.value)
    assert "It sends no user id (extra user_id_header): does the service need one?" in str(told.value)


@pytest.mark.usefixtures("without_user")
def test_the_connection_can_be_tested(service: Any) -> None:
    service.will("404", "401")

    works, _ = VideoCreationHook().test_connection()
    refused, why = VideoCreationHook().test_connection()

    assert works
    assert not refused
    assert "extra user_id and" not in why
    assert "It sends no user id (extra user_id_header)" in why


@pytest.mark.parametrize("method", ["get_job", "poll_job"])
def test_where_one_is_missing_the_way_out_is_said(connect: Any, service: Any, method: str) -> None:
    connect(service.url, user_id="")

    with pytest.raises(
        ConfigurationError, match=r'If the service takes no user id, set extra user_id_header to "none"'
    ):
        make(method)


def test_that_way_out_works(connect: Any, service: Any) -> None:
    connect(service.url, user_id=None, token_prefix=None, user_id_header="none")
    service.will("completed")

    make("get_job")

    assert len(service.seen) == 1
