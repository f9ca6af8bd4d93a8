"""What a person gets wrong first: in every mode the sensor ends with one sentence that names what to change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    JobDeadlinePassedError,
    JobLostError,
    UnreadableReplyError,
)

from ..told_errors import raises_telling

Wait = Callable[..., Any]


def test_a_missing_connection(wait: Wait) -> None:
    with pytest.raises(ConfigurationError, match="no Airflow connection 'nowhere': create it") as told:
        wait(video_creation_conn_id="nowhere")
    assert not isinstance(told.value, AirflowFailException), "Airflow's own API may be away"


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"host": ""}, "host is empty: it must hold the service's base URL"),
        ({"host": "video.example.com:eighty"}, "host is not a URL"),
        ({"password": ""}, "password is empty"),
        ({"user_id": ""}, "Set extra user_id of connection 'video_creation_default'"),
        ({"verify": "/no/such/ca.pem"}, "set the connection's extra verify"),
    ],
    ids=["no host", "not a URL", "no password", "no user id", "no CA file"],
)
def test_a_connection_with_wrong_fields(
    connect: Any, wait: Wait, fields: dict[str, str], advice: str
) -> None:
    connect(**fields)

    with raises_telling(ConfigurationError, advice):
        wait()


@pytest.mark.parametrize("job_id", [None, "", "None"])
def test_a_job_id_that_another_task_did_not_return(connect: Any, wait: Wait, job_id: Any) -> None:
    connect()

    with raises_telling(ConfigurationError, r"such as CreateStoryboardOperator\(\.\.\.\)\.output"):
        wait(job_id=job_id)


def test_a_refused_connection_is_told_while_it_is_waited_out(
    connect: Any, service: Any, wait: Wait, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.stop_listening()

    with pytest.raises(JobDeadlinePassedError):
        wait(timeout=0.2)
    assert (
        f"connection refused by 127.0.0.1:{service.port}. "
        "Check the host and extra paths of connection 'video_creation_default'" in log()
    )


@pytest.mark.usefixtures("fast_clock")
def test_a_base_url_of_another_site(connect: Any, service: Any, wait: Wait) -> None:
    connect(service.url)
    service.will("html 404")

    with pytest.raises(JobLostError, match="host"):
        wait()


@pytest.mark.usefixtures("fast_clock")
def test_a_wrong_token(connect: Any, service: Any, wait: Wait) -> None:
    connect(service.url)
    service.will(service.reply(401, {"message": "a-token-that-nobody-may-see is bad"}))

    with pytest.raises(AuthenticationError, match="password, extra user_id") as told:
        wait()
    assert "a-token-that-nobody-may-see" not in str(told.value)


@pytest.mark.usefixtures("fast_clock")
@pytest.mark.parametrize("answer", ["html", "malformed"])
def test_an_answer_that_is_no_json(connect: Any, service: Any, lasting_wait: Wait, answer: str) -> None:
    connect(service.url)
    service.will(answer)

    with pytest.raises(
        UnreadableReplyError, match="Check the host and extra paths of connection 'video_creation_default'"
    ):
        lasting_wait()
