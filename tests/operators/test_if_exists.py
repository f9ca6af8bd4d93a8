"""What is registered by name: where the service has a list, the one that is there is returned."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    RequestRefusedError,
    ServiceFailureError,
)

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK
from ..told_errors import raises_telling

LIST = "https://video.example.com/list"
CONNECTIONS = "https://video.example.com/serviceapis/v1/awsconnections"
TRACKS = "https://video.example.com/serviceapis/v1/voiceovers/tracks"
THERE = {**AWS_CONNECTION, "connectionId": "c-9", "version": 3}
NO_ANSWER = {"exc": requests.exceptions.ReadTimeout}


@pytest.fixture
def hook(connect: Any, clock: Any) -> VideoCreationHook:
    """A hook whose connection names the service's lists."""
    connect(paths={"aws_connection_list": "/list", "voiceover_track_list": "/list"})
    return VideoCreationHook(clock=clock.time, sleep=clock.sleep)


def register(hook: Any, context: Any = None, **arguments: Any) -> dict[str, Any]:
    operator = RegisterAwsConnectionOperator(
        task_id="t", **{"connection": AWS_CONNECTION, "if_exists": "return", **arguments}
    )
    operator.hook = hook
    return operator.execute(context or {})


@pytest.fixture
def service_has(requests_mock: Any) -> Any:
    """What the service lists, from one look to the next: ``service_has([], [THERE])``."""

    def lists(*looks: list[Any]) -> Any:
        return requests_mock.get(LIST, [{"json": {"data": look}} for look in looks])

    return lists


def posts(requests_mock: Any) -> int:
    return len([seen for seen in requests_mock.request_history if seen.method == "POST"])


def test_the_one_that_is_there_is_returned_and_nothing_is_registered(
    hook: Any, requests_mock: Any, service_has: Any, task: Any, log: Any
) -> None:
    service_has([THERE])

    assert register(hook, task.context()) == THERE
    assert posts(requests_mock) == 0
    assert "According to the service's list, the AWS connection 'media' is already registered as c-9" in log()


def test_a_voice_that_is_there_is_returned(hook: Any, requests_mock: Any, service_has: Any) -> None:
    service_has([{"id": 5, "name": "Joan", "service": "aws", "language": "en-US"}])
    operator = AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK, if_exists="return")
    operator.hook = hook

    assert operator.execute({})["id"] == 5
    assert posts(requests_mock) == 0


@pytest.mark.parametrize("more", [{"next": "/list?page=2"}, {"total": 40}, {"has_more": True}])
def test_a_list_that_holds_back_some_is_no_proof_that_it_is_not_there(
    hook: Any, requests_mock: Any, more: dict[str, Any]
) -> None:
    requests_mock.get(LIST, json={"data": [{**THERE, "name": "another"}], **more})

    with raises_telling(ConfigurationError, r"has more.*'media'.*paths\.aws_connection_list") as stopped:
        register(hook)
    assert isinstance(stopped.value, AirflowFailException)
    assert posts(requests_mock) == 0


def test_what_a_part_of_the_list_shows_is_there(hook: Any, requests_mock: Any) -> None:
    requests_mock.get(LIST, json={"data": [THERE], "total": 40})

    assert register(hook) == THERE


@pytest.mark.parametrize(
    "gone", [{"status": "deleted"}, {"state": "DELETING"}, {"deletedAt": "2026-01-01"}, {"is_deleted": True}]
)
def test_one_that_was_deleted_is_not_there(
    hook: Any, requests_mock: Any, service_has: Any, gone: dict[str, Any]
) -> None:
    service_has([{**THERE, "connectionId": "c-1", **gone}])
    requests_mock.post(CONNECTIONS, json=THERE)

    assert register(hook) == THERE
    assert posts(requests_mock) == 1


@pytest.mark.parametrize("alive", [{"status": "active"}, {"deletedAt": None}, {"deleted": False}])
def test_one_that_says_that_it_is_not_deleted_is_there(
    hook: Any, service_has: Any, alive: dict[str, Any]
) -> None:
    service_has([{**THERE, **alive}])

    assert register(hook)["connectionId"] == "c-9"


def test_what_is_not_there_is_registered(hook: Any, requests_mock: Any, service_has: Any, task: Any) -> None:
    service_has([])
    requests_mock.post(CONNECTIONS, json=THERE)

    assert register(hook, task.context()) == THERE
    task.retry()
    assert register(hook, task.context()) == THERE
    assert posts(requests_mock) == 1


def test_without_the_argument_the_service_is_not_asked_and_its_words_are_told(
    hook: Any, requests_mock: Any, service_has: Any
) -> None:
    listed = service_has([THERE])
    requests_mock.post(CONNECTIONS, status_code=409, json={"message": "name exists"})

    with pytest.raises(RequestRefusedError, match="name exists"):
        register(hook, if_exists="fail")
    assert not listed.called


