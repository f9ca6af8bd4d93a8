"""Every form of reply that we must understand is understood, by both transports, from a running service."""

import json

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    JobFailedError,
    NotFoundError,
    RequestRefusedError,
    ServiceError,
)
from airflow_video_creation.provider.waiting.job_wait import JobWait

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}

DIALECTS = [
    {},
    *({"success_status": status} for status in (201, 202)),
    *({"job_id": place} for place in ("jobId", "data.job_id", "data.jobId")),
    {"envelope": False},
    {"envelope": False, "job_id": "jobId"},
    {"state_words": {"completed": "COMPLETED", "in-progress": "In_Progress"}},
    {"storyboard_status": False},
    {"storyboard_status": False, "envelope": False},
    *({"preview": name} for name in ("previewUrl", "preview_url")),
    *({"render_settings": name} for name in ("renderParams", "renderSettings")),
    *({"video": name} for name in ("video_url", "videoUrl", "url")),
    {"share": "videoShareURL"},
    *({"progress": name} for name in ("progress", "none")),
]
FAILURES = [
    {"failure": form, "error_code": code, "envelope": envelope}
    for form in ("status", "data", "error")
    for code in ("word", "number")
    for envelope in (True, False)
]


class Requests:
    """The worker's hook."""

    async def job(self, job_id):
        return VideoCreationHook().poll_job(job_id)[0]


class Aiohttp:
    """The triggerer's hook."""

    async def job(self, job_id):
        async with VideoCreationAsyncHook() as hook:
            return (await hook.poll_job(job_id))[0]


@pytest.fixture(params=[Requests, Aiohttp], ids=["requests", "aiohttp"])
def transport(request):
    return request.param()


@pytest.fixture
def emulator(video_creation_emulator):
    return video_creation_emulator


@pytest.mark.parametrize("dialect", DIALECTS, ids=json.dumps)
async def test_a_storyboard_and_its_render(emulator, transport, dialect):
    emulator.admin.change(dialect=dialect)
    hook = VideoCreationHook()
    storyboard = await transport.job(hook.create_storyboard(STORYBOARD))
    assert storyboard.state == "completed"
    assert storyboard.preview_url
    assert storyboard.render_settings
    video = await transport.job(hook.render_video(storyboard.render_settings))
    assert video.state == "completed"
    for url in (video.video_url, video.share_url, video.thumbnail_url, video.srt_url, video.vtt_url):
        assert url
        assert url.startswith("http")
    assert video.duration
    assert video.duration > 0


@pytest.mark.parametrize("dialect", FAILURES, ids=json.dumps)
async def test_a_failed_job(emulator, transport, dialect):
    emulator.admin.change(dialect=dialect)
    emulator.admin.add_fault("fail", on="storyboard", error_code="NO_FONT", error_message="Font not found")
    job_id = VideoCreationHook().create_storyboard(STORYBOARD)
    polls = await ended_badly(transport, JobWait(job_id, started_at=0.0))
    # A failure without the state "failed" is read three times before it is believed.
    assert polls == (1 if dialect["failure"] == "status" else 3)


async def ended_badly(transport, wait):
    """Wait for a job that fails; how many polls it took until the service's code and words were there."""
    for poll in range(10):
        now = 15.0 * poll
        try:
            try:
                wait.after_job(await transport.job(wait.job_id), now)
            except ServiceError as error:
                wait.after_error(error, now)
        except JobFailedError as failure:
            return poll + 1 if failure.code and failure.service_message else 0
    raise AssertionError("it went on")


@pytest.mark.parametrize("words", [{}, {"cleaned": "CLEANED"}, {"cleaned": "purged"}], ids=json.dumps)
async def test_a_purged_result(emulator, transport, words, monkeypatch):
    connection = json.loads(emulator.connection_json)
    connection["extra"] = {**connection["extra"], "state_words": {"purged": "cleaned"}}
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    job_id = VideoCreationHook().create_storyboard(STORYBOARD)
    emulator.admin.set_job_state(job_id, "cleaned")
    emulator.admin.change(dialect={"state_words": words})
    assert (await transport.job(job_id)).state == "cleaned"


@pytest.mark.parametrize("status", [404, 200])
@pytest.mark.parametrize("errors", ["fields", "message", "error", "html", "empty"])
async def test_an_unknown_job_is_an_error_and_never_an_endless_wait(emulator, transport, status, errors):
    emulator.admin.change(dialect={"unknown_job": status, "errors": errors})
    with pytest.raises(NotFoundError, match="job"):
        await transport.job("nobody-knows")


@pytest.mark.parametrize("errors", ["fields", "message", "error", "html", "empty"])
def test_a_refusal_in_every_form_of_error_body(emulator, errors):
    emulator.admin.change(dialect={"errors": errors})
    storyboard = STORYBOARD | {"awsConnectionId": "never-registered"}
    with pytest.raises(RequestRefusedError) as refused:
        VideoCreationHook().create_storyboard(storyboard)
    assert refused.value.status == 400
    if errors in ("fields", "message", "error"):
        assert "saying" in str(refused.value)


def test_an_accepted_submission_without_a_body_is_in_doubt(emulator):
    emulator.admin.change(dialect={"success_status": 204})
    with pytest.raises(AmbiguousSubmissionError, match="may be paid for"):
        VideoCreationHook().create_storyboard(STORYBOARD)
    assert len(emulator.admin.calls(operation="storyboard")) == 1


@pytest.mark.parametrize("expires_in", ["seconds", "absent", "absurd"])
async def test_a_fetched_token_is_asked_for_once(emulator, monkeypatch, expires_in):
    emulator.admin.change(dialect={"expires_in": expires_in})
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", emulator.fetching_connection_json)
    hook = VideoCreationHook()
    job_id = hook.create_storyboard(STORYBOARD)
    assert hook.get_job(job_id).state == "completed"
    assert len(emulator.admin.calls(operation="token")) == 1


async def test_prefix_and_header_of_another_service(emulator, transport, monkeypatch):
    emulator.admin.change(dialect={"token_prefix": "Bearer", "user_id_header": "X-User"})
    connection = json.loads(emulator.connection_json)
    connection["extra"] |= {"token_prefix": "Bearer", "user_id_header": "X-User"}
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    assert (await transport.job(VideoCreationHook().create_storyboard(STORYBOARD))).state == "completed"
