"""What the hook does when the service does not answer as hoped: reads are repeated, submissions only if unseen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import requests
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    NotFoundError,
    RateLimitedError,
    RequestRefusedError,
    ServiceError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

from ..sample_requests import AWS_CONNECTION, STORYBOARD, VOICEOVER_TRACK

BASE = "https://video.example.com"
SUBMISSIONS: dict[str, tuple[str, Callable[[VideoCreationHook], Any]]] = {
    "create storyboard": ("/api/v1/video/storyboard", lambda hook: hook.create_storyboard(STORYBOARD)),
    "render video": ("/api/v1/video/render", lambda hook: hook.render_video({"scenes": []})),
    "register": ("/serviceapis/v1/awsconnections", lambda hook: hook.register_aws_connection(AWS_CONNECTION)),
    "add voiceover": (
        "/serviceapis/v1/voiceovers/tracks",
        lambda hook: hook.add_voiceover_track(VOICEOVER_TRACK),
    ),
}
ERRORS: list[tuple[dict[str, Any], type[ServiceError], str]] = [
    ({"status_code": 401, "json": {"message": "bad token"}}, AuthenticationError, "password"),
    ({"status_code": 404, "json": {"message": "no such job"}}, NotFoundError, "no such job"),
    ({"status_code": 400, "json": {"message": "bad id"}}, RequestRefusedError, "bad id"),
    ({"status_code": 503, "text": "<html>"}, ServiceFailureError, "503"),
    ({"status_code": 429}, RateLimitedError, "Airflow pool"),
    ({"text": "<html>Welcome</html>"}, UnreadableReplyError, "host"),
    ({"exc": requests.exceptions.ReadTimeout}, ServiceUnreachableError, "read_timeout"),
    ({"exc": requests.exceptions.ConnectTimeout}, ServiceUnreachableError, "host"),
]


@pytest.mark.parametrize(("reply", "kind", "hint"), ERRORS, ids=[kind.__name__ for _, kind, _ in ERRORS])
def test_each_failure_of_a_read_is_an_airflow_exception_of_our_class(
    hook: VideoCreationHook, requests_mock: Any, reply: dict[str, Any], kind: type[ServiceError], hint: str
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/j-1", **reply)

    with pytest.raises(kind, match=hint) as told:
        hook.get_job("j-1")

    assert isinstance(told.value, AirflowException)
    assert isinstance(told.value, AirflowFailException) is not kind.retryable
    assert told.value.status == reply.get("status_code", told.value.status)
    assert "a-token-that-nobody-may-see" not in str(told.value)


@pytest.mark.parametrize(
    "fault",
    [{"status_code": 503}, {"exc": requests.exceptions.ConnectionError}, {"text": "{"}, {"status_code": 429}],
    ids=["503", "reset", "malformed", "429"],
)
def test_a_read_that_fails_once_is_made_again(
    hook: VideoCreationHook, requests_mock: Any, clock: Any, fault: dict[str, Any]
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/j-1", [fault, {"json": {"data": {"status": "completed"}}}])

    assert hook.get_job("j-1").state == "completed"
    assert len(clock.slept) == 1


def test_a_read_that_keeps_failing_ends_in_half_a_minute(
    hook: VideoCreationHook, requests_mock: Any, clock: Any
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/j-1", status_code=503)

    with pytest.raises(ServiceFailureError):
        hook.get_job("j-1")

    assert 10 < sum(clock.slept) <= 30


def test_retry_after_is_kept(hook: VideoCreationHook, requests_mock: Any, clock: Any) -> None:
    done = {"json": {"data": {"status": "completed"}}}
    limited = {"status_code": 429, "headers": {"Retry-After": "120"}}
    requests_mock.get(f"{BASE}/api/v1/job/j-1", [limited, done])

    hook.get_job("j-1")

    assert 120 <= clock.slept[0] <= 121


@pytest.mark.parametrize("name", SUBMISSIONS)
@pytest.mark.parametrize(
    "fault",
    [
        {"status_code": 500},
        {"status_code": 503},
        {"exc": requests.exceptions.ReadTimeout},
        {"exc": requests.exceptions.ConnectionError},
        {"exc": RuntimeError("something that nobody foresaw")},
    ],
    ids=["500", "503", "no answer", "reset", "unforeseen"],
)
def test_a_submission_in_doubt_is_sent_once_and_said_to_be_in_doubt(
    hook: VideoCreationHook, requests_mock: Any, name: str, fault: dict[str, Any]
) -> None:
    path, submit = SUBMISSIONS[name]
    sent = requests_mock.post(BASE + path, **fault)

    with pytest.raises(AmbiguousSubmissionError, match=r"may have been accepted.*not\s+sent again") as told:
        submit(hook)

    assert isinstance(told.value, AirflowFailException)
    assert sent.call_count == 1


@pytest.mark.parametrize("name", ["create storyboard", "render video"])
@pytest.mark.parametrize("body", ["<html>Accepted</html>", "{", "{}"])
def test_an_accepted_submission_without_a_job_id_is_in_doubt(
    hook: VideoCreationHook, requests_mock: Any, name: str, body: str
) -> None:
    path, submit = SUBMISSIONS[name]
    sent = requests_mock.post(BASE + path, text=body)

    with pytest.raises(AmbiguousSubmissionError):
        submit(hook)

    assert sent.call_count == 1


@pytest.mark.parametrize("name", SUBMISSIONS)
@pytest.mark.parametrize(
    "fault",
    [
        {"status_code": 429, "headers": {"Retry-After": "3"}},
        {"exc": requests.exceptions.ConnectTimeout},
        {"exc": requests.exceptions.ProxyError},
    ],
    ids=["429", "no connection", "no proxy"],
)
def test_a_submission_that_cannot_have_been_seen_is_sent_again(
    hook: VideoCreationHook, requests_mock: Any, name: str, fault: dict[str, Any]
) -> None:
    path, submit = SUBMISSIONS[name]
    sent = requests_mock.post(BASE + path, [fault, {"json": {"job_id": "sb-1"}}])

    submit(hook)

    assert sent.call_count == 2


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_follows_no_redirect(hook: VideoCreationHook, requests_mock: Any, name: str) -> None:
    path, submit = SUBMISSIONS[name]
    requests_mock.post(BASE + path, status_code=307, headers={"Location": f"{BASE}/elsewhere"})

    with pytest.raises(RequestRefusedError, match=r"redirect .*to https://video\.example\.com/elsewhere"):
        submit(hook)

    assert requests_mock.call_count == 1


def test_a_read_that_has_to_end_soon_is_not_repeated_beyond(
    hook: VideoCreationHook, requests_mock: Any, clock: Any
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/j-1", text="{")

    with pytest.raises(UnreadableReplyError):
        hook.poll_job("j-1", repeat_on=(UnreadableReplyError,), until=clock.now + 2)

    assert sum(clock.slept) < 2


def test_a_session_whose_thread_may_still_be_reading_is_not_used_again(connect: Any, service: Any) -> None:
    connect(service.url, connect_timeout=0.1, read_timeout=0.1)
    service.will("drip", "completed")
    hook = VideoCreationHook()
    former = hook.get_conn()

    with pytest.raises(ServiceUnreachableError):
        hook.poll_job("j-1")

    assert hook.get_conn() is not former


def test_a_read_that_has_to_end_soon_waits_no_longer_for_an_answer(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url, connect_timeout=5, read_timeout=5)
    service.will("hang")
    hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)

    with pytest.raises(ServiceUnreachableError, match=r"no complete answer within 0\.1 s"):
        hook.poll_job("j-1", until=clock.now + 0.1)
