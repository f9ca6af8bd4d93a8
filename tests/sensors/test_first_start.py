"""The timeout counts from the first try of a generation, where Airflow keeps a task's state."""

from __future__ import annotations

from pathlib import Path
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
    task = {"dag_id": "d", "run_id": "r", "task_id": "wait", "map_index": -1}
    context: Any = {"ti": SimpleNamespace(**task, max_tries=max_tries), "task_state_store": store}
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


def test_a_record_folder_keeps_it_below_airflow_3_3(
    clock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW__VIDEO_CREATION__RECORD_FOLDER", str(tmp_path))
    first = deadline(clock, None)
    clock.sleep(100)
    assert deadline(clock, None) == first
    assert deadline(clock, None, max_tries=4) == first + 100


def test_a_record_folder_that_is_away_stops_no_wait(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__VIDEO_CREATION__RECORD_FOLDER", "/nowhere/records")
    assert deadline(clock, None) == clock.time() + 600


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
