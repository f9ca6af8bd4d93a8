from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import CLIENT_ID, CLIENT_SECRET, Emulator

CREDENTIALS = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}


def fetch(emulator: Emulator, **request: Any) -> requests.Response:
    return requests.post(f"{emulator.base_url}/auth/token", timeout=10, **request)


@pytest.mark.parametrize(
    "request_body", [{"json": CREDENTIALS}, {"data": {**CREDENTIALS, "grant_type": "client_credentials"}}]
)
def test_a_fetched_token_opens_the_service(
    emulator: Emulator, caller: Any, request_body: dict[str, Any]
) -> None:
    body = fetch(emulator, **request_body).json()
    assert body["expires_in"] == 3600
    caller.http.headers["Authorization"] = body["access_token"]
    caller.storyboard()
    emulator.admin.expire_tokens()
    assert caller.post("/api/v1/video/storyboard", {"videoName": "v"}).status_code == 401


@pytest.mark.parametrize(
    ("request_body", "status"),
    [
        ({"json": {**CREDENTIALS, "client_secret": "wrong"}}, 401),
        ({"data": {**CREDENTIALS, "grant_type": "client_credentials", "client_id": "wrong"}}, 401),
        ({"json": {"client_id": CLIENT_ID}}, 400),
        ({"data": CREDENTIALS}, 400),
        ({"data": "no json"}, 400),
        ({"json": [1]}, 400),
    ],
)
def test_other_credentials_get_no_token(
    emulator: Emulator, request_body: dict[str, Any], status: int
) -> None:
    reply = fetch(emulator, **request_body)
    assert reply.status_code == status
    assert CLIENT_SECRET not in reply.text


def test_a_token_lives_as_long_as_the_options_say(emulator: Emulator, caller: Any) -> None:
    emulator.admin.change(token_seconds=0.001)
    body = fetch(emulator, json=CREDENTIALS).json()
    assert body["expires_in"] == 0
    caller.http.headers["Authorization"] = body["access_token"]
    assert caller.get("/api/v1/job/7").status_code in (401, 404)
