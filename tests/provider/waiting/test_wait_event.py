"""The end of a wait, from the triggerer to the worker."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.errors import (
    InvalidRequestError,
    JobError,
    JobFailedError,
    Problem,
    ServiceError,
    VideoCreationError,
)
from airflow_video_creation.provider.waiting.wait_event import (
    ONLY_OF_SUBMISSIONS,
    completed_event,
    ends_of,
    error_event,
    job_id_of_event,
    jobs_event,
    state_of,
)

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, VideoCreationError) and kind not in ONLY_OF_SUBMISSIONS
]


def stored(event: dict[str, Any]) -> dict[str, Any]:
    """As it comes back out of Airflow's database."""
    loaded: dict[str, Any] = json.loads(json.dumps(event))
    return loaded


def made(kind: type[VideoCreationError]) -> VideoCreationError:
    said: dict[str, Any] = {"code": "E-7", "service_message": "No such font"}
    if issubclass(kind, ServiceError):
        return kind(
            "It went wrong.",
            job_id="j-1",
            operation="get job",
            method="GET",
            path="/api/v1/job/j-1",
            status=500,
            request_id="r-9",
            **said,
        )
    return (
        kind("It went wrong.", job_id="j-1", **said) if issubclass(kind, JobError) else kind("It went wrong.")
    )


def raised(event: dict[str, Any]) -> VideoCreationError:
    with pytest.raises(VideoCreationError) as caught:
        job_id_of_event(event)
    return caught.value


def test_a_finished_job_comes_back_as_its_id() -> None:
    event = stored(completed_event("j-1"))
    assert event == {"version": 1, "job_id": "j-1", "outcome": "completed"}
    assert job_id_of_event(event) == "j-1"


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_comes_back_as_itself(kind: type[VideoCreationError]) -> None:
    error = made(kind)
    back = raised(stored(error_event("j-1", error)))
    assert type(back) is kind
    assert str(back) == str(error)
    assert vars(back) == vars(error)


def test_an_end_is_told_in_a_word() -> None:
    ends = [
        errors.JobFailedError,
        errors.JobResultPurgedError,
        errors.JobLostError,
        errors.JobDeadlinePassedError,
    ]
    words = [state_of(kind("it ended", job_id="j-1")) for kind in ends]
    assert words == ["failed", "cleaned", "lost", "out-of-time"]
    assert state_of(errors.ServiceUnreachableError("no answer")) == "error"


def test_an_error_without_details_comes_back_too() -> None:
    for error in (ServiceError("x"), JobFailedError("x", job_id="other")):
        back = raised(stored(error_event("j-1", error)))
        assert (type(back), str(back), back.job_id) == (type(error), "x", "j-1")  # type: ignore[attr-defined]


def test_an_invalid_request_comes_back_with_its_words() -> None:
    error = InvalidRequestError("storyboard", [Problem("scenes", "", "is required")])
    back = raised(stored(error_event("j-1", error)))
    assert (type(back), str(back)) == (VideoCreationError, str(error))


def test_an_error_of_another_release_is_an_error_still() -> None:
    event = {
        "version": 9,
        "job_id": "j-1",
        "outcome": "error",
        "error": "JobAbductedError",
        "message": "Gone.",
        "x": 1,
    }
    assert (type(raised(event)), str(raised(event))) == (VideoCreationError, "Gone.")
    assert (
        str(raised({"job_id": "j-1", "outcome": "vanished"}))
        == "The wait for job j-1 ended without a reason."
    )
    assert isinstance(raised({}), VideoCreationError)


def test_airflows_twin_of_an_error_comes_back_as_ours() -> None:
    twin = type("JobFailedError", (JobFailedError,), {})("x", job_id="j-1")
    assert type(raised(stored(error_event("j-1", twin)))) is JobFailedError


def test_the_ends_of_many_jobs_come_back_by_their_ids_in_their_order() -> None:
    failed = error_event("j-1", JobFailedError("It failed.", job_id="j-1"))
    event = stored(jobs_event([completed_event("j-2"), failed]))

    assert event == {"version": 1, "ends": [completed_event("j-2"), failed]}
    assert list(ends_of(event).items()) == [("j-2", completed_event("j-2")), ("j-1", failed)]


@pytest.mark.parametrize(
    "event",
    [
        None,
        "gone",
        [],
        {},
        {"ends": None},
        {"ends": {"j-1": 1}},
        {"ends": [None, 7, {}, {"job_id": ["j-1"]}]},
    ],
)
def test_ends_that_cannot_be_understood_are_none(event: Any) -> None:
    assert ends_of(event) == {}


def test_an_end_of_another_release_is_kept_beside_one_that_cannot_be_understood() -> None:
    event = {"version": 9, "new": 1, "ends": [{"outcome": "completed"}, {"job_id": "j-1", "new": 2}]}

    assert ends_of(event) == {"j-1": {"job_id": "j-1", "new": 2}}
