"""What a person gets wrong first: each operator ends with one sentence that names what to change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException
from requests_mock import ANY

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.base.video_creation import BaseVideoCreationOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    ConfigurationError,
    NotFoundError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK
from ..told_errors import told

Make = Callable[[Path], BaseVideoCreationOperator]

SUBMITTING: dict[str, Make] = {
    "storyboard": lambda folder: CreateStoryboardOperator(
        task_id="t", storyboard={"videoName": "news", "scenes": [{"text": "Hello"}]}
    ),
    "render": lambda folder: RenderVideoOperator(task_id="t", render_settings={"a": 1}),
    "AWS_CONNECTION connection": lambda folder: RegisterAwsConnectionOperator(
        task_id="t", connection=AWS_CONNECTION
    ),
    "voiceover": lambda folder: AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK),
}
READING: dict[str, Make] = {
    "render by job id": lambda folder: RenderVideoOperator(task_id="t", storyboard_job_id="sb-1"),
    "download": lambda folder: DownloadVideoOperator(
        task_id="t", job_id="r-1", destination=f"{folder}/v.mp4"
    ),
}


def failure(make: Make, folder: Path, hook: VideoCreationHook) -> AirflowException:
    operator = make(folder)
    operator.hook = hook
    with pytest.raises(AirflowException) as caught:
        operator.execute({})
    assert "a-token-that-nobody-may-see" not in str(caught.value)
    assert list(folder.iterdir()) == []
    return caught.value


@pytest.mark.parametrize("make", [*SUBMITTING.values(), *READING.values()], ids=[*SUBMITTING, *READING])
class TestEveryOperator:
    def test_a_missing_connection(self, make: Make, tmp_path: Path) -> None:
        error = failure(make, tmp_path, VideoCreationHook("nowhere"))

        assert isinstance(error, ConfigurationError)
        assert "There is no Airflow connection 'nowhere': create it" in str(error)

    def test_a_connection_without_a_base_url(self, make: Make, tmp_path: Path, connect: Any) -> None:
        connect(host="")

        assert "host is empty: it must hold the service's base URL" in told(
            failure(make, tmp_path, VideoCreationHook())
        )

    def test_a_connection_without_a_user_id(self, make: Make, tmp_path: Path, connect: Any) -> None:
        connect(user_id="")

        assert "Set extra user_id of connection 'video_creation_default'" in told(
            failure(make, tmp_path, VideoCreationHook())
        )

    def test_a_refused_connection(
        self, make: Make, tmp_path: Path, hook: Any, clock: Any, connect: Any, service: Any
    ) -> None:
        connect(service.url)
        service.stop_listening()

        error = failure(make, tmp_path, hook)

        assert isinstance(error, ServiceUnreachableError)
        assert f"connection refused by 127.0.0.1:{service.port}." in told(error)
        assert "Check the host and extra paths of connection 'video_creation_default'" in told(error)
        assert sum(clock.slept) <= 30

    def test_a_base_url_of_another_site(
        self, make: Make, tmp_path: Path, hook: Any, requests_mock: Any
    ) -> None:
        requests_mock.register_uri(ANY, ANY, status_code=404, text="<html>no</html>")

        error = failure(make, tmp_path, hook)

        assert isinstance(error, NotFoundError)
        assert "host" in str(error)

    def test_a_wrong_token(self, make: Make, tmp_path: Path, hook: Any, requests_mock: Any) -> None:
        requests_mock.register_uri(
            ANY,
            ANY,
            status_code=401,
            json={"message": "token a-token-that-nobody-may-see is bad"},
        )

        error = failure(make, tmp_path, hook)

        assert isinstance(error, AuthenticationError)
        assert "password" in str(error)
        assert "user_id" in str(error)


@pytest.mark.parametrize("body", ["<html>Welcome</html>", '{"job_id"'], ids=["HTML", "malformed JSON"])
@pytest.mark.parametrize("make", READING.values(), ids=READING)
def test_an_answer_to_a_read_that_is_no_json(
    make: Make, body: str, tmp_path: Path, hook: Any, requests_mock: Any
) -> None:
    requests_mock.register_uri(ANY, ANY, text=body)

    error = failure(make, tmp_path, hook)

    assert isinstance(error, UnreadableReplyError)
    assert "host" in str(error)


@pytest.mark.parametrize("body", ["<html>Welcome</html>", '{"job_id"'], ids=["HTML", "malformed JSON"])
@pytest.mark.parametrize("make", SUBMITTING.values(), ids=SUBMITTING)
def test_an_answer_to_a_submission_that_is_no_json(
    make: Make, body: str, tmp_path: Path, hook: Any, requests_mock: Any
) -> None:
    requests_mock.register_uri(ANY, ANY, text=body)

    error = failure(make, tmp_path, hook)

    assert isinstance(error, AmbiguousSubmissionError)
    assert "clear this task" in str(error)
    assert requests_mock.call_count == 1
