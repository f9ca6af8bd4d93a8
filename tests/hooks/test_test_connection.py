"""The button "Test connection": proves address and credentials, and says what to change."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from requests_mock import ANY

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
    assert message.startswith("https://video.example.com accepts the credentials")
    assert {request.method for request in requests_mock.request_history} == {"GET"}


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        ({"status_code": 401, "json": {"message": "bad token"}}, "password"),
        ({"status_code": 402, "json": {"message": "no credit"}}, "account"),
        ({"status_code": 403, "json": {"message": "not yours"}}, "403"),
        ({"status_code": 404, "text": "<html>nothing here</html>"}, "host"),
        ({"text": "<html>Welcome</html>"}, "host"),
        ({"text": '{"data"'}, "host"),
        ({"status_code": 301, "headers": {"Location": "https://other.example.com/"}}, "other.example.com"),
        ({"exc": requests.exceptions.ConnectTimeout}, "host"),
        ({"status_code": 503}, "later"),
    ],
    ids=["401", "402", "403", "HTML 404", "HTML", "malformed", "redirect", "no connection", "503"],
)
def test_what_does_not_work_is_said_with_what_to_change(
    connect: Any, requests_mock: Any, reply: dict[str, Any], advice: str
) -> None:
    connect()
    requests_mock.get(PROBE, **reply)

    works, message = VideoCreationHook().test_connection()

    assert not works
    assert message.startswith("Tested https://video.example.com. ")
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


@pytest.mark.parametrize(
    ("host", "port", "tested"),
    [
        ("https://new.example.com", 8443, "https://new.example.com:8443"),
        ("https://new.example.com:9443", 8443, "https://new.example.com:9443"),
    ],
)
def test_a_port_that_outlived_a_change_of_the_host_is_seen(
    monkeypatch: pytest.MonkeyPatch, requests_mock: Any, host: str, port: int, tested: str
) -> None:
    fields = {"conn_type": "video_creation", "host": host, "port": port, "password": "a-token"}
    connection = json.dumps({**fields, "extra": {"user_id": "me"}})
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", connection)
    requests_mock.get(ANY, exc=requests.exceptions.ConnectTimeout)

    _, message = VideoCreationHook().test_connection()

    assert message.startswith(f"Tested {tested}. ")
    assert ("so port 8443 is not used" in message) is (":9443" in host)


def test_what_looks_like_a_mistake_is_said_beside_what_it_causes(connect: Any) -> None:
    connect(user_id=None, userid="me")

    works, message = VideoCreationHook().test_connection()

    assert not works
    assert "there is no user id to send" in message
    assert "did you mean 'user_id'?" in message.splitlines()[-1]


def test_the_random_name_that_the_test_button_gives_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_XQZRTB", json.dumps({"conn_type": "video_creation", "extra": {"usr": "me"}})
    )

    works, message = VideoCreationHook("xqzrtb").test_connection()

    assert not works
    assert message.startswith("The connection cannot be used: host is empty")
    assert "xqzrtb" not in message
