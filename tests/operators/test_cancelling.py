"""A job that nobody waits for any more is stopped where the author asks for it, and nowhere else."""

from __future__ import annotations

import json
import os
import time
from datetime import timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowTaskTimeout, TaskDeferred

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import (
    ExecutionTimeoutError,
    JobDeadlinePassedError,
    JobFailedError,
    ServiceError,
    VideoCreationError,
)

from ..told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
CONNECTION = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"


@pytest.fixture
def stalled(emulator: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A service whose jobs never end by themselves, and which can cancel them."""
    emulator.admin.add_fault("stall", on="storyboard")
    connection = json.loads(os.environ[CONNECTION])
    connection["extra"] |= {"paths": {"cancel": "/api/v1/job/{job_id}/cancel"}}
    monkeypatch.setenv(CONNECTION, json.dumps(connection))
    return emulator


def storyboard(**arguments: Any) -> CreateStoryboardOperator:
    given = {"wait_for_completion": True, "poll_interval": 0.05, "deferrable": False, **arguments}
    return CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **given)


def cancelled(emulator: Any) -> list[str]:
    return [call["job_id"] for call in emulator.admin.calls(operation="cancel")]


def stopped(operator: CreateStoryboardOperator, task: Any) -> None:
    """Airflow stops the task while it waits on a worker."""

    def kill(seconds: float) -> None:
        operator.on_kill()
        raise SystemExit

    operator.sleep = kill
    with pytest.raises(SystemExit):
        operator.execute(task.context())


@pytest.mark.parametrize(("asked", "times"), [(True, 1), (False, 0), (None, 0)])
def test_a_stopped_worker_stops_the_job_where_asked(
    stalled: Any, task: Any, log: Any, asked: bool | None, times: int
) -> None:
    stopped(storyboard(cancel_on_kill=asked), task)

    job_id = task.record()["job_id"]
    assert cancelled(stalled) == [job_id] * times
    assert (f"Job {job_id} is cancelled, because its task was stopped" in log()) == bool(times)
    assert (f"Job {job_id} continues at the service" in log()) != bool(times)


def test_after_a_worker_was_shut_down_a_retry_finds_a_cancelled_job_and_the_next_one_pays_again(
    stalled: Any, task: Any, submissions: Any
) -> None:
    stopped(storyboard(cancel_on_kill=True), task)
    task.retry()
    with pytest.raises(
        JobFailedError, match="A retry or a clear of this task submits and pays for a new one"
    ):
        storyboard(cancel_on_kill=True).execute(task.context())
    assert submissions() == 1

    task.retry()
    stopped(storyboard(cancel_on_kill=True), task)
    assert submissions() == 2


def test_without_a_path_for_it_the_log_says_that_the_job_goes_on(emulator: Any, task: Any, log: Any) -> None:
    emulator.admin.add_fault("stall", on="storyboard")

    stopped(storyboard(cancel_on_kill=True), task)

    assert "was not cancelled: it continues at the service" in log()
    assert "the connection's extra paths names no cancel" in log()


def test_a_job_that_ended_meanwhile_is_not_said_to_go_on(stalled: Any, task: Any, log: Any) -> None:
    stalled.admin.add_fault("reply", on="cancel", status=409, body={"message": "it has ended"})

    stopped(storyboard(cancel_on_kill=True), task)

    assert "was not cancelled, because the service says that it has already ended" in log()


@pytest.mark.parametrize(("asked", "handed_over"), [(None, True), (True, True), (False, False)])
def test_the_triggerer_is_told(stalled: Any, task: Any, asked: bool | None, handed_over: bool) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        storyboard(deferrable=True, cancel_on_kill=asked).execute(task.context())

    assert deferred.value.trigger.serialize()[1]["cancel_on_kill"] == handed_over


def test_a_time_out_stops_the_job_where_asked_and_says_what_a_clear_does(
    stalled: Any, task: Any, deferrable: bool, run: Any
) -> None:
    def make(deferrable: bool) -> CreateStoryboardOperator:
        return storyboard(deferrable=deferrable, timeout=0.3, cancel_on_timeout=True)

    with raises_telling(JobDeadlinePassedError, "The job was cancelled. Clear this task to submit"):
        run(make, task, deferrable)

    assert cancelled(stalled) == [task.record()["job_id"]]


def test_a_time_out_alone_stops_nothing(stalled: Any, task: Any) -> None:
    with raises_telling(JobDeadlinePassedError, "To wait for it again, put adopt_job_id"):
        storyboard(timeout=0.3, cancel_on_kill=True).execute(task.context())

    assert not cancelled(stalled)


@pytest.mark.parametrize(("tries", "times"), [(1, 0), (3, 1)])
def test_only_the_last_trys_own_time_out_stops_the_job(
    stalled: Any, task: Any, tries: int, times: int
) -> None:
    for _ in range(tries):
        operator = storyboard(execution_timeout=timedelta(seconds=30), cancel_on_timeout=True)

        def over(seconds: float) -> None:
            raise AirflowTaskTimeout("Timeout")

        operator.sleep = over
        with pytest.raises(ExecutionTimeoutError) as timed_out:
            operator.execute(task.context())
        task.retry()

    assert len(cancelled(stalled)) == times
    assert ("The job was cancelled" if times else "A retry waits for the job again") in str(timed_out.value)


@pytest.mark.parametrize(("tries", "times"), [(2, 0), (3, 1)])
def test_a_task_that_fails_for_good_stops_its_job_where_asked(
    stalled: Any, task: Any, tries: int, times: int
) -> None:
    stalled.admin.add_fault("status", on="job", status=403)
    slept = 0.0

    def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds

    for _ in range(tries):
        operator = storyboard(cancel_on_kill=True, poll_interval=5)
        operator.clock, operator.sleep = (lambda: time.time() + slept), sleep
        with pytest.raises(ServiceError) as failed:
            operator.execute(task.context())
        task.retry()

    assert len(cancelled(stalled)) == times
    assert ("The job was cancelled" if times else "is paid for, and may continue") in str(failed.value)


def test_a_service_that_does_not_answer_the_cancellation_hides_no_time_out(
    stalled: Any, task: Any, log: Any
) -> None:
    stalled.admin.add_fault("status", on="cancel", status=403)

    with pytest.raises(VideoCreationError, match="To wait for it again"):
        storyboard(timeout=0.3, cancel_on_timeout=True).execute(task.context())

    assert "was not cancelled: it continues at the service" in log()
