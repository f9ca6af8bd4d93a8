"""What is registered once and kept in an Airflow Variable, so that a task can be run again, and other DAGs find it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, Variable

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    RegistrationNotKeptError,
    RequestRefusedError,
)

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK
from ..told_errors import raises_telling, told

CONNECTIONS = "https://video.example.com/serviceapis/v1/awsconnections"
KEPT = {**AWS_CONNECTION, "connectionId": "c-9", "version": 1}


def register(hook: Any, context: Any = None, **arguments: Any) -> dict[str, Any]:
    """Render and execute, as a worker does."""
    operator = RegisterAwsConnectionOperator(
        task_id="t", **{"connection": AWS_CONNECTION, "variable": "media_connection", **arguments}
    )
    operator.hook = hook
    operator.render_template_fields({"stage": "test"})
    return operator.execute(context or {})


def keep(monkeypatch: pytest.MonkeyPatch, text: str, variable: str = "media_connection") -> None:
    monkeypatch.setenv(f"AIRFLOW_VAR_{variable.upper()}", text)


def test_what_the_variable_holds_is_returned_and_nothing_is_sent(
    hook: Any, requests_mock: Any, monkeypatch: Any, log: Any
) -> None:
    keep(monkeypatch, json.dumps(KEPT))

    assert register(hook) == KEPT
    assert not requests_mock.called
    assert "Nothing is sent" in log()


def test_a_person_can_tell_what_was_registered_by_hand(
    hook: Any, requests_mock: Any, monkeypatch: Any
) -> None:
    keep(monkeypatch, '{"connectionId": "c-9"}')

    assert register(hook)["connectionId"] == "c-9"


def test_the_variables_name_is_a_template(hook: Any, requests_mock: Any, monkeypatch: Any) -> None:
    keep(monkeypatch, json.dumps(KEPT), variable="media_test")

    assert register(hook, variable="media_{{ stage }}") == KEPT


def test_a_voice_is_kept_in_the_same_way(hook: Any, requests_mock: Any, monkeypatch: Any) -> None:
    keep(monkeypatch, '{"id": 5, "name": "Joan"}', variable="voice_joan")
    operator = AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK, variable="voice_joan")
    operator.hook = hook

    assert operator.execute({}) == {"id": 5, "name": "Joan"}
    assert not requests_mock.called


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("c-9", '{"name": "media", "connectionId": "ID"}'),
        ("7", "holds something else"),
        ('{"name": "media"}', "holds something else"),
        ('{"name": "others", "connectionId": "c-1"}', "holds 'others', but this task registers 'media'"),
    ],
)
def test_a_variable_that_holds_something_else_stops_the_task_before_it_sends(
    hook: Any, requests_mock: Any, monkeypatch: Any, text: str, says: str
) -> None:
    keep(monkeypatch, text)

    with pytest.raises(ConfigurationError) as error:
        register(hook)
    assert says in told(error.value)
    assert isinstance(error.value, AirflowFailException)
    assert not requests_mock.called


def test_an_airflow_that_does_not_take_the_variable_loses_nothing(
    hook: Any, requests_mock: Any, task: Any, monkeypatch: Any
) -> None:
    """Outside a task no Variable can be set, as when Airflow's API is away."""
    requests_mock.post(CONNECTIONS, json=KEPT)

    with pytest.raises(RegistrationNotKeptError, match=r'"connectionId": "c-9".*clear') as error:
        register(hook, task.context())
    assert not isinstance(error.value, AirflowFailException)

    task.retry()
    with pytest.raises(RegistrationNotKeptError):
        register(hook, task.context())
    assert requests_mock.call_count == 1


def test_a_variable_that_airflow_only_seemed_to_take_is_told(
    hook: Any, requests_mock: Any, task: Any, monkeypatch: Any
) -> None:
    """Airflow 3.1 and 3.2 log what went wrong when they set a Variable, and go on."""
    monkeypatch.setattr(Variable, "set", lambda *_, **__: None)
    requests_mock.post(CONNECTIONS, json=KEPT)

    with raises_telling(RegistrationNotKeptError, r'could not be set.*"connectionId": "c-9".*clear'):
        register(hook, task.context())


def test_a_variable_that_airflow_took_is_read_back(
    hook: Any, requests_mock: Any, task: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(Variable, "set", lambda key, text, **_: keep(monkeypatch, text, key))
    requests_mock.post(CONNECTIONS, json=KEPT)

    assert register(hook, task.context()) == register(hook) == KEPT
    assert requests_mock.call_count == 1


def test_a_reply_without_an_id_is_told(hook: Any, requests_mock: Any) -> None:
    requests_mock.post(CONNECTIONS, json=AWS_CONNECTION)

    with raises_telling(RegistrationNotKeptError, r"'media' was registered.*names no connectionId"):
        register(hook)


def test_without_a_variable_a_name_that_is_taken_is_told_in_the_services_words(
    hook: Any, requests_mock: Any
) -> None:
    taken = {"message": "there is a connection 'media' already"}
    requests_mock.post(CONNECTIONS, json=taken, status_code=400)

    with pytest.raises(RequestRefusedError, match="there is a connection 'media' already"):
        register(hook, variable=None)
