"""Our errors as Airflow's: the same class to catch, and Airflow's rule for retries."""

from __future__ import annotations

import pickle

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, AirflowSensorTimeout

from airflow_video_creation.hooks.airflow.errors import airflow_error, airflow_errors
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    InvalidRequestError,
    JobDeadlinePassedError,
    JobFailedError,
    Problem,
    ServiceFailureError,
    VideoCreationError,
)

RETRIED = [ServiceFailureError("failed", status=503)]
NOT_RETRIED = [
    ConfigurationError("no host"),
    InvalidRequestError("storyboard", [Problem("videoName", "", "is required")]),
    AuthenticationError("refused", status=401),
    JobFailedError("failed", job_id="j-1"),
]


@pytest.mark.parametrize("error", [*RETRIED, *NOT_RETRIED], ids=lambda error: type(error).__name__)
def test_an_error_keeps_its_class_message_and_attributes(error: VideoCreationError) -> None:
    with pytest.raises(type(error)) as raised, airflow_errors():
        raise error

    assert isinstance(raised.value, AirflowException)
    assert str(raised.value) == str(error)
    assert vars(raised.value) == vars(error)
    assert type(raised.value).__name__ == type(error).__name__


@pytest.mark.parametrize("error", [*RETRIED, *NOT_RETRIED], ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: VideoCreationError) -> None:
    twin = airflow_error(error)
    assert type(airflow_error(error)) is type(twin)

    for each in (error, twin):
        back = pickle.loads(pickle.dumps(each))
        assert type(back) is type(each)
        assert (str(back), vars(back)) == (str(each), vars(each))


@pytest.mark.parametrize("error", NOT_RETRIED, ids=lambda error: type(error).__name__)
def test_what_a_retry_cannot_mend_ends_the_task(error: VideoCreationError) -> None:
    with pytest.raises(AirflowFailException), airflow_errors():
        raise error


@pytest.mark.parametrize("error", RETRIED, ids=lambda error: type(error).__name__)
def test_what_a_retry_may_mend_is_retried(error: VideoCreationError) -> None:
    with pytest.raises(AirflowException) as raised, airflow_errors():
        raise error
    assert not isinstance(raised.value, AirflowFailException)


def test_a_deadline_is_a_sensors_time_out() -> None:
    with pytest.raises(AirflowSensorTimeout), airflow_errors():
        raise JobDeadlinePassedError("too late", job_id="j-1")


def test_what_is_airflows_already_and_what_is_not_ours_pass_through() -> None:
    airflows, another = AirflowException("x"), KeyError("y")

    with pytest.raises(AirflowException) as first, airflow_errors():
        raise airflows
    with pytest.raises(KeyError) as second, airflow_errors():
        raise another

    assert first.value is airflows
    assert second.value is another
