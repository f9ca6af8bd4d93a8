"""Where a task is killed: at the boundaries of the operator under test, never inside it.

A run's configuration says at which moment, and who:

    {"kill_at": "after storing intent", "stage": "render", "who": "worker"}

Each task instance is killed once; a file tells its next try that it was.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from airflow.providers.common.compat.sdk import BaseOperator, TaskDeferred

FOLDER = Path(os.environ.get("SYSTEM_TEST_FOLDER", "."))
HELD_SECONDS = 180

Who = Literal["task", "worker", "nobody"]


class KillPoint:
    """The moment at which one run's task dies, or is held until the test says ``go``.

    :param conf: of the run.
    :param task: names the task instance.
    """

    def __init__(self, conf: Mapping[str, Any], task: str) -> None:
        self._moment = conf.get("kill_at")
        self._stage = conf.get("stage", "")
        self._who: Who = conf.get("who", "task")
        self._task = task

    def reached(self, moment: str, stage: str) -> None:
        """Die here, if this is the moment.

        :param moment: such as ``after storing intent``.
        :param stage: of a task that makes several submissions.
        """
        if (moment, stage) != (self._moment, self._stage) or not self._is_first():
            return
        if self._who == "nobody":
            self._hold()
            return
        if self._who == "worker":
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def _is_first(self) -> bool:
        try:
            (FOLDER / f"{self._task}.reached").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def _hold(self) -> None:
        give_up = time.monotonic() + HELD_SECONDS
        while not (FOLDER / f"{self._task}.go").exists() and time.monotonic() < give_up:
            time.sleep(0.1)


class WatchedStore:
    """The task state store, with a moment before and after each record that is stored.

    :param store: Airflow's.
    :param kill_point: of this run.
    """

    def __init__(self, store: Any, kill_point: KillPoint) -> None:
        self._store = store
        self._kill_point = kill_point
        self._stored: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def get(self, key: str, *args: Any, **kwargs: Any) -> Any:
        """What is stored; a later write is compared with it."""
        value = self._store.get(key, *args, **kwargs)
        self._stored |= _records(key, value)
        return value

    def set(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Store records, unless the task dies before."""
        records = _records(key, value)
        changed = {stage: record for stage, record in records.items() if record != self._stored.get(stage)}
        for stage, record in changed.items():
            self._kill_point.reached(f"before storing {record.get('state')}", stage)
        result = self._store.set(key, value, *args, **kwargs)
        self._stored |= changed
        for stage, record in changed.items():
            self._kill_point.reached(f"after storing {record.get('state')}", stage)
        return result


def _records(key: str, value: Any) -> dict[str, Any]:
    if not key.startswith("video_creation.submission") or not isinstance(value, dict):
        return {}
    return dict(value["records"]) if "records" in value else {"": value}


class KilledOnce(BaseOperator):
    """Comes before another operator in the bases of a class, and kills its task at the run's moment."""

    def execute(self, context: Any) -> Any:
        """Do what the operator does, and perhaps die on the way."""
        return self._watched(super().execute, context, "storyboard" if self._is_video else "")

    def storyboard_complete(self, context: Any, event: dict[str, Any]) -> Any:
        """Do what the operator does, and perhaps die on the way."""
        go_on = super().storyboard_complete  # type: ignore[misc]
        return self._watched(lambda watched: go_on(watched, event), context, "render")

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        """Do what the operator does, and perhaps die on the way."""
        go_on = super().execute_complete  # type: ignore[misc]
        return self._watched(
            lambda watched: go_on(watched, event), context, "render" if self._is_video else ""
        )

    @property
    def _is_video(self) -> bool:
        return len(getattr(self, "stages", ())) > 1

    def _watched(self, do: Callable[[Any], Any], context: Any, stage: str) -> Any:
        ti = context["ti"]
        task = ti.run_id if ti.map_index < 0 else f"{ti.run_id} {ti.map_index}"
        (FOLDER / f"{task}.pid").write_text(json.dumps({"task": os.getpid(), "worker": os.getppid()}))
        kill_point = KillPoint(context["dag_run"].conf or {}, task)
        store = WatchedStore(context["task_state_store"], kill_point)
        try:
            result = do({**context, "task_state_store": store})
        except TaskDeferred:
            kill_point.reached("before deferring", stage)
            raise
        kill_point.reached("after the result", stage)
        return result
