from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.sensors.video_job import VideoJobSensor
from airflow_video_creation.triggers.video_job import VideoJobTrigger

try:
    from airflow.sdk.exceptions import AirflowRescheduleException
except ImportError:
    from airflow.exceptions import AirflowRescheduleException


def context(first_reschedule: datetime | None = None) -> Any:
    return {"ti": SimpleNamespace(get_first_reschedule_date=lambda context: first_reschedule)}


def in_poke_mode(make: Callable[..., VideoJobSensor]) -> Any:
    return make().execute(context())


def in_reschedule_mode(make: Callable[..., VideoJobSensor]) -> Any:
    """Each poke is a process of its own, so it gets a sensor of its own."""
    first = None
    while True:
        sensor = make(mode="reschedule")
        started = datetime.fromtimestamp(sensor.clock(), UTC)
        try:
            return sensor.execute(context(first))
        except AirflowRescheduleException:
            first = first or started


def in_deferrable_mode(make: Callable[..., VideoJobSensor]) -> Any:
    """The triggerer makes the trigger of its stored arguments, and the worker resumes in a new process."""
    try:
        return make(deferrable=True).execute(context())
    except TaskDeferred as deferred:
        _, arguments = deferred.trigger.serialize()
        method = deferred.method_name

    async def event() -> Any:
        async with asyncio.timeout(20):
            [fired] = [event async for event in VideoJobTrigger(**arguments).run()]
            return fired.payload

    return make(deferrable=True).resume_execution(method, {"event": asyncio.run(event())}, context())


def waiting(in_mode: Callable[..., Any]) -> Callable[..., Any]:
    """Wait for job j-1: ``wait(timeout=1)``."""

    def wait(**arguments: Any) -> Any:
        given = {"task_id": "wait", "job_id": "j-1", "poll_interval": 0.01, "deferrable": False, **arguments}
        return in_mode(lambda **mode: VideoJobSensor(**{**given, **mode}))

    return wait


@pytest.fixture(
    params=[in_poke_mode, in_reschedule_mode, in_deferrable_mode], ids=["poke", "reschedule", "deferrable"]
)
def wait(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Wait in each mode."""
    return waiting(request.param)


@pytest.fixture(params=[in_poke_mode, in_deferrable_mode], ids=["poke", "deferrable"])
def lasting_wait(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Wait in each mode that remembers what it has seen."""
    return waiting(request.param)
