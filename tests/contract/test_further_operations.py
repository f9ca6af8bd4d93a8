"""What comparable services have, from a running service: render by id, other texts and headers, and what is refused."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import (
    JobReplyTooLargeError,
    NotFoundError,
    RequestRefusedError,
)

CONNECTION = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"
STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
MIB = 1024 * 1024


@pytest.fixture
def emulator(video_creation_emulator: Any) -> Any:
    return video_creation_emulator


@pytest.fixture
def connect(emulator: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The connection with every further path, and more."""

    def connect(**extra: Any) -> None:
        connection = json.loads(emulator.further_connection_json)
        connection["extra"] |= extra
        monkeypatch.setenv(CONNECTION, json.dumps(connection))

    connect()
    return connect


async def by_requests(method: str, job_id: str) -> Any:
    found = getattr(VideoCreationHook(), method)(job_id)
    return found[0] if method == "poll_job" else found


async def by_aiohttp(method: str, job_id: str) -> Any:
    async with VideoCreationAsyncHook() as hook:
        found = await getattr(hook, method)(job_id)
    return found[0] if method == "poll_job" else found


@pytest.fixture(params=[by_requests, by_aiohttp], ids=["requests", "aiohttp"])
def ask(request: pytest.FixtureRequest) -> Any:
    return request.param


async def test_a_running_job_is_cancelled(emulator: Any, connect: Any, ask: Any) -> None:
    emulator.admin.add_fault("stall", on="storyboard")
    job_id = VideoCreationHook().create_storyboard(STORYBOARD)

    assert await ask("cancel_job", job_id)

    assert (await ask("poll_job", job_id)).state == "failed"


async def test_a_job_that_has_ended_cannot_be_cancelled(connect: Any, ask: Any) -> None:
    job_id = VideoCreationHook().create_storyboard(STORYBOARD)

    with pytest.raises(RequestRefusedError) as refused:
        await ask("cancel_job", job_id)

    assert refused.value.status == 409


async def test_a_job_that_nobody_knows_cannot_be_cancelled(connect: Any, ask: Any) -> None:
    with pytest.raises(NotFoundError):
        await ask("cancel_job", "nobody-knows")


async def test_a_storyboard_is_rendered_by_its_id(emulator: Any, connect: Any, ask: Any) -> None:
    connect(render_by_id=True)
    storyboard = VideoCreationHook().create_storyboard(STORYBOARD)

    render = VideoCreationHook().render_video(storyboard_job_id=storyboard)

    assert (await ask("poll_job", render)).video_url
    assert len(emulator.admin.calls(operation="render_by_id")) == 1
    assert not emulator.admin.calls(operation="render")


def test_a_storyboard_that_nobody_knows_is_not_rendered(connect: Any) -> None:
    connect(render_by_id=True)

    with pytest.raises(NotFoundError):
        VideoCreationHook().render_video(storyboard_job_id="nobody-knows")


@pytest.mark.parametrize("limit", [1, 32])
def test_a_large_storyboard_is_read_up_to_the_limit(emulator: Any, connect: Any, limit: int) -> None:
    connect(max_reply_mib=limit)
    job_id = VideoCreationHook().create_storyboard(STORYBOARD)
    padding = {"data": {"padding": "x" * 3 * MIB}}
    emulator.admin.add_fault("merge", on="job", body=padding)

    if limit == 1:
        with pytest.raises(JobReplyTooLargeError, match="max_reply_mib"):
            VideoCreationHook().get_job(job_id)
    else:
        assert VideoCreationHook().get_job(job_id).render_settings


@pytest.mark.parametrize("operation", ["storyboard", "render"])
def test_a_used_up_account_is_refused_at_once_and_nothing_is_paid(
    emulator: Any, connect: Any, operation: str
) -> None:
    storyboard = VideoCreationHook().create_storyboard(STORYBOARD)
    settings = VideoCreationHook().get_job(storyboard).render_settings
    emulator.admin.change(quota_minutes=0)

    hook = VideoCreationHook()
    pay = (
        partial(hook.render_video, settings)
        if operation == "render"
        else partial(hook.create_storyboard, STORYBOARD)
    )

    with pytest.raises(RequestRefusedError, match="Nothing was made or paid by this call"):
        pay()

    assert VideoCreationHook().get_quota() <= 0


async def test_a_service_with_one_api_key_gets_no_user_id(
    emulator: Any, connect: Any, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    emulator.admin.change(dialect={"user_id_header": None})
    connection = json.loads(emulator.further_connection_json)
    connection["extra"] = {"user_id_header": None}
    monkeypatch.setenv(CONNECTION, json.dumps(connection))

    job_id = VideoCreationHook().create_storyboard(STORYBOARD)

    assert (await ask("poll_job", job_id)).state == "completed"
    assert VideoCreationHook().test_connection()[0]


@pytest.mark.parametrize("escape_text", [True, False])
def test_a_service_that_decodes_nothing_shows_the_text_that_was_meant(
    emulator: Any, connect: Any, escape_text: bool
) -> None:
    emulator.admin.change(dialect={"decodes_text": False})
    connect(escape_text=escape_text)

    job_id = VideoCreationHook().create_storyboard(
        {"videoName": "v", "scenes": [{"text": "AT&amp;T rings."}]}
    )

    settings = json.dumps(VideoCreationHook().get_job(job_id).render_settings)
    assert ("AT&T rings" in settings) != escape_text
