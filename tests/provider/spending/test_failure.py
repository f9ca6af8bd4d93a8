"""When a run goes on, and when it stops: only for what all of its videos share."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    ConfigurationError,
    InvalidRequestError,
    JobFailedError,
    PermissionDeniedError,
    Problem,
    RateLimitedError,
    RequestRefusedError,
    ServiceFailureError,
    SpendingStoppedError,
)
from airflow_video_creation.provider.spending.failure import (
    Failure,
    require_no_shared_failure,
    require_no_shared_failure_of_videos,
    shared_cause,
)


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (AuthenticationError("no", status=401), "authentication"),
        (PermissionDeniedError("no", status=403), "permission"),
        (PermissionDeniedError("no", status=403, code="NO_RENDER"), "permission no_render"),
        (PermissionDeniedError("no", status=403, code="QUOTA_EXCEEDED"), "payment"),
        (RequestRefusedError("no", status=402), "payment"),
        (RequestRefusedError("no", status=400, code="InsufficientCredits"), "payment"),
        (RequestRefusedError("no", status=400, service_message="You are out of credits."), "payment"),
        (RateLimitedError("no", status=429, code="monthly_quota"), "payment"),
        (
            RateLimitedError("no", status=429, service_message="Your quota for this month is used up"),
            "payment",
        ),
        (JobFailedError("no", job_id="j", code="USAGE_LIMIT"), "payment"),
        (RateLimitedError("no", status=429, code="rate_limit_exceeded"), None),
        (RequestRefusedError("no", status=400, service_message="text: must not speak of credit cards"), None),
        (RequestRefusedError("no", status=400, code="bad_request"), None),
        (ServiceFailureError("no", status=503), None),
        (AmbiguousSubmissionError("no"), None),
        (JobFailedError("no", job_id="j", code="RENDERING_FAILED"), None),
        (InvalidRequestError("storyboard", [Problem("a", "", "b")]), None),
        (ConfigurationError("no"), None),
        (SpendingStoppedError("no"), None),
        (KeyError("token=secret"), None),
    ],
)
def test_a_cause_is_shared_or_the_videos_own(error: Exception, cause: str | None) -> None:
    assert shared_cause(error) == cause


def test_a_failure_survives_xcom() -> None:
    failure = Failure.of(AuthenticationError("no", status=401), task_id="t", map_index=3, video="v")

    assert failure.cause == "authentication"
    assert Failure.from_json({**failure.to_json(), "later": 1}) == failure


def test_the_words_of_an_error_that_is_not_ours_are_not_told() -> None:
    failure = Failure.of(KeyError("token=secret"))

    assert failure.kind == "KeyError"
    assert "secret" not in failure.message


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "x",
        {},
        {"kind": "x"},
        {"kind": "x", "message": "", "map_index": "1"},
        {"kind": "x", "message": "", "clears": None},
        {"kind": 1, "message": ""},
        {"kind": "x", "message": ["a task of somebody else"]},
        {"kind": "x", "message": "", "video": 5},
        {"kind": "x", "message": "", "status": "400"},
    ],
)
def test_what_cannot_be_understood_is_no_failure(stored: Any) -> None:
    assert Failure.from_json(stored) is None


def refused(map_index: int, clears: int = 2, cause: str | None = "authentication", **others: Any) -> Failure:
    return Failure("AuthenticationError", "the token.", "t", map_index, cause=cause, clears=clears, **others)


@pytest.mark.parametrize(
    ("failures", "stops"),
    [
        ([refused(0), refused(1), refused(2)], True),
        ([refused(0), refused(1)], False),
        ([refused(0), refused(1), refused(7)], False),
        ([refused(0), refused(1), refused(1)], False),
        ([refused(0), refused(1), refused(2, cause="payment")], False),
        ([refused(0), refused(1), refused(2, cause=None)], False),
        ([refused(0), refused(1), refused(2, clears=1)], False),
        ([refused(0), refused(1), refused(2, clears=3)], True),
        ([refused(index, clears=1) for index in range(4)], False),
        ([refused(index) for index in range(3)], True),
    ],
    ids=[
        "three",
        "two",
        "own",
        "same",
        "other cause",
        "own cause",
        "before the clear",
        "after a later clear",
        "before the clear, after more tries than this task had",
        "of this round, after fewer tries",
    ],
)
def test_it_stops_after_three_others_that_failed_alike(failures: list[Failure], stops: bool) -> None:
    def ask() -> None:
        require_no_shared_failure(failures, stop_after=3, map_index=7, clears=2, what="render video 'v'")

    if not stops:
        ask()
        return
    with pytest.raises(SpendingStoppedError) as stopped:
        ask()
    message = str(stopped.value)
    assert message.startswith(
        "Render video 'v': not sent, since 3 other tasks of this run (map index 0, 1, 2)"
    )
    assert "the token." in message
    assert "clear the failed tasks" in message


def of_video(name: str | None, cause: str | None = "payment", message: str = "No credit is left.") -> Failure:
    return Failure("RequestRefusedError", message, "t", video=name, cause=cause)


@pytest.mark.parametrize(
    ("failures", "stops"),
    [
        ([of_video("a"), of_video("b"), of_video("c")], True),
        ([of_video("a"), of_video("b")], False),
        ([of_video("a"), of_video("b"), of_video("b")], False),
        ([of_video("a"), of_video("b"), of_video("c", "authentication")], False),
        ([of_video("a"), of_video("b"), of_video("c", None)], False),
        ([], False),
    ],
    ids=["three", "two", "the same video", "other cause", "own cause", "none"],
)
def test_a_video_is_not_sent_after_three_others_of_its_task_failed_alike(
    failures: list[Failure], stops: bool
) -> None:
    if not stops:
        require_no_shared_failure_of_videos(failures, stop_after=3, what="render video 'v'")
        return
    with pytest.raises(SpendingStoppedError) as stopped:
        require_no_shared_failure_of_videos(failures, stop_after=3, what="render video 'v'")
    assert str(stopped.value) == (
        "Render video 'v': not sent, since 3 other videos of this task (a, b, c) failed for a cause that all share "
        "(payment): No credit is left. Fix that, then clear the task: its videos that are delivered or under way are "
        "kept. (stop_after= says after how many to stop.)"
    )


def test_a_night_that_fails_whole_is_told_in_a_few_names_and_its_latest_words() -> None:
    failures = [of_video(f"v-{number}", message=f"Refused {number}.") for number in range(1000)]

    with pytest.raises(SpendingStoppedError, match=r"v-1, .*, v-10, \.\.\.\)") as stopped:
        require_no_shared_failure_of_videos(
            [*failures, of_video("v-0", message="Latest.")], stop_after=3, what="x"
        )
    assert "1000 other videos" in str(stopped.value)
    assert "Latest." in str(stopped.value)
    assert len(str(stopped.value)) < 500
