"""The timeout counts from the first try of a generation, where Airflow keeps a task's state."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.sensors.video_job import FIRST_START_KEY, VideoJobSensor


class Store(dict[str, Any]):
    """Airflow's task state store."""

    set = dict.__setitem__


def deadline(clock: Any, store: Any, max_tries: int = 2) -> float:
    """The deadline that one try hands to the triggerer."""
    sensor = VideoJobSensor(task_id="wait", job_id="j-1", deferrable=True, timeout=600)
    sensor.clock = clock.time
    context: Any = {"ti": SimpleNamespace(max_tries=max_tries), "task_state_store": store}
    with pytest.raises(TaskDeferred) as deferred:
        sensor.execute(context)
    found: float = deferred.value.trigger.deadline
    return found


@pytest.fixture(autouse=True)
def in_progress(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")


def test_a_retry_keeps_the_deadline(clock: Any) -> None:
    store = Store()
    first = deadline(clock, store)
    clock.sleep(100)
    assert deadline(clock, store) == first


def test_a_cleared_task_gets_a_new_deadline(clock: Any) -> None:
    store = Store()
    first = deadline(clock, store)
    clock.sleep(100)
    assert deadline(clock, store, max_tries=4) == first + 100


@pytest.mark.parametrize("store", [None, object()], ids=["below 3.3", "the API server is away"])
def test_without_a_store_the_timeout_counts_from_this_try(clock: Any, store: Any) -> None:
    assert deadline(clock, store) == clock.time() + 600


def test_what_another_release_stored_is_no_obstacle(clock: Any) -> None:
    assert deadline(clock, Store({FIRST_START_KEY: ["something", "else"]})) == clock.time() + 600
