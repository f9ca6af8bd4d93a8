"""The button "Test connection": proves address and credentials, and says what to change."""

from __future__ import annotations

from typing import Any

import pytest
import requests

from airflow_video_creation.hooks.video_creation import VideoCreationHook

PROBE = "https://video.example.com/api/v1/job/airflow-connection-test"


@pytest.mark.parametrize(
    "reply",
    [
        {"status_code": 404, "json": {"message": "no such job"}},
        {"status_code": 400, "json": {"error_code": "BAD_JOB_ID"}},
        {"json": {"success": False, "data": {"error_message": "job not found"}}},
    ],
    ids=["404", "400", "inside a 200"],
)
def test_a_service_that_knows_no_such_job_accepts_the_credentials(
    connect: Any, requests_mock: Any, reply: dict[str, Any]
) -> None:
    connect()
    requests_mock.get(PROBE, **reply)

    works, message = VideoCreationHook().test_connection()

    assert works, message
    assert "video.example.com" in message
    assert {request.method for request in requests_mock.request_history} == {"GET"}


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        ({"status_code": 401, "json": {"message": "bad token"}}, "password"),
        ({"status_code": 403, "json": {"message": "not yours"}}, "403"),
        ({"status_code": 404, "text": "<html>nothing here</html>"}, "host"),
        ({"text": "<html>Welcome</html>"}, "host"),
        ({"text": '{"data"'}, "host"),
        ({"status_code": 301, "headers": {"Location": "https://other.example.com/"}}, "other.example.com"),
        ({"exc": requests.exceptions.ConnectTimeout}, "host"),
        ({"status_code": 503}, "later"),
    ],
    ids=["401", "403", "HTML 404", "HTML", "malformed", "redirect", "no connection", "503"],
)
def test_what_does_not_work_is_said_with_what_to_change(
    connect: Any, requests_mock: Any, reply: dict[str, Any], advice: str
) -> None:
    connect()
    requests_mock.get(PROBE, **reply)

    works, message = VideoCreationHook().test_connection()

    assert not works
    assert advice in message
    assert requests_mock.call_count == 1


def test_a_connection_that_is_not_there_is_said() -> None:
    works, message = VideoCreationHook("nowhere").test_connection()

    assert not works
    assert "There is no Airflow connection 'nowhere'" in message


def test_a_connection_with_wrong_fields_is_said(connect: Any) -> None:
    connect(host="", password="")

    works, message = VideoCreationHook().test_connection()

    assert not works
    assert "host is empty" in message
    assert "password is empty" in message
