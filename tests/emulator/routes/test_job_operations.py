"""The paths from a storyboard to a video, as a client sees them."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import TOKEN, USER_ID, Emulator

AWS_CONNECTION = {"name": "media", "awsAccountId": "123456789012", "awsRegion": "us-east-2", "enabled": True}
STORYBOARD = {"videoName": "v", "scenes": [{"text": "Ten thousand trees."}]}
RENDER = {"settingsFormat": 1, "previewId": "p", "storyboard": STORYBOARD}
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
        ("POST", "/api/v1/job/7/cancel"),
        ("POST", "/api/v1/video/render"),
        ("PUT", "/api/v1/video/render/7"),
        *(("GET", f"/api/v1/{name}") for name in ("jobs", "voices", "fonts", "quota")),
        ("POST", "/serviceapis/v1/awsconnections"),
        ("POST", "/serviceapis/v1/voiceovers/tracks"),
        *(("GET", f"/serviceapis/v1/{name}") for name in ("awsconnections", "voiceovers/tracks")),
        *((method, "/serviceapis/v1/awsconnections/7") for method in ("GET", "PATCH", "PUT", "DELETE")),
        *((method, "/serviceapis/v1/voiceovers/tracks/7") for method in ("GET", "DELETE")),
    ],
)
def test_no_operation_answers_a_caller_it_does_not_know(
    emulator: Emulator, method: str, path: str, headers: dict[str, str]
) -> None:
    reply = requests.request(method, emulator.base_url + path, headers=headers, data="{no json", timeout=10)
    assert reply.status_code == 401
    assert reply.json()["message"]


def test_a_service_without_users_looks_at_the_token_alone(emulator: Emulator) -> None:
    emulator.admin.change(dialect={"user_id_header": None})
    url = f"{emulator.base_url}/api/v1/quota"
    assert requests.get(url, headers={"Authorization": TOKEN}, timeout=10).status_code == 200
    assert requests.get(url, headers={"Authorization": "wrong"}, timeout=10).status_code == 401


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


def test_a_scene_may_name_a_connection_of_its_own(caller: Any) -> None:
    own = caller.post("/serviceapis/v1/awsconnections", AWS_CONNECTION).json()["connectionId"]
    for connection_id, status in ((own, 200), ("nonesuch", 400)):
        scenes = [{**scene, "awsConnectionId": connection_id} for scene in PRIVATE]
        reply = caller.post("/api/v1/video/storyboard", {"videoName": "v", "scenes": scenes})
        assert reply.status_code == status
    assert reply.json()["fields"][0]["name"] == "scenes[0].awsConnectionId"


def test_a_submission_repeated_under_its_key_makes_no_second_job(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(idempotency_header="Idempotency-Key")
    first, second, other = (
        caller.post("/api/v1/video/storyboard", {"videoName": "v"}, headers={"Idempotency-Key": key}).json()
        for key in ("one", "one", "two")
    )
    assert first == second
    assert other["job_id"] != first["job_id"]
    assert len(emulator.admin.jobs("v")) == 2


def test_equal_submissions_at_the_same_time_make_one_job(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(idempotency_header="Idempotency-Key")
    # Both arrive before either is answered.
    emulator.admin.add_fault("delay", on="storyboard", seconds=0.2)

    def submit(_number: int) -> Any:
        return caller.post(
            "/api/v1/video/storyboard", {"videoName": "v"}, headers={"Idempotency-Key": "one"}
        ).json()

    with ThreadPoolExecutor(8) as callers:
        replies = list(callers.map(submit, range(8)))
    assert all(reply == replies[0] for reply in replies)
    assert len(emulator.admin.jobs("v")) == 1


@pytest.mark.parametrize("kind", ["storyboard", "render"])
def test_a_key_is_known_after_the_service_was_killed(
    kind: str, tmp_path: Path, call_emulator: Callable[[Emulator], Any]
) -> None:
    def submit(emulator: Emulator, key: str) -> str:
        body = STORYBOARD if kind == "storyboard" else RENDER
        headers = {"Idempotency-Key": key}
        reply = call_emulator(emulator).post(f"/api/v1/video/{kind}", body, headers=headers)
        return str(reply.json()["job_id"])

    options = {"folder": tmp_path, "instant": True, "idempotency_header": "Idempotency-Key"}
    emulator = Emulator(process=True, **options).start()
    job_id = submit(emulator, "one")
    emulator.kill()
    with Emulator(**options) as again:
        assert submit(again, "one") == job_id
        assert submit(again, "two") != job_id
        assert len(again.admin.jobs("v")) == 2


def test_a_storyboard_and_its_render_may_have_the_same_key(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(idempotency_header="Idempotency-Key")
    headers = {"Idempotency-Key": "one"}
    storyboard = caller.post("/api/v1/video/storyboard", STORYBOARD, headers=headers).json()
    render = caller.post("/api/v1/video/render", RENDER, headers=headers).json()
    assert render["job_id"] != storyboard["job_id"]


def test_after_a_reset_a_key_is_new(caller: Any, emulator: Emulator) -> None:
    for _ in range(2):
        emulator.admin.reset()
        emulator.admin.change(idempotency_header="Idempotency-Key")
        assert caller.post("/api/v1/video/storyboard", STORYBOARD, headers={"Idempotency-Key": "one"}).json()[
            "success"
        ]
        assert len(emulator.admin.jobs("v")) == 1


def test_a_video_is_rendered_by_its_storyboards_id(caller: Any, emulator: Emulator) -> None:
    storyboard = caller.storyboard(videoName="rivers")
    reply = caller.put(f"/api/v1/video/render/{storyboard}", {})
    assert reply.status_code == 200
    video = caller.finished(reply.json()["job_id"])["data"]
    assert video["shareVideoURL"] == caller.job(storyboard)["data"]["preview"]
    assert caller.get(video["videoURL"]).status_code == 200
    (call,) = emulator.admin.calls("render_by_id")
    assert (call["name"], call["job_id"]) == ("rivers", reply.json()["job_id"])


def test_a_render_by_id_needs_no_body_and_takes_a_webhook(
    caller: Any, emulator: Emulator, receiver: Any, wait_until: Callable[..., Any]
) -> None:
    path = f"/api/v1/video/render/{caller.storyboard()}"
    assert caller.http.put(caller.base_url + path, timeout=10).status_code == 200
    job_id = caller.put(path, {"webhook": receiver.url}).json()["job_id"]
    (completion,) = wait_until(lambda: receiver.posted, bool)
    assert json.loads(completion)["job_id"] == job_id


@pytest.mark.parametrize("state", ["in-progress", "failed", "cleaned"])
def test_a_storyboard_without_a_result_is_not_rendered_by_its_id(
    caller: Any, emulator: Emulator, state: str
) -> None:
    emulator.admin.change(job_seconds=3600)
    job_id = caller.storyboard()
    if state != "in-progress":
        emulator.admin.set_job_state(job_id, state)
    reply = caller.put(f"/api/v1/video/render/{job_id}", {})
    assert (reply.status_code, reply.json()["code"]) == (409, "conflict")
    assert state in reply.json()["message"]


def test_only_storyboards_are_rendered_by_their_id(caller: Any) -> None:
    for job_id in ("nonesuch", caller.render()):
        assert caller.put(f"/api/v1/video/render/{job_id}", {}).status_code == 404


@pytest.mark.parametrize("make", ["storyboard", "render"])
def test_a_running_job_is_cancelled(caller: Any, emulator: Emulator, make: str) -> None:
    settings = caller.job(caller.storyboard())["data"]["render_settings"]
    emulator.admin.change(job_seconds=3600)
    body = STORYBOARD if make == "storyboard" else settings
    job_id = caller.post(f"/api/v1/video/{make}", body).json()["job_id"]
    reply = caller.post(f"/api/v1/job/{job_id}/cancel", {})
    assert (reply.status_code, reply.json()) == (200, {"job_id": job_id, "success": True})
    job = caller.job(job_id)
    assert job["data"]["status"] == "failed"
    assert job["data"]["error_code"] == "cancelled"
    assert job["data"]["error_message"]
    (call,) = emulator.admin.calls("cancel")
    assert call["job_id"] == job_id


def test_a_render_that_waits_for_its_slot_is_cancelled_and_never_made(
    caller: Any, emulator: Emulator
) -> None:
    settings = caller.job(caller.storyboard())["data"]["render_settings"]
    emulator.admin.change(job_polls=1)
    first, second, waiting, last = (
        caller.post("/api/v1/video/render", settings).json()["job_id"] for _ in range(4)
    )
    assert caller.post(f"/api/v1/job/{waiting}/cancel", {}).status_code == 200
    for job_id in (first, second, last):
        assert caller.finished(job_id)["data"]["status"] == "completed"
    assert caller.job(waiting)["data"]["error_code"] == "cancelled"


def test_what_is_finished_is_not_cancelled(caller: Any, emulator: Emulator) -> None:
    done = caller.storyboard()
    emulator.admin.change(job_seconds=3600)
    cancelled = caller.storyboard()
    assert caller.post(f"/api/v1/job/{cancelled}/cancel", {}).status_code == 200
    for job_id in (done, cancelled):
        before = caller.job(job_id)
        assert caller.post(f"/api/v1/job/{job_id}/cancel", {}).status_code == 409
        assert caller.job(job_id) == before
    assert caller.post("/api/v1/job/nonesuch/cancel", {}).status_code == 404


def test_a_webhook_beyond_the_limit_is_refused(caller: Any, emulator: Emulator) -> None:
    settings = caller.job(caller.storyboard())["data"]["render_settings"]
    by_id = f"/api/v1/video/render/{caller.storyboard()}"
    emulator.admin.change(webhook_max_length=30)
    for length, status in ((30, 200), (31, 400)):
        webhook = "http://127.0.0.1:9/".ljust(length, "x")
        for reply in (
            caller.post("/api/v1/video/storyboard", {"videoName": "v", "webhook": webhook}),
            caller.post("/api/v1/video/render", {**settings, "webhook": webhook}),
            caller.put(by_id, {"webhook": webhook}),
        ):
            assert reply.status_code == status
            assert status == 200 or reply.json()["fields"][0]["name"] == "webhook"


def test_beyond_the_quota_nothing_is_begun(caller: Any, emulator: Emulator) -> None:
    def minute(path: str, body: dict[str, Any]) -> int:
        return int(caller.post(path, body).status_code)

    scenes = [{"text": "A minute.", "minimumDuration": 60}]
    settings = caller.job(caller.storyboard(scenes=scenes))["data"]["render_settings"]
    emulator.admin.change(quota_minutes=2.5)
    # A storyboard takes nothing of the quota.
    assert [minute("/api/v1/video/storyboard", {"videoName": "v", "scenes": scenes}) for _ in range(4)] == [
        200
    ] * 4
    assert [minute("/api/v1/video/render", settings) for _ in range(3)] == [200, 200, 402]
    refused = caller.post("/api/v1/video/storyboard", {"videoName": "w", "scenes": scenes})
    assert (refused.status_code, refused.json()["code"]) == (402, "quota_exceeded")
    assert "0.50" in refused.json()["message"]
    assert emulator.admin.jobs("w") == []


def test_half_a_letter_is_refused(caller: Any) -> None:
    reply = caller.post("/api/v1/video/storyboard", {"videoName": "v", "scenes": [{"text": "\ud83d"}]})
    assert reply.status_code == 400
    assert "half a letter" in reply.text
