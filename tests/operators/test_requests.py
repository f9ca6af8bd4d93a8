"""The operators that send a request: what they accept, when it is checked, and what they return."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowException, AirflowFailException

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.base.video_creation import BaseVideoCreationOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    JobFailedError,
)
from airflow_video_creation.provider.models import AwsConnection, Scene, Storyboard, VoiceoverTrack

from ..sample_requests import AWS_CONNECTION, STORYBOARD, VOICEOVER_TRACK
from ..told_errors import raises_telling

BASE = "https://video.example.com"


def run(operator: BaseVideoCreationOperator, hook: Any, **variables: Any) -> Any:
    """Render and execute, as a worker does."""
    operator.hook = hook
    operator.render_template_fields(variables)
    return operator.execute(variables)


@pytest.mark.parametrize(
    ("make", "path", "reply", "result", "sent"),
    [
        (
            lambda: CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD),
            "/api/v1/video/storyboard",
            {"job_id": "sb-1"},
            "sb-1",
            STORYBOARD,
        ),
        (
            lambda: CreateStoryboardOperator(task_id="t", storyboard=Storyboard.read(STORYBOARD)),
            "/api/v1/video/storyboard",
            {"job_id": 7},
            "7",
            STORYBOARD,
        ),
        (
            lambda: RenderVideoOperator(task_id="t", render_settings={"a": {"b": 1}}),
            "/api/v1/video/render",
            {"job_id": "r-1"},
            "r-1",
            {"a": {"b": 1}},
        ),
        (
            lambda: RegisterAwsConnectionOperator(task_id="t", connection=AwsConnection.read(AWS_CONNECTION)),
            "/serviceapis/v1/awsconnections",
            {**AWS_CONNECTION, "connectionId": "c-9", "version": 1},
            {**AWS_CONNECTION, "connectionId": "c-9", "version": 1},
            AWS_CONNECTION,
        ),
        (
            lambda: AddVoiceoverTrackOperator(task_id="t", track=VoiceoverTrack.read(VOICEOVER_TRACK)),
            "/serviceapis/v1/voiceovers/tracks",
            {"id": 5, "category": "standard"},
            {"id": 5, "category": "standard"},
            VOICEOVER_TRACK,
        ),
    ],
    ids=["storyboard", "storyboard model", "render", "AWS_CONNECTION connection", "voiceover"],
)
def test_each_operator_sends_its_request_and_returns_the_reply(
    hook: Any, requests_mock: Any, make: Any, path: str, reply: Any, result: Any, sent: Any
) -> None:
    requests_mock.post(BASE + path, json=reply)

    assert run(make(), hook) == result
    assert requests_mock.last_request.json() == sent


def test_the_users_id_and_the_connection_are_templates(
    connect: Any, requests_mock: Any, monkeypatch: Any
) -> None:
    connect()
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
    operator = CreateStoryboardOperator(
        task_id="t",
        storyboard=STORYBOARD,
        user_id="{{ editor }}",
        video_creation_conn_id="video_creation_{{ stage }}",
    )

    operator.render_template_fields({"editor": "editor-2", "stage": "default"})
    operator.execute({})

    assert requests_mock.last_request.headers["X-Service-User-Id"] == "editor-2"


def test_templates_deep_inside_a_storyboard_are_rendered(hook: Any, requests_mock: Any) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
    storyboard = {"videoName": "news {{ ds }}", "scenes": [{"text": "It is {{ ds }}"}, {"text": "{# #}Bye"}]}

    run(CreateStoryboardOperator(task_id="t", storyboard=storyboard), hook, ds="2026-11-21")

    assert requests_mock.last_request.json() == {
        "videoName": "news 2026-11-21",
        "scenes": [{"text": "It is 2026-11-21"}, {"text": "Bye"}],
    }


def test_templates_inside_a_model_are_rendered(hook: Any, requests_mock: Any) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
    storyboard = Storyboard(video_name="news", scenes=(Scene(text="It is {{ ds }}"),))

    run(CreateStoryboardOperator(task_id="t", storyboard=storyboard), hook, ds="2026-11-21")

    assert requests_mock.last_request.json()["scenes"] == [{"text": "It is 2026-11-21"}]


def test_extra_fields_of_a_model_are_sent(hook: Any, requests_mock: Any) -> None:
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
    scene = Scene(text="Hello", extra_fields={"mood": "calm"})
    storyboard = Storyboard(video_name="news", scenes=(scene,), extra_fields={"draft": True})

    run(CreateStoryboardOperator(task_id="t", storyboard=storyboard), hook)

    assert requests_mock.last_request.json() == {
        "videoName": "news",
        "scenes": [{"text": "Hello", "mood": "calm"}],
        "draft": True,
    }


def test_a_known_field_in_extra_fields_is_left_to_the_connection(hook: Any, requests_mock: Any) -> None:
    storyboard = {"videoName": "news", "scenes": [{"text": "Hello"}], "extra_fields": {"videoWidth": [1]}}
    operator = CreateStoryboardOperator(task_id="t", storyboard=storyboard)
    with raises_telling(InvalidRequestError, "add override_known_fields: true to these extra_fields or"):
        run(operator, hook)
    assert not requests_mock.called


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: CreateStoryboardOperator(
                task_id="t", storyboard={"videoName": "n", "scenes": [{"txt": "a"}]}
            ),
            r"scenes\[0\]\.txt.*'text'",
        ),
        (
            lambda: RegisterAwsConnectionOperator(
                task_id="t", connection={**AWS_CONNECTION, "awsAccountId": "12"}
            ),
            "awsAccountId.*12 digits",
        ),
        (
            lambda: AddVoiceoverTrackOperator(task_id="t", track={**VOICEOVER_TRACK, "engine": "WaveNet"}),
            "engine",
        ),
    ],
    ids=["storyboard", "AWS_CONNECTION connection", "voiceover"],
)
def test_a_request_without_templates_is_checked_while_the_dag_is_parsed(make: Any, problem: str) -> None:
    with pytest.raises(InvalidRequestError, match=problem) as told:
        make()
    assert isinstance(told.value, AirflowFailException)


@pytest.mark.parametrize(
    "storyboard",
    [
        {"videoName": "n", "scenes": [{"txt": "{{ ds }}"}]},
        '{"videoName": "n", "scenes": [{"txt": "{{ ds }}"}]}',
        "{{ ds }}",
        None,
    ],
    ids=["dict", "JSON text", "no JSON", "nothing"],
)
def test_a_rendered_request_is_checked_before_anything_is_sent(
    hook: Any, requests_mock: Any, storyboard: Any
) -> None:
    operator = CreateStoryboardOperator(task_id="t", storyboard=storyboard)

    with pytest.raises(InvalidRequestError, match="nothing was sent"):
        run(operator, hook, ds="2026-11-21")
    assert not requests_mock.called


def test_a_finished_storyboards_settings_are_read_again_and_rendered(hook: Any, requests_mock: Any) -> None:
    finished = {"data": {"status": "completed", "renderParams": {"a": 1}}}
    requests_mock.get(f"{BASE}/api/v1/job/sb-1", json=finished)
    requests_mock.post(f"{BASE}/api/v1/video/render", json={"job_id": "r-1"})

    assert run(RenderVideoOperator(task_id="t", storyboard_job_id="{{ job }}"), hook, job="sb-1") == "r-1"
    assert requests_mock.last_request.json() == {"a": 1}


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ({"status": "in-progress"}, ConfigurationError, "VideoJobSensor"),
        ({"status": "failed", "error_message": "no such voice"}, JobFailedError, "no such voice"),
        (
            {"status": "completed", "videoURL": "https://v.example.com/1"},
            ConfigurationError,
            "storyboard job",
        ),
    ],
    ids=["not finished", "failed", "a render job"],
)
def test_a_storyboard_that_cannot_be_rendered_says_why(
    hook: Any, requests_mock: Any, data: dict[str, Any], kind: type[Exception], message: str
) -> None:
    requests_mock.get(f"{BASE}/api/v1/job/sb-1", json={"data": data})

    with pytest.raises(kind, match=message):
        run(RenderVideoOperator(task_id="t", storyboard_job_id="sb-1"), hook)
    assert {request.method for request in requests_mock.request_history} == {"GET"}


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ({}, "neither was given"),
        ({"storyboard_job_id": "sb-1", "render_settings": {"a": 1}}, "both were given"),
    ],
)
def test_a_render_needs_one_source_and_says_so_while_the_dag_is_parsed(
    arguments: dict[str, Any], given: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"'t' needs either .*{given}"):
        RenderVideoOperator(task_id="t", **arguments)


@pytest.mark.parametrize("rendered", [None, "", "None"])
def test_a_storyboard_job_id_that_renders_to_nothing_is_said(
    hook: Any, requests_mock: Any, rendered: Any
) -> None:
    operator = RenderVideoOperator(task_id="t", storyboard_job_id="{{ job }}")

    with pytest.raises(AirflowException, match=r"needs either|pass what"):
        run(operator, hook, job=rendered)
    assert not requests_mock.called


class TestARequestInAFile:
    """A request in a JSON or YAML file beside the DAG file."""

    YAML = "videoName: '{{ name }}'\nvideoWidth: 1280\nscenes:\n  - text: This is about report.json\n"

    def operator(self, folder: Any, name: str) -> CreateStoryboardOperator:
        with DAG("d", template_searchpath=str(folder)):
            return CreateStoryboardOperator(task_id="t", storyboard=name)

    def test_it_is_rendered_and_read(self, tmp_path: Any, hook: Any, requests_mock: Any) -> None:
        (tmp_path / "news.yaml").write_text(self.YAML)
        sent = requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
        operator = self.operator(tmp_path, "news.yaml")
        operator.resolve_template_files()
        assert run(operator, hook, name="tonight") == "sb-1"
        assert sent.last_request.json() == {
            "videoName": "tonight",
            "videoWidth": 1280,
            "scenes": [{"text": "This is about report.json"}],
        }

    def test_a_missing_file_is_named_while_the_dag_is_parsed(self, tmp_path: Any) -> None:
        with pytest.raises(ConfigurationError, match=r"'gone.yaml', which was not found"):
            self.operator(tmp_path, "gone.yaml").resolve_template_files()

    def test_a_scene_that_ends_like_a_file_name_is_no_file(self, hook: Any, requests_mock: Any) -> None:
        sent = requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "sb-1"})
        storyboard = {"videoName": "news", "scenes": [{"text": "Read report.json"}, {"text": "{{ 1 }}.yaml"}]}
        operator = CreateStoryboardOperator(task_id="t", storyboard=storyboard)
        operator.resolve_template_files()
        run(operator, hook)
        assert [scene["text"] for scene in sent.last_request.json()["scenes"]] == [
            "Read report.json",
            "1.yaml",
        ]
