"""The paths from a storyboard to a video, as a client sees them."""

from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import TOKEN, USER_ID, Emulator

AWS_CONNECTION = {"name": "media", "awsAccountId": "123456789012", "awsRegion": "us-east-2", "enabled": True}
PRIVATE = [{"text": "Private.", "backgroundUri": "s3://bucket/picture.jpg"}]


def test_a_storyboard_becomes_a_preview_then_a_video(caller: Any) -> None:
    storyboard = caller.finished(caller.storyboard())
    assert storyboard["success"] is True
    data = storyboard["data"]
    assert data["status"] == "completed"
    assert caller.get(data["preview"]).status_code == 200
    render_id = caller.post("/api/v1/video/render", data["render_settings"]).json()["job_id"]
    video = caller.finished(render_id)["data"]
    assert video["status"] == "completed"
    assert video["videoDuration"] > 0
    assert video["renderProgress"] == 100
    for field in ("videoURL", "shareVideoURL", "thumbnail", "audioURL", "srtFile", "vttFile", "txtFile"):
        assert caller.get(video[field]).status_code == 200, field


def test_render_settings_can_be_used_long_after_their_storyboard_is_gone(
    caller: Any, emulator: Emulator
) -> None:
    settings = caller.finished(caller.storyboard())["data"]["render_settings"]
    emulator.admin.reset()
    assert caller.post("/api/v1/video/render", settings).status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"settingsFormat": 2}, {"settingsFormat": 1, "previewId": "x", "storyboard": {}}]
)
def test_settings_of_another_make_are_refused(caller: Any, body: dict[str, Any]) -> None:
    reply = caller.post("/api/v1/video/render", body)
    assert reply.status_code == 400
    assert reply.json()["fields"]


def test_an_unknown_job_is_a_404(caller: Any) -> None:
    reply = caller.get("/api/v1/job/nonesuch")
    assert reply.status_code == 404
    assert "nonesuch" in reply.json()["message"]


def test_unknown_fields_are_dropped_silently(caller: Any, emulator: Emulator) -> None:
    job_id = caller.storyboard(vidoeDescription="a slip", scenes=[{"text": "x", "volume": 3}])
    settings = caller.finished(job_id)["data"]["render_settings"]
    assert settings["storyboard"] == {"videoName": "trees", "scenes": [{"text": "x"}]}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": TOKEN},
        {"X-Service-User-Id": USER_ID},
        {"Authorization": "wrong", "X-Service-User-Id": USER_ID},
        {"Authorization": f"Bearer {TOKEN}", "X-Service-User-Id": USER_ID},
        {"Authorization": TOKEN, "X-Service-User-Id": "someone"},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/video/storyboard"),
        ("GET", "/api/v1/job/7"),
        ("POST", "/api/v1/video/render"),
        ("POST", "/serviceapis/v1/awsconnections"),
        ("POST", "/serviceapis/v1/voiceovers/tracks"),
    ],
)
def test_no_operation_answers_a_caller_it_does_not_know(
    emulator: Emulator, method: str, path: str, headers: dict[str, str]
) -> None:
    reply = requests.request(method, emulator.base_url + path, headers=headers, data="{no json", timeout=10)
    assert reply.status_code == 401
    assert reply.json()["message"]


def test_a_wrong_field_is_named_by_its_path(caller: Any) -> None:
    scenes = [{"text": "fine"}, {"text": 3, "minimumDuration": -1, "textColor": "red"}]
    reply = caller.post("/api/v1/video/storyboard", {"videoName": "a/b", "scenes": scenes})
    assert reply.status_code == 400
    body = reply.json()
    assert [field["name"] for field in body["fields"]] == [
        "videoName",
        "scenes[1].textColor",
        "scenes[1].text",
        "scenes[1].minimumDuration",
    ]
    assert all(field["errors"] for field in body["fields"])


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "7", '{"videoName": NaN}'])
def test_a_body_that_is_no_json_object_is_a_400(caller: Any, body: str) -> None:
    url = f"{caller.base_url}/api/v1/video/storyboard"
    reply = caller.http.post(url, data=body, headers={"Content-Type": "application/json"}, timeout=10)
    assert reply.status_code == 400


def test_a_body_beyond_the_limit_is_a_413(caller: Any) -> None:
    text = "x" * 5_000_000
    assert (
        caller.post("/api/v1/video/storyboard", {"videoName": "v", "scenes": [{"text": text}]}).status_code
        == 413
    )


def test_private_media_need_a_connection_that_is_registered_and_enabled(caller: Any) -> None:
    def create(connection_id: str | None) -> requests.Response:
        body = {"videoName": "v", "scenes": PRIVATE}
        body |= {"awsConnectionId": connection_id} if connection_id else {}
        reply: requests.Response = caller.post("/api/v1/video/storyboard", body)
        return reply

    enabled = caller.post("/serviceapis/v1/awsconnections", AWS_CONNECTION).json()["connectionId"]
    disabled = caller.post(
        "/serviceapis/v1/awsconnections", {**AWS_CONNECTION, "name": "off", "enabled": False}
    ).json()["connectionId"]
    assert create(enabled).status_code == 200
    for connection_id, field in (
        (None, "scenes[0].backgroundUri"),
        (disabled, "awsConnectionId"),
        ("nonesuch", "awsConnectionId"),
    ):
        reply = create(connection_id)
        assert reply.status_code == 400
        assert reply.json()["fields"][0]["name"] == field


def test_a_submission_repeated_under_its_key_makes_no_second_job(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(idempotency_header="Idempotency-Key")
    first, second, other = (
        caller.post("/api/v1/video/storyboard", {"videoName": "v"}, headers={"Idempotency-Key": key}).json()
        for key in ("one", "one", "two")
    )
    assert first == second
    assert other["job_id"] != first["job_id"]
    assert len(emulator.admin.jobs("v")) == 2


def test_half_a_letter_is_refused(caller: Any) -> None:
    reply = caller.post("/api/v1/video/storyboard", {"videoName": "v", "scenes": [{"text": "\ud83d"}]})
    assert reply.status_code == 400
    assert "half a letter" in reply.text
