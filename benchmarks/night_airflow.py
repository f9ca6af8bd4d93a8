"""A whole Airflow and the emulator, and what a night costs them."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "system"))

from cluster.airflow_cluster import AirflowCluster  # noqa: E402
from cluster.role import Role  # noqa: E402

from airflow_video_creation.emulator import Emulator  # noqa: E402

DAG_IDS = {"group", "mapped", "one_task"}
ENDED = ("success", "failed")
TICK = 0.5
"""Seconds between two checks of the run."""
PATIENCE = 3 * 3600.0
WORKER_TITLE, EXECUTOR_TITLE = "airflow worker -- ", "airflow worker -- LocalExecutor"
WORKER_START = re.compile(r"method=PATCH path=/execution/task-instances/[^/ ]+/run .*status_code=200")
STORE_WRITE = re.compile(r"method=PUT path=/execution/store/ti/.*status_code=20")

Spent = Mapping[str, float]
"""CPU seconds by part of Airflow."""


@dataclass
class Night:
    """One run of a DAG.

    :param name: of the run; its videos' names begin with it.
    :param videos: how many were asked for.
    :param state: of the run at its end.
    :param seconds: from the trigger to the end of the run.
    :param to_last_file: seconds from the trigger to the last delivered file.
    :param delivered: files.
    :param cpu: CPU seconds over those of an idle Airflow.
    :param idle: CPU seconds of an idle Airflow in the same time.
    :param worker_starts: how often a worker began or resumed a task.
    :param store_writes: to the state store of tasks.
    :param peak: the most resident bytes of a task's process.
    """

    name: str
    videos: int
    state: str = ""
    seconds: float = 0.0
    to_last_file: float = 0.0
    delivered: int = 0
    cpu: dict[str, float] = field(default_factory=dict)
    idle: dict[str, float] = field(default_factory=dict)
    worker_starts: int = 0
    store_writes: int = 0
    peak: int = 0


@dataclass
class Bill:
    """What the service was asked to make for a night.

    :param once: videos with one storyboard and one render.
    :param more: names of videos of which something was paid more than once.
    :param less: names of videos of which something was not made.
    :param job_seconds: that all jobs took together, without their wait for a slot.
    """

    once: int = 0
    more: list[str] = field(default_factory=list)
    less: list[str] = field(default_factory=list)
    job_seconds: float = 0.0


class NightAirflow:
    """An Airflow whose tasks talk to an emulator; started by ``started``.

    :param cluster: the Airflow.
    :param emulator: the service.
    :param folder: where videos are delivered to, a folder a run.
    """

    def __init__(self, cluster: AirflowCluster, emulator: Emulator, folder: Path) -> None:
        self.cluster = cluster
        self.emulator = emulator
        self._folder = folder
        self._idle: dict[str, float] = {}

    def measure_idle(self, seconds: float) -> None:
        """Note what Airflow costs while it is idle.

        :param seconds: how long to measure.
        """
        # What comes right after the start is no idling.
        time.sleep(min(seconds, 20.0))
        before, began = self._cpu(), time.monotonic()
        while time.monotonic() - began < seconds:
            self._state("none")
            self.workers()
            time.sleep(TICK)
        took = time.monotonic() - began
        self._idle = {part: spent / took for part, spent in _less(self._cpu(), before).items()}

    def warm_up(self) -> None:
        """Make one video, so that no measured night includes what Airflow loads at first."""
        self.play("one_task", 1, run_id="warm-up")

    def play(
        self,
        dag_id: str,
        videos: int,
        meanwhile: Callable[[Night], object] = lambda _: None,
        run_id: str | None = None,
    ) -> Night:
        """Run a DAG to its end.

        :param dag_id: which one.
        :param videos: how many.
        :param meanwhile: called at each check.
        :param run_id: by default the DAG's name.
        """
        run_id = run_id or dag_id
        night = Night(run_id, videos)
        before, starts, writes = self._cpu(), *self._api_requests()
        began = time.time()
        self.cluster.rest.trigger(dag_id, run_id, {"videos": videos})
        while (state := self._state(run_id)) not in ENDED:
            night.peak = max(night.peak, *map(peak_memory, self.workers()), 0)
            meanwhile(night)
            if time.time() - began > PATIENCE:
                state = f"{state} when patience ended"
                break
            time.sleep(TICK)
        night.state, night.seconds = state, time.time() - began
        spent = _less(self._cpu(), before)
        night.idle = {part: self._idle.get(part, 0.0) * night.seconds for part in spent}
        night.cpu = _less(spent, night.idle)
        starts_now, writes_now = self._api_requests()
        night.worker_starts, night.store_writes = starts_now - starts, writes_now - writes
        delivered = [file.stat().st_mtime for file in (self._folder / run_id).glob("*.mp4")]
        night.delivered, night.to_last_file = len(delivered), max(delivered, default=began) - began
        return night

    def has_ended(self, night: Night) -> bool:
        """Whether a run has ended.

        :param night: of the run.
        """
        return self._state(night.name) in ENDED

    def workers(self) -> list[psutil.Process]:
        """The processes that run a task now."""
        return [process for process in _processes(self.cluster.scheduler) if _runs_a_task(process)]

    def submissions(self) -> int:
        """How often the service was asked to make something."""
        totals = self.emulator.admin.totals()
        return sum(total["count"] for total in totals if total["operation"] in ("storyboard", "render"))

    def bill(self, night: Night) -> Bill:
        """What was paid for a run: each job is a request that the service took.

        :param night: of the run.
        """
        bill = Bill()
        for number in range(night.videos):
            name = f"{night.name}-{number:04}"
            jobs = self.emulator.admin.jobs(name)
            kinds = Counter(job["kind"] for job in jobs)
            bill.job_seconds += sum(job["least_seconds"] for job in jobs)
            if max(kinds.values(), default=0) > 1:
                bill.more.append(name)
            elif len(kinds) < 2:
                bill.less.append(name)
            else:
                bill.once += 1
        return bill

    def result(self, night: Night) -> tuple[list[dict[str, Any]], int]:
        """The return value of the one task, and its bytes as JSON.

        :param night: of the run.
        """
        rows = self.cluster.database.query(
            "SELECT value FROM xcom WHERE run_id = %s AND task_id = 'videos' AND key = 'return_value'",
            night.name,
        )
        if not rows:
            return [], 0
        (value,) = rows[0]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return json.loads(text), len(text.encode())

    def tries(self, night: Night) -> int:
        """The tries of the one task.

        :param night: of the run.
        """
        rows = self.cluster.database.query(
            "SELECT try_number FROM task_instance WHERE run_id = %s AND task_id = 'videos'", night.name
        )
        return int(rows[0][0])

    def _state(self, run_id: str) -> str:
        rows = self.cluster.database.query("SELECT state FROM dag_run WHERE run_id = %s", run_id)
        return str(rows[0][0]) if rows else ""

    def _cpu(self) -> dict[str, float]:
        cluster = self.cluster
        parts = {
            "scheduler and workers": [cluster.scheduler],
            "API server": [cluster.api_server],
            "triggerer": list(cluster.triggerers.values()),
            "DAG processor": [cluster.dag_processor],
            "PostgreSQL": [cluster.database.role],
        }
        return {
            part: sum(cpu_seconds(process) for role in roles for process in _with_children(role))
            for part, roles in parts.items()
        }

    def _api_requests(self) -> tuple[int, int]:
        """Worker starts and writes to the store, as the API server has logged them."""
        lines = (self.cluster.folder / "api-server.log").read_text(errors="replace").splitlines()
        return sum(map(bool, map(WORKER_START.search, lines))), sum(map(bool, map(STORE_WRITE.search, lines)))


@contextmanager
def started(
    *, max_active: int, requests_per_minute: float, logs: Path | None, **emulator_options: Any
) -> Iterator[NightAirflow]:
    """Start the emulator and Airflow.

    :param max_active: of the one task.
    :param requests_per_minute: that the connection allows.
    :param logs: a folder to which all logs are copied at the end.
    :param emulator_options: see ``Emulator``.
    """
    with (
        tempfile.TemporaryDirectory(prefix="video-night-") as name,
        Emulator(process=True, instant=True, **emulator_options) as emulator,
    ):
        connection = json.loads(emulator.connection_json)
        connection["extra"]["requests_per_minute"] = requests_per_minute
        variables = {
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps(connection),
            "AIRFLOW__CORE__MAX_MAP_LENGTH": "100000",
            "NIGHT_FOLDER": name,
            "NIGHT_MAX_ACTIVE": str(max_active),
        }
        with AirflowCluster("LocalExecutor", HERE / "night_dags", DAG_IDS, variables) as cluster:
            try:
                yield NightAirflow(cluster, emulator, Path(name))
            finally:
                if logs:
                    cluster.copy_logs(logs)


def cpu_seconds(process: psutil.Process) -> float:
    """User and system time of a process and of its children that have ended.

    :param process: may have ended itself.
    """
    try:
        return float(sum(process.cpu_times()[:4]))
    except psutil.NoSuchProcess:
        return 0.0


def peak_memory(process: psutil.Process) -> int:
    """The most bytes that a process had resident.

    :param process: may have ended.
    """
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def _processes(role: Role) -> list[psutil.Process]:
    found = []
    for pid in role.alive():
        with suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
    return found


def _with_children(role: Role) -> set[psutil.Process]:
    """PostgreSQL's processes have sessions of their own."""
    found = set(_processes(role))
    for process in list(found):
        with suppress(psutil.NoSuchProcess):
            found |= set(process.children(recursive=True))
    return found


def _runs_a_task(process: psutil.Process) -> bool:
    try:
        title = " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
    return title.startswith(WORKER_TITLE) and not title.startswith(EXECUTOR_TITLE)


def _less(minuend: Spent, subtrahend: Spent) -> dict[str, float]:
    return {part: spent - subtrahend.get(part, 0.0) for part, spent in minuend.items()}
