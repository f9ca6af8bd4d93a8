"""A real Airflow: every role is a process, on PostgreSQL, in a temporary folder."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from .configuration import configuration
from .ports import free_ports
from .postgres import Postgres
from .redis import Redis
from .rest import Rest
from .role import Role
from .software import require_modules
from .until import until

Executor = Literal["LocalExecutor", "CeleryExecutor"]
AIRFLOW = (sys.executable, "-m", "airflow")
BASE_MODULES = ("psycopg2", "asyncpg")
CELERY_MODULES = ("celery", "airflow.providers.celery", "redis")


class AirflowCluster:
    """Started by ``with``, and removed after it, whatever happened.

    :param executor: what runs tasks.
    :param dags: the folder of the DAGs; Python finds modules there.
    :param dag_ids: of all DAGs, which must have been read before a run can start.
    :param variables: further environment variables of every role, such as connections.
    :raises NotInstallableError: something is absent that cannot be installed.
    """

    def __init__(
        self, executor: Executor, dags: Path, dag_ids: set[str], variables: Mapping[str, str]
    ) -> None:
        self.executor = executor
        self._dags = dags
        self._dag_ids = dag_ids
        self._variables = variables
        self._stack = ExitStack()
        self._triggerers = 0

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def add_triggerer(self) -> None:
        """Start one more triggerer; returns when it is at work."""
        before = self._triggerer_jobs()
        self._triggerers += 1
        triggerer = self._role(f"triggerer-{self._triggerers}", "triggerer", "--skip-serve-logs")
        triggerer.start()
        (job_id,) = until("a new triggerer", lambda: self._triggerer_jobs() - before)
        self.triggerers[job_id] = triggerer

    def kill_triggerer(self, job_id: int) -> None:
        """SIGKILL a triggerer.

        :param job_id: Airflow's id of the triggerer.
        """
        self.triggerers.pop(job_id).kill()

    def start_api_server(self) -> None:
        """Start the API server; returns when it answers."""
        self.api_server.start()
        until("an answer of the API server", self.rest.health)

    def task_log(self, dag_id: str, run_id: str, task_id: str) -> str:
        """What all tries of a task have logged, in their process and in the triggerer.

        :param dag_id: of the run.
        :param run_id: of the task.
        :param task_id: which one.
        """
        folder = self.home / "logs" / f"dag_id={dag_id}" / f"run_id={run_id}" / f"task_id={task_id}"
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        # A message has several lines, and the searched text may span them.
        return re.sub(r"\\n *", " ", "\n".join(path.read_text(errors="replace") for path in files))

    def log_files(self) -> list[Path]:
        """Every file that a role or a task has written its log to."""
        logs = (path for path in self.home.rglob("*") if path.is_file() and "logs" in path.parts)
        return [*logs, *self.folder.glob("*.log")]

    def copy_logs(self, folder: Path) -> None:
        """Copy every log to a place that stays.

        :param folder: made when absent.
        """
        for file in self.log_files():
            copy = folder / file.relative_to(self.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)

    def _start(self) -> None:
        require_modules(BASE_MODULES, requirements="tests/system/requirements.txt")
        celery = self.executor == "CeleryExecutor"
        if celery:
            require_modules(CELERY_MODULES, requirements="tests/system/requirements-celery.txt")
        self.folder = Path(
            self._stack.enter_context(
                tempfile.TemporaryDirectory(prefix="video-system-", ignore_cleanup_errors=True)
            )
        )
        # The owner of PostgreSQL, another user, must get through to its folder.
        self.folder.chmod(0o755)
        self.home = self.folder / "home"
        self.home.mkdir()
        postgres_port, redis_port, api_port = free_ports(3)
        self.api_url = f"http://127.0.0.1:{api_port}"
        self.database = Postgres(self.folder, postgres_port)
        broker = Redis(self.folder, redis_port) if celery else None
        self._stack.callback(self.database.stop)
        self.database.start()
        if broker:
            self._stack.callback(broker.stop)
            broker.start()
        self._environment = {
            **_own_environment(),
            **configuration(
                self.home,
                executor=self.executor,
                dags=self._dags,
                database_url=self.database.url,
                broker_url=broker.url if broker else None,
                api_url=self.api_url,
                secret=secrets.token_hex(16),
            ),
            **self._variables,
        }
        self._migrate()
        self.rest = Rest(self.api_url)
        self.api_server = self._role("api-server", "api-server", "--port", str(api_port), "--workers", "1")
        self.scheduler = self._role("scheduler", "scheduler", "--skip-serve-logs")
        self.dag_processor = self._role("dag-processor", "dag-processor")
        roles = [self.api_server, self.scheduler, self.dag_processor]
        self.workers = self.scheduler
        if celery:
            self.workers = self._role(
                "celery-worker", "celery", "worker", "--concurrency", "6", "--skip-serve-logs"
            )
            roles.append(self.workers)
        for role in roles:
            role.start()
        self.triggerers: dict[int, Role] = {}
        self.add_triggerer()
        until("an answer of the API server", self.rest.health)
        until("the reading of the DAGs", lambda: self.rest.dag_ids() >= self._dag_ids)
        until("a healthy cluster", self._is_healthy)

    def _migrate(self) -> None:
        done = subprocess.run(
            [*AIRFLOW, "db", "migrate"], env=self._environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"airflow db migrate failed: {done.stdout[-2000:]} {done.stderr[-2000:]}"

    def _role(self, name: str, *command: str) -> Role:
        role = Role(name, [*AIRFLOW, *command], self._environment, self.folder)
        self._stack.callback(role.kill)
        return role

    def _triggerer_jobs(self) -> set[int]:
        rows = self.database.query("SELECT id FROM job WHERE job_type = 'TriggererJob' AND state = 'running'")
        return {int(row[0]) for row in rows}

    def _is_healthy(self) -> bool:
        health = self.rest.health()
        return all(
            health[role]["status"] == "healthy" for role in ("scheduler", "triggerer", "dag_processor")
        )


def _own_environment() -> dict[str, str]:
    foreign = ("AIRFLOW_", "_AIRFLOW", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
