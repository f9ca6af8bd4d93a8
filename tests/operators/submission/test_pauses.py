"""A submission that was paused before it left is counted from when it left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def paused(emulator: Any) -> Callable[..., CreateStoryboardOperator]:
    """An operator whose submission is asked to come again after some seconds."""

    def operator(seconds: float, **arguments: Any) -> CreateStoryboardOperator:
        emulator.admin.add_fault("status", on="storyboard", status=429, seconds=seconds, nth=[1])
        made = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **arguments)
        clock = Clock()
        made.clock, made.sleep = clock, clock.sleep
        made.hook = VideoCreationHook(clock=clock, sleep=clock.sleep)
        return made

    return operator


def test_a_job_that_the_service_does_not_know_at_once_is_not_lost_after_a_long_pause(
    emulator: Any, task: Any, paused: Any
) -> None:
    emulator.admin.add_fault("status", on="job", status=404, nth=[1])

    job = paused(300, wait_for_completion=True).execute(task.context())

    assert job["state"] == "completed"


def test_a_doubt_after_a_pause_names_the_time_at_which_the_request_left(
    emulator: Any, task: Any, paused: Any
) -> None:
    operator = paused(60)
    emulator.admin.add_fault("reset", on="storyboard", when="after", nth=[2])

    with pytest.raises(AmbiguousSubmissionError) as doubt:
        operator.execute(task.context())

    left = task.record()["sent_at"]
    assert left >= task.record()["begun_at"] + 60
    said = f"{operator.clock() - left:.0f}"
    assert said == "0"
    assert "sent at 2026-11-18" in str(doubt.value)
