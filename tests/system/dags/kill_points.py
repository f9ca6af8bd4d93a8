"""Where a task is killed: at the boundaries of the operator under test, never inside it.

A run's configuration says at which moment, and who:

    {"kill_at": "after storing intent", "stage": "render", "who": "worker"}

Each task instance is killed once; a file says so to its next try.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from airflow.providers.common.compat.sdk import BaseOperator, TaskDeferred

from airflow_video_creation.hooks.records.record_folder import RecordFolder

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
        self._was_held = False

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

    @contextmanager
    def told_when_refused(self) -> Iterator[None]:
        """Tell the test where a task that was held here is refused what it does in here."""
        try:
            yield
        except Exception as error:
            if self._was_held:
                (FOLDER / f"{self._task}.refused").write_text(type(error).__name__)
            raise

    def _is_first(self) -> bool:
        try:
            (FOLDER / f"{self._task}.reached").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def _hold(self) -> None:
        self._was_held = True
        give_up = time.monotonic() + HELD_SECONDS
        while not (FOLDER / f"{self._task}.go").exists() and time.monotonic() < give_up:
            time.sleep(0.1)


class WatchedStore:
    """A record store, with a moment before and after each record that is stored.

    :param store: Airflow's, or the record folder's own way of storing.
    :param kill_point: of this run.
    :param stored: the records that the task has seen stored, by stage; kept up to date.
    """

    def __init__(self, store: Any, kill_point: KillPoint, stored: dict[str, Any]) -> None:
        self._store = store
        self._kill_point = kill_point
        self._stored = stored

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
            self._kill_point.reached(f"before storing {record.get('state')}", _kind(stage))
        with self._kill_point.told_when_refused():
            result = self._store.set(key, value, *args, **kwargs)
        self._stored |= changed
        for stage, record in changed.items():
            self._kill_point.reached(f"after storing {record.get('state')}", _kind(stage))
        return result


def _records(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and isinstance(value.get("videos"), dict):
        kept = (video.get("submissions", {}).get("records", {}) for video in value["videos"].values())
        return {stage: record for records in kept for stage, record in records.items()}
    if not key.startswith("video_creation.submission") or not isinstance(value, dict):
        return {}
    return dict(value["records"]) if "records" in value else {"": value}


def _kind(stage: str) -> str:
    """Which kind of job a record is about, even in a task that makes many videos."""
    return stage.rpartition(".")[2]


class OwnWay:
    """How a record folder itself reads and stores, whatever its methods have been replaced with.

    :param folder: the record folder.
    """

    own_get, own_set = RecordFolder.get, RecordFolder.set

    def __init__(self, folder: RecordFolder) -> None:
        self._folder = folder

    def get(self, key: str, default: Any = None) -> Any:
        """What is stored."""
        return OwnWay.own_get(self._folder, key, default)

    def set(self, key: str, value: Any) -> None:
        """Store a record."""
        OwnWay.own_set(self._folder, key, value)


@contextmanager
def watched(context: Any, kill_point: KillPoint) -> Iterator[Any]:
    """The context of a task whose records are watched, wherever they are kept.

    :param context: of the task.
    :param kill_point: of this run.
    """
    stored: dict[str, Any] = {}
    store = context.get("task_state_store")
    if store is not None:
        yield {**context, "task_state_store": WatchedStore(store, kill_point, stored)}
        return

    def get_watched(folder: RecordFolder, key: str, default: Any = None) -> Any:
        return WatchedStore(OwnWay(folder), kill_point, stored).get(key, default)

    def set_watched(folder: RecordFolder, key: str, value: Any) -> None:
        WatchedStore(OwnWay(folder), kill_point, stored).set(key, value)

    RecordFolder.get = get_watched  # type: ignore[method-assign]
    RecordFolder.set = set_watched  # type: ignore[method-assign]
    try:
        yield context
    finally:
        RecordFolder.get = OwnWay.own_get  # type: ignore[method-assign]
        RecordFolder.set = OwnWay.own_set  # type: ignore[method-assign]


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
        try:
            with watched(context, kill_point) as seen:
                result = do(seen)
        except TaskDeferred:
            kill_point.reached("before deferring", stage)
            raise
        kill_point.reached("after the result", stage)
        return result
