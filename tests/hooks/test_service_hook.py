"""Any call of the service, from a task: what is sent, what comes back, what is repeated."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    RequestRefusedError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

BASE = "https://video.example.com"
VOICES = {"data": [{"id": "Matthew", "language": "en-US"}]}


def test_a_read_returns_the_services_json(hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/api/v1/voices", json=VOICES)

    assert hook.call("GET", "/api/v1/voices", params={"language": "en-US", "limit": 5}) == VOICES

    sent = requests_mock.last_request
    assert sent.headers["Authorization"] == "a-token-that-nobody-may-see"
    assert sent.headers["X-Service-User-Id"] == "user-7"
    assert sent.headers["User-Agent"].startswith("airflow-provider-video-creation/")
    assert parse_qs(sent.query) == {"language": ["en-us"], "limit": ["5"]}


def test_a_base_url_with_a_path_keeps_it(connect: Any, requests_mock: Any) -> None:
    connect(f"{BASE}/tenant-7/")
    requests_mock.get(f"{BASE}/tenant-7/voices", json=[])

    assert VideoCreationHook().call("get", "/voices") == []


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_change_sends_its_json_and_may_come_back_empty(
    hook: VideoCreationHook, requests_mock: Any, method: str
) -> None:
    requests_mock.request(method, f"{BASE}/voices/v-1", status_code=204)

    assert hook.call(method, "/voices/v-1", json={"name": "Ada"}) is None
    assert requests_mock.last_request.json() == {"name": "Ada"}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "fault", [{"status_code": 503}, {"exc": requests.exceptions.ReadTimeout}, {"status_code": 429}]
)
def test_a_read_is_repeated(
    hook: VideoCreationHook, requests_mock: Any, clock: Any, method: str, fault: dict[str, Any]
) -> None:
    requests_mock.request(method, f"{BASE}/voices", [fault, {"json": VOICES}])

    assert hook.call(method, "/voices") == (VOICES if method == "GET" else None)
    assert len(clock.slept) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status_code": 503}, ServiceFailureError),
        ({"exc": requests.exceptions.ReadTimeout}, ServiceUnreachableError),
        ({"exc": RuntimeError("out of threads")}, ServiceUnreachableError),
        ({"text": "<html>Sign in</html>"}, UnreadableReplyError),
    ],
    ids=["503", "no answer", "trouble of ours", "HTML"],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_may_have_been_changed_is_not_sent_again(
    hook: VideoCreationHook, requests_mock: Any, method: str, fault: dict[str, Any], kind: type[Exception]
) -> None:
    requests_mock.request(method, f"{BASE}/voices/v-1", **fault)

    with pytest.raises(kind, match="may still have carried it out") as told:
        hook.call(method, "/voices/v-1", json={})

    assert requests_mock.call_count == 1
    assert "paid" not in str(told.value)


@pytest.mark.parametrize(
    "fault",
    [
        {"status_code": 503},
        {"exc": requests.exceptions.ReadTimeout},
        {"text": "<html>Sign in</html>"},
    ],
    ids=["503", "no answer", "HTML"],
)
def test_what_is_paid_for_is_in_doubt_and_ends_the_task(
    hook: VideoCreationHook, requests_mock: Any, fault: dict[str, Any]
) -> None:
    requests_mock.post(f"{BASE}/things", **fault)

    with pytest.raises(AmbiguousSubmissionError, match="may be paid for") as told:
        hook.call("POST", "/things", json={}, paid=True)

    assert isinstance(told.value, AirflowFailException)
    assert requests_mock.call_count == 1


@pytest.mark.parametrize("paid", [False, True])
@pytest.mark.parametrize("fault", [{"status_code": 429}, {"exc": requests.exceptions.ConnectTimeout}])
def test_what_the_service_cannot_have_acted_on_is_sent_again(
    hook: VideoCreationHook, requests_mock: Any, fault: dict[str, Any], paid: bool
) -> None:
    requests_mock.post(f"{BASE}/things", [fault, {"json": {"id": 5}}])

    assert hook.call("POST", "/things", json={}, paid=paid) == {"id": 5}


def test_what_a_200_says_of_a_failure_is_raised(hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.delete(f"{BASE}/voices/v-1", json={"success": False, "message": "It is in use"})

    with pytest.raises(RequestRefusedError, match="inside a 200, saying: It is in use"):
        hook.call("DELETE", "/voices/v-1")


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_only_a_get_follows_a_redirect(hook: VideoCreationHook, requests_mock: Any, method: str) -> None:
    moved = {"status_code": 307, "headers": {"Location": f"{BASE}/new"}}
    requests_mock.request(method, f"{BASE}/old", **moved)
    requests_mock.get(f"{BASE}/old", **moved)
    requests_mock.get(f"{BASE}/new", json=VOICES)

    with pytest.raises(RequestRefusedError, match="which is not followed"):
        hook.call(method, "/old")
    assert hook.call("GET", "/old") == VOICES


@pytest.mark.parametrize("path", ["https://evil.example.com/", "//evil.example.com/", "/../x", "/%2e%2e/x"])
def test_what_would_lead_out_of_the_service_is_not_sent(
    hook: VideoCreationHook, requests_mock: Any, path: str
) -> None:
    with pytest.raises(InvalidRequestError, match="nothing was sent") as told:
        hook.call("GET", path)

    assert isinstance(told.value, AirflowFailException)
    assert not requests_mock.called


def test_a_connection_that_is_not_there_is_said() -> None:
    with pytest.raises(ConfigurationError, match="no Airflow connection 'nowhere'"):
        VideoCreationHook("nowhere").call("GET", "/voices")


def test_the_query_is_in_no_log_and_no_message(
    connect: Any, service: Any, clock: Any, log: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    connect(service.url)
    service.will("503", "reset", "html", "404")
    hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)

    with caplog.at_level(logging.DEBUG), pytest.raises(Exception, match=r"This call \(GET /voices\)") as told:
        hook.call("GET", "/voices?key=s3cret", params={"token": "s3cret"})

    assert [seen.path for seen in service.seen] == ["/voices?key=s3cret&token=s3cret"] * 4
    assert "Trying again" in log()
    assert "s3cret" not in f"{told.value}{vars(told.value)}{log()}{caplog.text}"
