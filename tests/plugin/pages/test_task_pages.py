"""The pages about a task, below a real Airflow API: whoever may read the task sees its job, nobody else anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from airflow_video_creation.provider.submission.shown_job import ShownJob

PREVIEW = "https://media.example.com/preview?signature=s3cr3t"
VIDEO = "https://media.example.com/video.mp4?signature=s3cr3t"
JOB = ShownJob(
    "j-1", "storyboard", "video_creation_default", submitted_at=1790000000.0, video_name="tide-mill"
)
Get = Callable[..., Awaitable[httpx.Response]]


async def test_a_finished_storyboard_is_played(get: Get, told: Any, service: Any) -> None:
    await told(JOB)
    service.will(
        service.job("completed", preview=PREVIEW, render_settings={"scenes": [{}, {}]}, videoDuration=17.5)
    )

    page = await get()

    assert page.status_code == 200
    assert f'<iframe title="Preview" src="{PREVIEW}" sandbox="allow-scripts allow-same-origin"' in page.text
    for fact in ("tide-mill", "completed", "17.5 s", "<dd>2</dd>", "j-1", "2026-09-21 14:13:20 UTC"):
        assert fact in page.text
    # The task itself has not ended.
    assert "data-refreshes" in page.text


async def test_a_finished_render_is_played_and_led_to(get: Get, told: Any, service: Any) -> None:
    await told(ShownJob("j-1", "render", "video_creation_default"))
    service.will(service.job("completed", videoURL=VIDEO))

    assert f'<video controls preload="metadata" playsinline src="{VIDEO}"' in (await get()).text
    led = await get("/video")
    assert (led.status_code, led.headers["location"]) == (303, VIDEO)
    assert "There is no preview here." in (await get("/preview")).text


async def test_no_answer_is_kept_or_told_to_others(get: Get, told: Any, service: Any) -> None:
    await told(JOB)
    service.will(service.job("completed", preview=PREVIEW))
    for answer in (await get(), await get("/preview"), await get(user=None)):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'; script-src 'nonce-" in (await get()).headers["content-security-policy"]


@pytest.mark.parametrize("page", ["", "/preview", "/video"])
async def test_nobody_sees_anything_and_the_service_is_not_asked(
    get: Get, told: Any, service: Any, page: str
) -> None:
    await told(JOB)
    answer = await get(page, user=None)
    assert answer.status_code == 401
    assert "You are not logged in" in answer.text
    assert "j-1" not in answer.text
    assert not service.seen


async def test_a_task_that_is_not_there_looks_like_one_that_may_not_be_seen(get: Get) -> None:
    for other in ({"dag_id": "no-such"}, {"run_id": "no-such"}, {"task_id": "no-such"}, {"map_index": "7"}):
        answer = await get(**other)
        assert answer.status_code == 403
        assert "This task does not exist, or you are not allowed to see it." in answer.text


async def test_a_job_under_way_shows_its_progress_and_is_looked_at_again(
    get: Get, told: Any, service: Any
) -> None:
    await told(JOB)
    service.will(service.job("in-progress", progress=40))
    page = (await get("/preview")).text
    assert "There is no preview yet." in page
    assert "in-progress, 40 %" in page
    assert "data-refreshes" in page


async def test_many_who_look_cost_one_request_in_five_seconds_and_one_token(
    get: Get, told: Any, service: Any, connect: Callable[..., None], now: Any
) -> None:
    connect(service.url, auth_url=f"{service.url}/auth/token", login="client", password="client-secret")
    service.will(service.reply(200, {"access_token": "a-token", "expires_in": 3600}), on="/auth/token")
    await told(JOB)
    service.will(service.job("in-progress"))
    for seconds in (0, 1, 1, 4, 10):
        now.seconds += seconds
        await get()
    asked = [seen.path for seen in service.seen]
    assert asked.count("/api/v1/job/j-1") == 3
    assert asked.count("/auth/token") == 1


async def test_a_failed_job_says_why_and_what_to_do(get: Get, told: Any, service: Any) -> None:
    await told(JOB)
    service.will(service.job("failed", error_code="NO_FONT", error_message="<script>alert(1)</script>"))
    page = (await get()).text
    assert "NO_FONT: &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "submits and pays for a new job" in page
    assert "<script>alert" not in page


async def test_a_service_that_is_away_is_told(get: Get, told: Any, service: Any) -> None:
    await told(JOB)
    service.will("503")
    page = await get()
    assert page.status_code == 200
    assert 'class="note problem"' in page.text
    assert "data-refreshes" in page.text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//host/x", "http://"]
)
async def test_what_is_no_web_address_is_neither_shown_nor_led_to(
    get: Get, told: Any, service: Any, url: str
) -> None:
    await told(JOB)
    service.will(service.job("completed", preview=url))
    assert url not in (await get()).text
    assert (await get("/preview")).status_code == 200


async def test_a_preview_on_airflows_own_host_gets_no_origin(get: Get, told: Any, service: Any) -> None:
    await told(JOB)
    service.will(service.job("completed", preview="https://airflow.example.com/x"))
    assert 'sandbox="allow-scripts"' in (await get()).text


@pytest.mark.parametrize(
    "value", ["text", 7, None, {"job_id": "j-1"}, {"job_id": 1, "video_creation_conn_id": "x"}]
)
async def test_an_xcom_of_another_kind_is_no_job(get: Get, told: Any, service: Any, value: Any) -> None:
    await told(value, rendered=None)
    assert "This task has not made a video yet." in (await get()).text
    assert not service.seen


async def test_another_task_makes_no_video(get: Get) -> None:
    assert "This task has not made a video yet." in (await get()).text


@pytest.mark.parametrize(
    "at",
    [1e20, -1e20, -1, pytest.param(10**400, id="10**400"), 253402300800, float("nan"), "NaN", "1e3", True],
)
async def test_a_time_that_is_none_is_left_out(get: Get, told: Any, service: Any, at: Any) -> None:
    await told({**JOB.to_json(), "submitted_at": at})
    service.will(service.job("in-progress"))
    page = await get()
    assert page.status_code == 200
    assert "in-progress" in page.text
    assert "Submitted" not in page.text
