"""What stops a task from sending more."""

from __future__ import annotations

import json

import pytest

from airflow_video_creation.operators.many.brake import OUTAGE_AFTER, Brake
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    RateLimitedError,
    SpendingStoppedError,
    VideoCreationError,
)
from airflow_video_creation.provider.submission.task_try import TaskTry

FIRST, SECOND = TaskTry(2, 1), TaskTry(2, 2)


def fails(brake: Brake, kind: str, error: VideoCreationError) -> None:
    with pytest.raises(type(error)), brake.watching(kind):
        raise error


def after_a_deferral(brake: Brake, of: TaskTry, now: TaskTry) -> Brake:
    again = Brake(stop_after=None)
    again.restore(json.loads(json.dumps(brake.to_json(of))), now)
    return again


@pytest.mark.parametrize(
    "error",
    [AmbiguousSubmissionError("lost", operation="render"), RateLimitedError("slow", operation="render")],
)
def test_an_outage_stops_what_would_meet_it_too(error: VideoCreationError) -> None:
    brake = Brake(stop_after=None)
    for _ in range(OUTAGE_AFTER):
        brake.require_open("render 'v'")
        fails(brake, "render", error)

    with pytest.raises(
        SpendingStoppedError, match=r"3 render submissions in a row.*A retry of the task sends it"
    ):
        brake.require_open("render 'v'")


def test_storyboards_that_are_accepted_say_nothing_of_renders() -> None:
    brake = Brake(stop_after=None)
    for _ in range(OUTAGE_AFTER):
        fails(brake, "render", AmbiguousSubmissionError("lost", operation="render"))
        with brake.watching("storyboard"):
            pass

    assert brake.is_closed


def test_one_that_is_accepted_ends_the_row() -> None:
    brake = Brake(stop_after=None)
    for _ in range(2 * OUTAGE_AFTER):
        fails(brake, "render", AmbiguousSubmissionError("lost", operation="render"))
        with brake.watching("render"):
            pass

    brake.require_open("render 'v'")


def test_a_row_goes_on_over_a_deferral_and_ends_with_its_try() -> None:
    brake = Brake(stop_after=None)
    for _ in range(OUTAGE_AFTER - 1):
        fails(brake, "render", AmbiguousSubmissionError("lost", operation="render"))

    same_try = after_a_deferral(brake, FIRST, FIRST)
    fails(same_try, "render", AmbiguousSubmissionError("lost", operation="render"))
    assert same_try.is_closed
    assert after_a_deferral(same_try, FIRST, FIRST).is_closed
    assert not after_a_deferral(same_try, FIRST, SECOND).is_closed


@pytest.mark.parametrize("stored", [None, "text", {"try": 1}, {"try": 1, "in_a_row": 3, "why": 5}])
def test_what_cannot_be_understood_stops_nothing(stored: object) -> None:
    brake = Brake(stop_after=None)
    brake.restore(stored, FIRST)
    brake.require_open("render 'v'")
