"""What each method of the hook sends and returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import ConfigurationError, InvalidRequestError
from airflow_video_creation.provider.models import AwsConnection, Scene, Storyboard, VoiceoverTrack

from ..sample_requests import AWS_CONNECTION, STORYBOARD, VOICEOVER_TRACK

BASE = "https://video.example.com"


def test_every_call_carries_the_interfaces_headers(hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json={"job_id": "j-1", "data": {"status": "completed"}})

    hook.get_job("j-1")

    headers = requests_mock.last_request.headers
    assert headers["Authorization"] == "a-token-that-nobody-may-see"
    assert headers["X-Service-User-Id"] == "user-7"
    assert headers["Accept"] == "application/json"
    assert headers["User-Agent"].startswith("airflow-provider-video-creation/")


def test_a_user_id_of_the_task_wins(connect: Any, requests_mock: Any) -> None:
    connect()
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json={"data": {"status": "completed"}})

    VideoCreationHook(user_id="editor-2").get_job("j-1")

    assert requests_mock.last_request.headers["X-Service-User-Id"] == "editor-2"


def test_the_connections_time_outs_count_for_connecting_and_for_reading(
    connect: Any, requests_mock: Any
) -> None:
    connect(connect_timeout=3, read_timeout=40)
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json={"data": {"status": "completed"}})

    VideoCreationHook().get_job("j-1")

    to_connect, to_read = requests_mock.last_request.timeout
    assert (to_connect, to_read) == (3, 40)


@pytest.mark.parametrize(
    "storyboard",
    [
        STORYBOARD,
        '{"videoName": "news", "scenes": [{"text": "Hello"}]}',
        Storyboard(video_name="news", scenes=(Scene(text="Hello"),)),
    ],
    ids=["dict", "JSON text", "model"],
)
def test_create_storyboard_sends_the_wire_names_and_returns_the_job_id(
    hook: VideoCreationHook, requests_mock: Any, storyboard: Any
) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    assert hook.create_storyboard(storyboard) == "sb-1"
    assert requests_mock.last_request.json() == STORYBOARD


def test_render_video_sends_the_settings_unchanged(hook: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/render", json={"data": {"jobId": 17}})

    assert hook.render_video({"output": {"x": [1]}}, webhook="https://airflow.example.com/done") == "17"
    assert requests_mock.last_request.json() == {
        "output": {"x": [1]},
        "webhook": "https://airflow.example.com/done",
    }


@pytest.mark.parametrize(
    "connection", [AWS_CONNECTION, AwsConnection.read(AWS_CONNECTION)], ids=["dict", "model"]
)
def test_register_aws_connection_returns_the_services_fields(
    hook: VideoCreationHook, requests_mock: Any, connection: Any
) -> None:
    reply = {**AWS_CONNECTION, "connectionId": "c-9", "version": 1}
    requests_mock.post(f"{BASE}/serviceapis/v1/awsconnections", json=reply, status_code=201)

    assert hook.register_aws_connection(connection) == reply
    assert requests_mock.last_request.json() == AWS_CONNECTION


@pytest.mark.parametrize(
    "track", [VOICEOVER_TRACK, VoiceoverTrack.read(VOICEOVER_TRACK)], ids=["dict", "model"]
)
def test_add_voiceover_track_returns_the_services_fields(
    hook: VideoCreationHook, requests_mock: Any, track: Any
) -> None:
    reply = {"id": 5, "name": "Joan", "category": "standard"}
    requests_mock.post(f"{BASE}/serviceapis/v1/voiceovers/tracks", json={"data": reply})

    assert hook.add_voiceover_track(track) == reply
    assert requests_mock.last_request.json() == VOICEOVER_TRACK


def test_get_job_returns_a_job(hook: VideoCreationHook, requests_mock: Any) -> None:
    data = {"status": "completed", "preview": "https://p.example.com/1", "render_settings": {"a": 1}}
    requests_mock.get(f"{BASE}/api/v1/job/j-1", json={"job_id": "j-1", "success": True, "data": data})

    job = hook.get_job("j-1")

    assert (job.job_id, job.state) == ("j-1", "completed")
    assert job.render_settings == {"a": 1}


def test_a_job_id_that_is_a_number_is_asked_for_as_a_text(
    hook: VideoCreationHook, requests_mock: Any
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/42", json={"data": {"status": "in-progress"}})

    assert hook.get_job(42).job_id == "42"  # type: ignore[arg-type]


@pytest.mark.parametrize("job_id", [None, "", " ", "None"])
def test_no_job_id_is_said_before_anything_is_sent(
    hook: VideoCreationHook, requests_mock: Any, job_id: Any
) -> None:
    with pytest.raises(ConfigurationError, match=r"pass .*CreateStoryboardOperator"):
        hook.get_job(job_id)
    assert not requests_mock.called


def test_a_wrong_request_is_told_with_its_path_and_not_sent(
    hook: VideoCreationHook, requests_mock: Any
) -> None:
    with pytest.raises(InvalidRequestError, match=r"scenes\[0\]\.txt.*did you mean 'text'") as told:
        hook.create_storyboard({"videoName": "news", "scenes": [{"txt": "Hello"}]})

    assert isinstance(told.value, AirflowFailException)
    assert not requests_mock.called


def test_private_media_gets_the_connections_default(connect: Any, requests_mock: Any) -> None:
    connect(aws_connection_id="c-9")
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    VideoCreationHook().create_storyboard(
        {"videoName": "news", "scenes": [{"backgroundUri": "s3://bucket/a.mp4"}]}
    )

    assert requests_mock.last_request.json()["awsConnectionId"] == "c-9"


def test_what_looks_like_a_mistake_is_logged_and_sent(
    connect: Any, requests_mock: Any, log: Callable[[], str]
) -> None:
    connect(user_idd="x")
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    hook = VideoCreationHook()
    hook.create_storyboard({**STORYBOARD, "audio": {"aiVoiceOver": {"speed": "900"}}})

    assert "unknown key 'user_idd', which is ignored; did you mean 'user_id'?" in log()
    assert "audio.aiVoiceOver.speed is 900" in log()


def test_an_empty_text_is_left_out_and_logged(
    hook: VideoCreationHook, requests_mock: Any, log: Callable[[], str]
) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    hook.create_storyboard({**STORYBOARD, "language": ""})

    assert "language" not in requests_mock.last_request.json()
    assert "empty texts in optional fields, which are not sent: language" in log()


def test_the_connection_decides_what_extra_fields_may_carry_and_whether_text_is_escaped(
    connect: Any, requests_mock: Any
) -> None:
    connect(override_known_fields=True, escape_text=False)
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
    extra = {"extra_fields": {"language": ["en", "de"]}}

    VideoCreationHook().create_storyboard({"videoName": "v", "scenes": [{"text": "AT&amp;T"}], **extra})

    assert requests_mock.last_request.json() == {
        "videoName": "v",
        "scenes": [{"text": "AT&T"}],
        "language": ["en", "de"],
    }


def test_the_log_names_the_job_and_holds_no_secret(
    hook: VideoCreationHook, requests_mock: Any, log: Callable[[], str]
) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})

    hook.create_storyboard(STORYBOARD)

    assert "Storyboard 'news' was accepted as job sb-1" in log()
    assert "a-token-that-nobody-may-see" not in log()
