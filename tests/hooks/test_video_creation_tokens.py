"""Tokens that the hook fetches: kept, renewed in time, replaced once when refused, never shown."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import redact

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import AuthenticationError

from ..sample_requests import STORYBOARD

BASE = "https://video.example.com"


@pytest.fixture
def token_hook(connect: Any, clock: Any) -> VideoCreationHook:
    connect(auth_url="https://auth.example.com/token", login="client-1", password="client-secret")
    return VideoCreationHook(clock=clock.time, sleep=clock.sleep)


JOB = {"data": {"status": "completed"}}


def test_a_token_is_fetched_once_and_renewed_before_it_expires(
    token_hook: VideoCreationHook, requests_mock: Any, clock: Any
) -> None:
    fetch = requests_mock.post(
        "https://auth.example.com/token",
        [{"json": {"access_token": f"fetched-{n}", "expires_in": 600}} for n in (1, 2)],
    )
    ask = requests_mock.get(f"{BASE}/api/v1/job/j-1", json=JOB)

    token_hook.get_job("j-1")
    clock.sleep(500)
    token_hook.get_job("j-1")
    clock.sleep(50)
    token_hook.get_job("j-1")

    assert fetch.request_history[0].json() == {"client_id": "client-1", "client_secret": "client-secret"}
    used = [request.headers["Authorization"] for request in ask.request_history]
    assert used == ["fetched-1", "fetched-1", "fetched-2"]


def test_a_refused_token_is_replaced_once(token_hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.post(
        "https://auth.example.com/token", [{"json": {"access_token": f"fetched-{n}"}} for n in (1, 2, 3)]
    )
    post = requests_mock.post(
        f"{BASE}/api/v1/video/storyboard", [{"status_code": 401}, {"json": {"job_id": "sb-1"}}]
    )

    assert token_hook.create_storyboard(STORYBOARD) == "sb-1"
    used = [request.headers["Authorization"] for request in post.request_history]
    assert used == ["fetched-1", "fetched-2"]


def test_a_fresh_token_that_is_refused_too_ends_with_what_to_check(
    token_hook: VideoCreationHook, requests_mock: Any
) -> None:
    tokens = [{"json": {"access_token": "fetched-1"}}, {"json": {"access_token": "fetched-2"}}]
    requests_mock.post("https://auth.example.com/token", tokens)
    post = requests_mock.post(f"{BASE}/api/v1/video/storyboard", status_code=401)

    with pytest.raises(AuthenticationError, match="401"):
        token_hook.create_storyboard(STORYBOARD)
    assert post.call_count == 2


def test_the_same_token_again_is_no_fresh_one_and_nothing_is_sent_again(
    token_hook: VideoCreationHook, requests_mock: Any
) -> None:
    requests_mock.post("https://auth.example.com/token", json={"access_token": "fetched-1"})
    post = requests_mock.post(f"{BASE}/api/v1/video/storyboard", status_code=401)

    with pytest.raises(AuthenticationError, match="401"):
        token_hook.create_storyboard(STORYBOARD)
    assert post.call_count == 1


def test_a_refused_client_secret_is_told_without_it(
    token_hook: VideoCreationHook, requests_mock: Any
) -> None:
    requests_mock.post(
        "https://auth.example.com/token", status_code=401, json={"message": "client-secret is bad"}
    )

    with pytest.raises(AuthenticationError, match="login") as told:
        token_hook.get_job("j-1")
    assert "client-secret is" not in str(told.value)


def test_a_submission_waits_for_a_token_service_that_fails_once(
    token_hook: VideoCreationHook, requests_mock: Any
) -> None:
    requests_mock.post(
        "https://auth.example.com/token", [{"status_code": 503}, {"json": {"access_token": "fetched-1"}}]
    )
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    assert token_hook.create_storyboard(STORYBOARD) == "sb-1"


def test_a_read_whose_token_was_refused_goes_on_though_the_token_service_fails_once(
    token_hook: VideoCreationHook, requests_mock: Any
) -> None:
    tokens = [{"json": {"access_token": f"fetched-{n}"}} for n in (1, 2)]
    requests_mock.post("https://auth.example.com/token", [tokens[0], {"status_code": 503}, tokens[1]])
    requests_mock.get(f"{BASE}/api/v1/job/j-1", [{"status_code": 401}, {"json": JOB}])

    assert token_hook.get_job("j-1").state == "completed"


def test_a_fetched_token_is_masked(token_hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.post("https://auth.example.com/token", json={"access_token": "fetched-and-secret"})
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json=JOB)

    token_hook.get_job("j-1")

    assert redact("it is fetched-and-secret") == "it is ***"
