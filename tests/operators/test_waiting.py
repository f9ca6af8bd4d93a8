"""Operators that wait: one task submits, waits and returns the finished job, and a retry resumes where it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowFailException,
    AirflowSensorTimeout,
    AirflowTaskTimeout,
    TaskDeferred,
)

from airflow_video_creation.operators.base.job import BaseJobOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    ExecutionTimeoutError,
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    JobResultPurgedError,
)
from airflow_video_creation.sensors.video_job import VideoJobSensor

from ..told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


def storyboard(deferrable: bool = False, **arguments: Any) -> CreateStoryboardOperator:
    given = {"storyboard": STORYBOARD, "wait_for_completion": True, "poll_interval": 0.05, **arguments}
    return CreateStoryboardOperator(task_id="t", deferrable=deferrable, **given)


def test_the_finished_storyboard_is_returned(emulator: Any, task: Any, deferrable: bool, run: Any) -> None:
    job = run(storyboard, task, deferrable)

    assert job["state"] == "completed"
    assert job["render_settings"]
    assert task.record()["state"] == "completed"


def test_the_finished_render_is_returned(
    emulator: Any, task: Any, make_task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    preview = run(storyboard, make_task())

    def render(deferrable: bool) -> RenderVideoOperator:
        return RenderVideoOperator(
            task_id="t",
            storyboard_job_id=preview["job_id"],
            wait_for_completion=True,
            deferrable=deferrable,
            poll_interval=0.05,
        )

    assert run(render, task, deferrable)["video_url"]
    assert submissions("render") == 1


def test_a_retry_after_the_result_gives_it_again_and_pays_nothing(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    first = run(storyboard, task, deferrable)
    task.retry()

    assert run(storyboard, task, deferrable, timeout=0.001)["job_id"] == first["job_id"]
    assert submissions() == 1


def test_a_retry_after_a_failed_job_submits_a_new_one(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("fail", on="storyboard", nth=(1,))
    with pytest.raises(JobFailedError) as failed:
        run(storyboard, task, deferrable)
    assert isinstance(failed.value, AirflowException)
    assert not isinstance(failed.value, AirflowFailException)
    task.retry()

    assert run(storyboard, task, deferrable)["state"] == "completed"
    assert submissions() == 2


def test_a_retry_whose_job_has_ended_meanwhile_needs_no_triggerer(emulator: Any, task: Any) -> None:
    with pytest.raises(TaskDeferred):
        storyboard(True).execute(task.context())
    task.retry()

    assert storyboard(True).execute(task.context())["state"] == "completed"


def test_a_worker_that_died_while_waiting_is_replaced_by_one_that_waits_on(
    emulator: Any, task: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("stall", on="storyboard")
    with pytest.raises(TaskDeferred) as deferred:
        storyboard(True).execute(task.context())
    task.retry()
    with pytest.raises(TaskDeferred) as again:
        storyboard(True).execute(task.context())

    assert again.value.trigger.job_id == deferred.value.trigger.job_id
    assert again.value.trigger.deadline == deferred.value.trigger.deadline
    assert submissions() == 1


def test_the_time_out_names_the_job_and_is_not_retried(
    emulator: Any, task: Any, deferrable: bool, run: Any
) -> None:
    emulator.admin.add_fault("stall", on="storyboard")

    with pytest.raises(JobDeadlinePassedError) as late:
        run(storyboard, task, deferrable, timeout=0.2)

    assert isinstance(late.value, AirflowSensorTimeout)
    assert late.value.job_id == task.record()["job_id"]
    assert task.record()["state"] == "submitted"


def test_a_purged_result_is_not_paid_for_again(emulator: Any, task: Any, run: Any, submissions: Any) -> None:
    job_id = run(storyboard, task)["job_id"]
    emulator.admin.set_job_state(job_id, "cleaned")
    task.retry()

    with pytest.raises(JobResultPurgedError) as purged:
        run(storyboard, task)
    assert isinstance(purged.value, AirflowFailException)
    assert submissions() == 1


def test_a_job_lost_from_sight_is_looked_for_again_and_not_paid_for_again(emulator: Any, task: Any) -> None:
    event = {"version": 1, "job_id": "j", "outcome": "error", "error": "JobLostError", "message": "lost"}
    with pytest.raises(JobLostError) as lost:
        storyboard(True).execute_complete(task.context(), event)
    assert isinstance(lost.value, AirflowException)
    assert not isinstance(lost.value, AirflowFailException)


@pytest.mark.parametrize("error", ["AuthenticationError", "PermissionDeniedError", "ConfigurationError"])
def test_what_ends_a_wait_and_not_the_job_is_left_to_a_retry(emulator: Any, task: Any, error: str) -> None:
    event = {"version": 1, "job_id": "j", "outcome": "error", "error": error, "message": "no"}
    with pytest.raises(AirflowException) as ended:
        storyboard(True).execute_complete(task.context(), event)
    assert type(ended.value).__name__ == error
    assert not isinstance(ended.value, AirflowFailException)


def test_so_is_a_service_that_refuses_the_token_when_the_result_is_read(
    emulator: Any, task: Any, deferrable: bool, run: Any
) -> None:
    job_id = run(storyboard, task)["job_id"]
    emulator.admin.add_fault("status", on="job", status=401)
    task.retry()
    with pytest.raises(AuthenticationError) as refused:
        run(storyboard, task, deferrable)
    assert not isinstance(refused.value, AirflowFailException)
    emulator.admin.clear_faults()
    task.retry()

    assert run(storyboard, task, deferrable)["job_id"] == job_id


def test_the_store_may_be_away_when_the_job_has_ended(emulator: Any, task: Any, event_of: Any) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        storyboard(True).execute(task.context())
    event = event_of(deferred.value.trigger)
    task.store.get = None

    assert storyboard(True).execute_complete(task.context(), event)["state"] == "completed"


def test_what_is_left_of_execution_timeout_goes_on_while_deferred(emulator: Any, task: Any) -> None:
    task.ti.start_date = datetime.now(UTC) - timedelta(minutes=10)

    with pytest.raises(TaskDeferred) as deferred:
        storyboard(True, execution_timeout=timedelta(hours=1)).execute(task.context())

    assert timedelta(minutes=49) < deferred.value.timeout <= timedelta(minutes=50)


def test_an_execution_timeout_while_deferred_names_the_job_and_is_retried(emulator: Any, task: Any) -> None:
    operator = storyboard(True, execution_timeout=timedelta(seconds=30))
    with pytest.raises(TaskDeferred) as deferred:
        operator.execute(task.context())

    with pytest.raises(ExecutionTimeoutError, match=r"execution_timeout .*30 s a try.* came before") as late:
        operator.resume_execution("__fail__", {"error": "Trigger timeout"}, task.context())

    assert late.value.job_id == deferred.value.trigger.job_id
    assert late.value.job_id in str(late.value)
    assert isinstance(late.value, AirflowException)
    assert not isinstance(late.value, AirflowFailException | AirflowSensorTimeout)


def test_an_execution_timeout_on_the_worker_says_the_same(emulator: Any, task: Any) -> None:
    operator = storyboard(execution_timeout=timedelta(seconds=30))
    emulator.admin.add_fault("stall", on="storyboard")

    def over(seconds: float) -> None:
        raise AirflowTaskTimeout("Timeout")

    operator.sleep = over
    with raises_telling(ExecutionTimeoutError, "continues at the service"):
        operator.execute(task.context())


def test_a_killed_task_says_that_the_job_goes_on(emulator: Any, task: Any, log: Any) -> None:
    operator = storyboard()
    emulator.admin.add_fault("stall", on="storyboard")

    def kill(seconds: float) -> None:
        operator.on_kill()
        raise SystemExit

    operator.sleep = kill
    with pytest.raises(SystemExit):
        operator.execute(task.context())

    assert f"Job {task.record()['job_id']} continues at the service" in log()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"timeout": float("inf")}, "timeout of task 't' must be a number of seconds, not inf"),
        ({"timeout": -1}, "timeout of task 't' must be above 0 seconds, not -1"),
        ({"timeout": "1h"}, "timeout of task 't' must be a number of seconds, not '1h'"),
        ({"poll_interval": "5"}, "poll_interval of task 't' must be a number of seconds, not '5'"),
        ({"poll_interval": timedelta(0)}, "poll_interval of task 't' must be above 0 seconds"),
        ({"poll_interval": True}, "poll_interval of task 't' must be a number of seconds, not True"),
    ],
)
def test_a_limit_that_is_none_is_named_while_the_dag_is_parsed(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        storyboard(**arguments)


def test_time_limits_may_be_timedeltas() -> None:
    operator: BaseJobOperator = storyboard(timeout=timedelta(hours=1), poll_interval=timedelta(seconds=5))
    assert (operator.timeout, operator.poll_interval) == (3600, 5)


def test_what_a_waiting_operator_returned_may_stand_for_its_job_id(
    emulator: Any, task: Any, run: Any
) -> None:
    preview = run(storyboard, task)

    submitted = RenderVideoOperator(task_id="t", storyboard_job_id=preview).execute({})
    assert submitted in [job["job_id"] for job in emulator.admin.jobs()]
    assert VideoJobSensor(task_id="t", job_id=preview).execute({"ti": None})["job_id"] == preview["job_id"]


def test_a_retry_goes_on_from_its_job_though_the_storyboard_is_wrong_by_now(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    job_id = run(storyboard, task, deferrable)["job_id"]
    task.retry()

    edited = {"storyboard": "{'videoName': 'v', 'scenes': []}"}
    assert run(storyboard, task, deferrable, **edited)["job_id"] == job_id
    assert submissions() == 1


def test_a_job_that_ended_is_not_lost_to_a_deadline_that_the_triggerer_could_not_keep(
    emulator: Any, task: Any, event_of: Any
) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        storyboard(True).execute(task.context())
    job_id = deferred.value.trigger.job_id
    event_of(deferred.value.trigger)
    late = {
        "version": 1,
        "job_id": job_id,
        "outcome": "error",
        "error": "JobDeadlinePassedError",
        "message": "late",
    }

    assert storyboard(True).execute_complete(task.context(), late)["state"] == "completed"
