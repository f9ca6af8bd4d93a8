"""Our errors as Airflow's: the same class to catch, and Airflow's rule for retries."""

from __future__ import annotations

import pickle

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, AirflowSensorTimeout

from airflow_video_creation.hooks.airflow.errors import airflow_error, airflow_errors, as_logged
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

from ...told_errors import told

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


@pytest.mark.parametrize("error", [*RETRIED, *NOT_RETRIED], ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("is_airflows", [False, True], ids=["ours", "as Airflow's"])
def test_what_is_logged_is_the_same_error_in_short_lines(
    error: VideoCreationError, is_airflows: bool
) -> None:
    given = airflow_error(error) if is_airflows else error
    logged = as_logged(given, {"connection": "video", "video": "The tide mill", "job": None})

    assert type(logged) is type(airflow_error(error))
    assert vars(logged) == vars(error)
    assert told(logged).endswith("Connection 'video', video 'The tide mill'.")
    assert told(logged).startswith(told(error))
    back = pickle.loads(pickle.dumps(logged))
    assert (type(back), str(back), vars(back)) == (type(logged), str(logged), vars(logged))


def test_what_a_message_names_is_not_named_again() -> None:
    error = JobFailedError("Job j-1 of connection 'video' failed. Look at it.", job_id="j-1")
    logged = as_logged(error, {"connection": "video", "video": "v-7", "job": "j-1"})

    assert str(logged).splitlines() == [
        "Job j-1 of connection 'video' failed.",
        "Video 'v-7'.",
        "Look at it.",
    ]


@pytest.mark.parametrize("job_id", ["5", "j-1", "answer"])
def test_a_name_that_is_a_part_of_a_message_by_chance_is_named(job_id: str) -> None:
    error = JobFailedError("The answer 503 of job j-12 is none.", job_id=job_id)

    assert str(as_logged(error, {"job": job_id})).splitlines()[1] == f"Job {job_id!r}."


def test_a_name_that_is_no_text_is_named_too() -> None:
    assert told(as_logged(ConfigurationError("no name"), {"video": ["news"], "job": 7})).endswith("job '7'.")


def test_what_a_retry_mends_here_is_still_retried() -> None:
    logged = as_logged(airflow_error(JobFailedError("failed", job_id="j-1"), retryable=True), {})

    assert isinstance(logged, AirflowException)
    assert not isinstance(logged, AirflowFailException)
