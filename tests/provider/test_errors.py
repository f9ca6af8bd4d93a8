"""The tree of errors, as its docstring draws it, and which of them a retry may mend."""

from __future__ import annotations

import pickle

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.errors import InvalidRequestError, Problem, VideoCreationError

KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, VideoCreationError)
}
RETRYABLE = {
    "RateLimitedError",
    "ReportedFailureError",
    "ScriptModelError",
    "ServiceFailureError",
    "ServiceUnreachableError",
    "UnreadableReplyError",
    "DeliveryError",
    "SubmissionRecordError",
    "SpendingRecordError",
    "TryReplacedError",
    "ExecutionTimeoutError",
    "ConnectionMissingError",
    "ArticleMemoryError",
    "ArticleUnreachableError",
    "PrivateMediaRoleError",
    "RegistrationNotKeptError",
}


def drawn() -> dict[str, str]:
    """Class -> its base, by the indentation of the drawing."""
    bases: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        name = line.split()[0] if line.split() else ""
        if name in KINDS:
            depth = (len(line) - len(line.lstrip())) // 4
            above[depth:] = [name]
            bases[name] = above[depth - 1] if depth else "Exception"
    return bases


def test_the_drawing_is_the_tree() -> None:
    assert drawn() == {name: kind.__mro__[1].__name__ for name, kind in KINDS.items()}


@pytest.mark.parametrize("name", KINDS)
def test_which_errors_a_retry_may_mend(name: str) -> None:
    assert KINDS[name].retryable == (name in RETRYABLE)


def test_an_invalid_request_lists_its_problems() -> None:
    one = InvalidRequestError("storyboard", [Problem("scenes", "", "is required")])
    assert str(one) == "The storyboard has 1 problem; nothing was sent:\n  - scenes: is required"
    two = InvalidRequestError("storyboard", [Problem("", "", "is empty"), Problem("a.b", "'x'", "must be y")])
    assert str(two).endswith(
        "2 problems; nothing was sent:\n  - the request: is empty\n  - a.b: must be y (given: 'x')"
    )


def test_an_error_survives_being_pickled_with_all_that_it_carries() -> None:
    error = errors.JobFailedError("Job j-1 failed.", job_id="j-1", code="NO_FONT", service_message="no font")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is errors.JobFailedError
    assert str(again) == str(error)
    assert vars(again) == vars(error)