def test_one_that_differs_stops_the_task(hook: Any, requests_mock: Any, service_has: Any) -> None:
    service_has([{**THERE, "awsRegion": "eu-west-1"}])

    with raises_telling(ConfigurationError, "awsRegion is 'eu-west-1' there") as stopped:
        register(hook)
    assert isinstance(stopped.value, AirflowFailException)
    assert posts(requests_mock) == 0


def test_a_connection_without_the_lists_path_is_told_and_nothing_is_sent(
    connect: Any, requests_mock: Any
) -> None:
    connect()

    with pytest.raises(ConfigurationError, match=r"extra paths\.aws_connection_list") as stopped:
        register(VideoCreationHook())
    assert isinstance(stopped.value, AirflowFailException)
    assert not requests_mock.called


def test_another_word_is_refused_while_the_dag_is_parsed() -> None:
    with pytest.raises(ConfigurationError, match="if_exists must be 'fail' or 'return', not 'skip'"):
        RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION, if_exists="skip")  # type: ignore[arg-type]


@pytest.mark.parametrize("status", [409, 400])
def test_where_the_name_is_taken_meanwhile_the_list_is_looked_at_again(
    hook: Any, requests_mock: Any, service_has: Any, task: Any, status: int
) -> None:
    service_has([], [THERE])
    requests_mock.post(CONNECTIONS, status_code=status, json={"message": "name exists"})

    assert register(hook, task.context()) == THERE


def test_a_refusal_for_another_cause_is_told_in_the_services_words(
    hook: Any, requests_mock: Any, service_has: Any
) -> None:
    service_has([])
    requests_mock.post(CONNECTIONS, status_code=400, json={"message": "no such region"})

    with pytest.raises(RequestRefusedError, match="no such region"):
        register(hook)


@pytest.mark.parametrize("fault", [{"status_code": 500}, NO_ANSWER], ids=["500", "no answer"])
def test_a_doubt_is_settled_at_once_where_the_list_names_it(
    hook: Any, requests_mock: Any, service_has: Any, task: Any, fault: dict[str, Any]
) -> None:
    service_has([], [THERE])
    requests_mock.post(CONNECTIONS, **fault)

    assert register(hook, task.context()) == THERE
    assert posts(requests_mock) == 1


@pytest.mark.parametrize(
    "fault", [{"status_code": 500}, NO_ANSWER, {"status_code": 409}], ids=["500", "no answer", "409"]
)
def test_a_list_that_lags_is_looked_at_again_by_the_retry(
    hook: Any, requests_mock: Any, service_has: Any, task: Any, fault: dict[str, Any]
) -> None:
    service_has([], [], [THERE])
    requests_mock.post(CONNECTIONS, **fault)

    with pytest.raises(ServiceFailureError, match="A retry checks the list again") as failed:
        register(hook, task.context())
    assert not isinstance(failed.value, AirflowFailException)

    task.retry()
    assert register(hook, task.context()) == THERE
    assert posts(requests_mock) == 1


def test_what_a_doubt_did_not_register_is_registered_by_the_retry(
    hook: Any, requests_mock: Any, service_has: Any, task: Any
) -> None:
    service_has([])
    requests_mock.post(CONNECTIONS, [{"status_code": 500}, {"json": THERE}])

    with pytest.raises(ServiceFailureError):
        register(hook, task.context())
    task.retry()

    assert register(hook, task.context()) == THERE
    assert task.record()["job_id"] == "c-9"


def test_a_try_that_died_before_its_answer_leaves_no_doubt(
    hook: Any, requests_mock: Any, service_has: Any, task: Any
) -> None:
    service_has([])
    requests_mock.post(CONNECTIONS, exc=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        register(hook, task.context())
    assert task.record()["state"] == "intent"

    task.retry()
    with pytest.raises(AmbiguousSubmissionError):
        register(hook, task.context(), if_exists="fail")

    service_has([THERE])
    assert register(hook, task.context()) == THERE
    assert posts(requests_mock) == 1


def test_below_airflow_3_3_a_retry_looks_too(
    hook: Any, requests_mock: Any, service_has: Any, make_task: Any
) -> None:
    """No record is kept there without a record folder, so that every retry is in doubt otherwise."""
    task = make_task(store=None)
    task.retry()
    service_has([THERE])

    assert register(hook, task.context()) == THERE


def test_a_list_that_cannot_be_read_registers_nothing(hook: Any, requests_mock: Any, task: Any) -> None:
    requests_mock.get(LIST, status_code=503)

    with pytest.raises(ServiceFailureError):
        register(hook, task.context())
    assert posts(requests_mock) == 0


def test_the_variable_keeps_what_was_found(
    hook: Any, requests_mock: Any, service_has: Any, task: Any, variables: dict[str, str]
) -> None:
    listed = service_has([THERE])

    assert register(hook, task.context(), variable="media") == THERE
    assert json.loads(variables["media"]) == THERE
    assert register(hook, task.context(), variable="media") == THERE
    assert listed.call_count == 1
