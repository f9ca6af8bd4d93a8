"""A speaker that the service does not list is refused before its storyboard is paid, and a look stops no video."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import InvalidRequestError

from ..told_errors import raises_telling

VOICES = {"data": [{"id": "Joanna"}, {"id": "Matthew"}]}


@pytest.fixture
def lists_voices(connect: Any, service: Any) -> Any:
    """A service with two voices, which takes a storyboard as s-1."""
    connect(service.url, paths={"voices": "/v2/voices"})
    service.will(service.reply(200, VOICES), on="/v2/voices")
    service.will(service.reply(200, {"job_id": "s-1"}), on="/api/v1/video/storyboard")
    return service


def storyboard(speaker: str | None) -> dict[str, Any]:
    voice = {"audio": {"aiVoiceOver": {"speaker": speaker}}} if speaker else {}
    return {"videoName": "v", "scenes": [{"text": "t"}], **voice}


def seen(service: Any) -> list[str]:
    return [f"{request.method} {request.path}" for request in service.seen]


@pytest.mark.parametrize("operator", [CreateStoryboardOperator, CreateVideoOperator])
def test_an_unknown_speaker_is_refused_and_nothing_is_sent(
    operator: Any, lists_voices: Any, task: Any
) -> None:
    with raises_telling(InvalidRequestError, r"did you mean 'Matthew'\?") as refused:
        operator(task_id="t", storyboard=storyboard("Mathew")).execute(task.context())

    assert isinstance(refused.value, AirflowFailException)
    assert seen(lists_voices) == ["GET /v2/voices"]
    assert task.store.values == {}
    assert task.pushed["failure"]["kind"] == "InvalidRequestError"


def test_a_known_speaker_is_looked_for_right_before_it_is_sent(lists_voices: Any, task: Any) -> None:
    CreateStoryboardOperator(task_id="t", storyboard=storyboard("Joanna")).execute(task.context())

    assert seen(lists_voices) == ["GET /v2/voices", "POST /api/v1/video/storyboard"]


def test_a_storyboard_without_a_speaker_is_sent_without_a_look(lists_voices: Any, task: Any) -> None:
    CreateStoryboardOperator(task_id="t", storyboard=storyboard(None)).execute(task.context())

    assert seen(lists_voices) == ["POST /api/v1/video/storyboard"]


def test_a_retry_resumes_its_job_without_a_look(lists_voices: Any, task: Any) -> None:
    CreateStoryboardOperator(task_id="t", storyboard=storyboard("Joanna")).execute(task.context())
    lists_voices.will(lists_voices.reply(200, {"data": [{"id": "Amy"}]}), on="/v2/voices")
    task.retry()

    job_id = CreateStoryboardOperator(task_id="t", storyboard=storyboard("Joanna")).execute(task.context())
    assert job_id == "s-1"
    assert seen(lists_voices) == ["GET /v2/voices", "POST /api/v1/video/storyboard"]


def test_an_adopted_job_is_taken_without_a_look(lists_voices: Any, task: Any) -> None:
    operator = CreateStoryboardOperator(task_id="t", storyboard=storyboard("nobody"), adopt_job_id="s-9")

    assert operator.execute(task.context()) == "s-9"
    assert seen(lists_voices) == []


@pytest.mark.parametrize("answer", ["503", "404", "html", "malformed", "reset"])
def test_voices_that_cannot_be_listed_stop_no_video(
    lists_voices: Any, task: Any, log: Any, answer: str
) -> None:
    lists_voices.will(answer, on="/v2/voices")

    job_id = CreateStoryboardOperator(task_id="t", storyboard=storyboard("anyone")).execute(task.context())
    assert job_id == "s-1"
    assert log().count("The voices could not be listed") == 1


def test_the_videos_of_a_mapped_task_list_the_voices_once(lists_voices: Any, make_task: Any) -> None:
    for index in range(3):
        operator = CreateStoryboardOperator(task_id="t", storyboard=storyboard("Matthew"))
        operator.execute(make_task(map_index=index).context())

    assert seen(lists_voices).count("GET /v2/voices") == 1
    assert seen(lists_voices).count("POST /api/v1/video/storyboard") == 3
