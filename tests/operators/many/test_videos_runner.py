"""Many videos at the same time, and a time-out of their task in the midst of it."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

from airflow.providers.common.compat.sdk import AirflowTaskTimeout

from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import ExecutionTimeoutError

A = {"videoName": "a", "scenes": [{"text": "a"}]}


def time_out_as_a_step_gets_its_thread(frame: FrameType, event: str, argument: Any) -> None:
    """For ``sys.settrace``."""
    is_of_thread = frame.f_code is threading.Thread.__init__.__code__
    if is_of_thread and str(frame.f_locals["name"]).startswith("video-creation-To"):
        sys.settrace(None)
        raise AirflowTaskTimeout


class BrokenLog:
    """The log of a task whose supervisor dies once the first video has begun."""

    def __init__(self, operator: CreateVideosOperator) -> None:
        self._operator = operator

    def __getattr__(self, level: str) -> Any:
        def write(*arguments: Any, **named: Any) -> None:
            if self._operator.under_way:
                raise BrokenPipeError

        return write


class Orphan(CreateVideosOperator):
    """A task whose supervisor dies."""

    @property
    def log(self) -> Any:
        """What breaks."""
        return BrokenLog(self)


def ended_by(operator: CreateVideosOperator, task: Any, trace: Any = None) -> BaseException:
    """What a try raises, which must not last for ever."""
    raised: list[BaseException] = []

    def execute() -> None:
        sys.settrace(trace)
        try:
            operator.execute(task.context())
        except BaseException as error:
            raised.append(error)

    running = threading.Thread(target=execute, daemon=True)
    running.start()
    running.join(30)
    [error] = raised
    return error


def test_a_step_that_got_no_thread_is_not_waited_for(emulator: Any, task: Any, tmp_path: Path) -> None:
    operator = CreateVideosOperator(task_id="t", storyboards=[A], destination=f"{tmp_path}/")
    now = time.time()
    operator.clock = lambda: now
    error = ended_by(operator, task, trace=time_out_as_a_step_gets_its_thread)
    assert isinstance(error, ExecutionTimeoutError)


def test_a_task_whose_log_is_gone_ends(emulator: Any, task: Any, tmp_path: Path) -> None:
    operator = Orphan(task_id="t", storyboards=[A], destination=f"{tmp_path}/", poll_interval=0.05)

    assert isinstance(ended_by(operator, task), BrokenPipeError)
