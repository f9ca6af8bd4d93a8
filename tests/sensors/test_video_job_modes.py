"""What is special about one mode: when the sensor defers, reschedules or sleeps, and what it hands on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowSensorTimeout,
    AirflowSkipException,
    TaskDeferred,
)

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    JobDeadlinePassedError,
    JobFailedError,
    UnreadableReplyError,
)
from airflow_video_creation.sensors.video_job import VideoJobSensor
from airflow_video_creation.triggers.video_job import VideoJobTrigger

from ..told_errors import raises_telling
from .conftest import context

try:
    from airflow.sdk.exceptions import AirflowRescheduleException
except ImportError:
    from airflow.exceptions import AirflowRescheduleException

FIRST_START = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)


def sensor(**arguments: Any) -> VideoJobSensor:
    return VideoJobSensor(**{"task_id": "wait", "job_id": "j-1", "deferrable": False, **arguments})


def deferral(clock: Callable[[], float] = time.time, **arguments: Any) -> TaskDeferred:
    waiting = sensor(deferrable=True, **arguments)
    waiting.clock = clock
    with pytest.raises(TaskDeferred) as deferred:
        waiting.execute(context())
    return deferred.value


def test_a_job_that_has_ended_needs_no_triggerer(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")

    assert sensor(deferrable=True).execute(context())["state"] == "completed"


def test_the_trigger_gets_ids_the_deadline_and_the_start_of_the_wait(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")
    now = time.time()

    deferred = deferral(
        lambda: now, timeout=600, user_id="editor-2", poll_interval=5, execution_timeout=timedelta(hours=1)
    )

    path, arguments = deferred.trigger.serialize()
    assert path == "airflow_video_creation.triggers.video_job.VideoJobTrigger"
    assert deferred.timeout == timedelta(hours=1)
    assert arguments == {
        "job_id": "j-1",
        "video_creation_conn_id": "video_creation_default",
        "user_id": "editor-2",
        "poll_interval": 5,
        "deadline": now + 600,
        "kind": None,
        "submitted_at": now,
        "version": 1,
        "cancel_on_kill": False,
        "webhook": False,
    }


@pytest.mark.parametrize("fault", ["503", "401", "404", "html", "reset"])
def test_trouble_at_the_first_look_is_left_to_the_triggerer(connect: Any, service: Any, fault: str) -> None:
    connect(service.url)
    service.will(fault)

    assert isinstance(deferral().trigger, VideoJobTrigger)


def test_mode_reschedule_does_not_matter_to_a_deferrable_sensor(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("401")

    assert isinstance(deferral(mode="reschedule").trigger, VideoJobTrigger)


def test_an_event_that_names_a_time_out_is_raised_as_one() -> None:
    event = {
        "version": 1,
        "job_id": "j-1",
        "outcome": "error",
        "error": "JobDeadlinePassedError",
        "message": "job j-1 is late",
    }

    with pytest.raises(JobDeadlinePassedError, match="job j-1 is late") as told:
        sensor().execute_complete(context(), event)
    assert isinstance(told.value, AirflowSensorTimeout)


@pytest.fixture
def execution_timed_out() -> Any:
    """How Airflow resumes a task whose execution_timeout has passed while it was deferred."""
    return "__fail__", {"error": "Trigger timeout"}, context()


def test_an_execution_timeout_while_deferred_names_the_job(execution_timed_out: Any) -> None:
    with raises_telling(
        JobDeadlinePassedError,
        r"execution_timeout of task 'wait' came before .* job j-1 .*execution_timeout=",
    ) as told:
        sensor().resume_execution(*execution_timed_out)
    assert isinstance(told.value, AirflowSensorTimeout)


def test_soft_fail_skips_on_an_execution_timeout_while_deferred(execution_timed_out: Any) -> None:
    with pytest.raises(AirflowSkipException):
        sensor(soft_fail=True).resume_execution(*execution_timed_out)


def test_soft_fail_does_not_skip_when_the_trigger_broke() -> None:
    with pytest.raises(AirflowException, match="Trigger failure") as told:
        sensor(soft_fail=True).resume_execution("__fail__", {"error": "Trigger failure"}, context())
    assert not isinstance(told.value, AirflowSkipException)


def test_an_event_of_another_release_fails_with_its_message() -> None:
    event = {
        "version": 9,
        "job_id": "j-1",
        "outcome": "error",
        "error": "NewError",
        "message": "something new",
    }

    with pytest.raises(AirflowException, match="something new"):
        sensor().execute_complete(context(), event)


def test_the_job_is_read_again_after_the_deferral(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will(service.job("failed", error_message="no such voice"))
    event = {"version": 1, "job_id": "j-1", "outcome": "completed"}

    with pytest.raises(JobFailedError, match="no such voice"):
        sensor().execute_complete(context(), event)


def test_a_job_that_goes_back_to_work_is_no_result(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")
    event = {"version": 1, "job_id": "j-1", "outcome": "completed"}

    with pytest.raises(UnreadableReplyError, match="completed before, and now in-progress"):
        sensor().execute_complete(context(), event)


def test_reschedule_comes_back_after_the_poll_interval(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")
    before = datetime.now(UTC)

    with pytest.raises(AirflowRescheduleException) as rescheduled:
        sensor(mode="reschedule", poll_interval=120).execute(context())

    wait = rescheduled.value.reschedule_date - before
    assert timedelta(seconds=120) <= wait < timedelta(seconds=180)


@pytest.mark.parametrize("status", [429, 503])
def test_reschedule_keeps_retry_after_without_holding_the_worker(
    connect: Any, service: Any, status: int
) -> None:
    connect(service.url)
    service.will(service.reply(status, {}, retry_after="600"))
    before = datetime.now(UTC)

    with pytest.raises(AirflowRescheduleException) as rescheduled:
        sensor(mode="reschedule").execute(context())

    assert rescheduled.value.reschedule_date - before >= timedelta(seconds=600)
    assert len(service.seen) == 1


def test_reschedule_counts_the_timeout_from_the_first_poke(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")

    with pytest.raises(JobDeadlinePassedError):
        sensor(mode="reschedule", timeout=60).execute(context(FIRST_START))


def test_reschedule_ends_at_a_refusal_since_the_next_poke_cannot_know_of_it(
    connect: Any, service: Any
) -> None:
    connect(service.url)
    service.will("401")

    with pytest.raises(AuthenticationError, match="password"):
        sensor(mode="reschedule").execute(context())


def test_reschedule_asks_again_before_it_calls_an_answer_unreadable(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("html")
    waiting = sensor(mode="reschedule")
    times = iter(range(0, 10_000, 5))
    waiting.hook = VideoCreationHook(clock=lambda: next(times), sleep=lambda seconds: None)

    with pytest.raises(UnreadableReplyError, match="host"):
        waiting.execute(context())
    assert len(service.seen) > 1


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [
        ({}, None),
        ({"poll_interval": 7}, 7),
        ({"poke_interval": 8}, 8),
        ({"poke_interval": timedelta(minutes=1)}, 60),
        ({"poll_interval": 7, "poke_interval": 8}, 7),
    ],
)
def test_airflows_poke_interval_is_taken_where_no_poll_interval_is_given(
    arguments: dict[str, Any], seconds: float | None
) -> None:
    assert sensor(**arguments).poll_interval == seconds


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_poll_interval_must_be_positive(seconds: float) -> None:
    with pytest.raises(ConfigurationError, match=r"poll_interval of task 'wait' must be above 0 seconds"):
        sensor(poll_interval=seconds)


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), -1])
def test_a_timeout_must_be_a_number_of_seconds(timeout: float) -> None:
    with pytest.raises(ConfigurationError, match="timeout of task 'wait' must be"):
        sensor(timeout=timeout)


def test_the_timeout_is_two_hours_unless_given() -> None:
    assert sensor().timeout == 7200
    assert sensor(timeout=timedelta(minutes=1)).timeout == 60


def test_one_sensor_may_wait_twice(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress", "completed", "in-progress", "completed")
    waiting = sensor(poll_interval=0.01, timeout=5)

    assert [waiting.execute(context())["state"] for _ in range(2)] == ["completed", "completed"]


def test_the_wait_in_the_triggerer_says_once_where_it_goes_on(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("in-progress", "completed")

    trigger = deferral(timeout=90, poll_interval=0.01).trigger
    asyncio.run(asyncio.wait_for(anext(trigger.run()), 20))

    assert log().count("Waiting for job j-1 in the triggerer, for at most 90 s") == 1
