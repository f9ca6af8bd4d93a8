"""A real Airflow below a path prefix, with users and roles, and the emulator as the service behind two connections."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from cluster.airflow_cluster import AIRFLOW
from cluster.configuration import configuration
from cluster.ports import free_ports
from cluster.postgres import Postgres
from cluster.role import Role
from cluster.until import until

from airflow_video_creation.emulator import Emulator

DAGS = Path(__file__).parent / "dags"
DAG_ID, RUN_ID = "films", "manual__2026-11-21T18:00:00+00:00"
PREFIX = "/team"
SLOW = "video_creation_slow"
SLOW_TASK = "slow.-1"
EXPECTED = {
    **dict.fromkeys(
        [
            *("preview.-1", "watch.-1", "video.-1", "many.0", "many.1", "other.-1", "all.-1"),
            *(f"delivered.{step}.0" for step in ("create_storyboard", "render_video", "download_video")),
        ],
        "success",
    ),
    "failing.-1": "failed",
    SLOW_TASK: "deferred",
    "approve.-1": "awaiting_input",
}
"""Each task instance of the run, and how it stands when the tests begin."""
OUTSIDERS_RIGHTS = ("Website", "Task Instances", "XComs", "DAG Runs", "Plugins", "Configurations")
"""What the user ``outsider`` may read: what tasks did, but of no DAG. Each user's password is his name."""


class AirflowSite:
    """Started by ``with``; one run of the DAG is made, and is over but for the task ``slow``, which stays deferred."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._open = build_opener(ProxyHandler({})).open
        self._token = ""

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

    def task_url(self, task_id: str, page: str = "", map_index: int | None = None) -> str:
        """The address of a task instance's page in Airflow's UI.

        :param task_id: which task.
        :param page: its tab, such as ``plugin/video_creation``.
        :param map_index: of a mapped task.
        """
        mapped = "" if map_index is None else f"/mapped/{map_index}"
        return f"{self.url}/dags/{DAG_ID}/runs/{quote(RUN_ID)}/tasks/{task_id}{mapped}{page and '/'}{page}"

    def run_url(self, page: str = "", dag_id: str = DAG_ID, run_id: str = RUN_ID) -> str:
        """The address of a run's page in Airflow's UI.

        :param page: its tab, such as ``plugin/video_creation_run``.
        :param dag_id: the DAG.
        :param run_id: the run.
        """
        return f"{self.url}/dags/{dag_id}/runs/{quote(run_id)}{page and '/'}{page}"

    def page_url(self, task_id: str, page: str = "") -> str:
        """The address of the plugin's own page about a task instance.

        :param task_id: which task.
        :param page: ``preview``, ``video``, or none.
        """
        return f"{self.url}/video_creation/tasks/{DAG_ID}/{quote(RUN_ID, safe='')}/{task_id}/-1{page and '/'}{page}"

    def task_states(self, dag_id: str = DAG_ID, run_id: str = RUN_ID) -> dict[str, str | None]:
        """The state of each task instance of a run.

        :param dag_id: the DAG.
        :param run_id: the run.
        """
        instances = self.api("GET", f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id)}/taskInstances")
        return {
            f"{instance['task_id']}.{instance['map_index']}": instance["state"]
            for instance in instances["task_instances"]
        }

    def asks(self, run_id: str) -> None:
        """Run the DAG ``asked`` until a person is asked about its two videos.

        :param run_id: of the run.
        """
        self.api("POST", "/api/v2/dags/asked/dagRuns", {"dag_run_id": run_id, "logical_date": None})
        self.until_approvals(run_id, {"approve.0": "awaiting_input", "approve.1": "awaiting_input"})

    def until_approvals(self, run_id: str, states: dict[str, str]) -> None:
        """Wait until tasks of a run of the DAG ``asked`` stand so.

        :param run_id: of the run.
        :param states: by task instance.
        """
        until(
            f"{states}",
            lambda: self.task_states("asked", run_id).items() >= states.items(),
            patience=300,
            now=lambda: str(self.task_states("asked", run_id)),
        )

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """Ask Airflow's API as the administrator.

        :param method: the HTTP method.
        :param path: such as ``/api/v2/dags``.
        :param body: JSON, None for none.
        """
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}
        content = None if body is None else json.dumps(body).encode()
        with self._open(Request(self.url + path, content, headers, method=method), timeout=30) as reply:
            return json.load(reply)

    def _start(self) -> None:
        self.folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="video-browser-")))
        self.folder.chmod(0o755)
        self.emulator = self._stack.enter_context(Emulator(process=True, job_seconds=1))
        self.emulator.admin.add_fault(
            "fail",
            on="storyboard",
            video_name="failing",
            error_code="NO_FONT",
            error_message="The font cannot be read.",
        )
        self.slow = self._stack.enter_context(Emulator(instant=True, job_seconds=86400))
        postgres_port, api_port = free_ports(2)
        database = Postgres(self.folder, postgres_port)
        self._stack.callback(database.stop)
        database.start()
        self.database_url = database.url
        self.url = f"http://127.0.0.1:{api_port}{PREFIX}"
        self._environment = self._settings(database.url)
        self._run("db", "migrate")
        admin = {
            "--username": "admin",
            "--password": "admin",
            "--role": "Admin",
            "--email": "admin@example.com",
        }
        names = {"--firstname": "Ad", "--lastname": "Min"}
        self._run("users", "create", *(word for option in {**admin, **names}.items() for word in option))
        roles = {
            "api-server": ["--host", "127.0.0.1", "--port", str(api_port), "--workers", "1"],
            "scheduler": ["--skip-serve-logs"],
            "dag-processor": [],
            "triggerer": ["--skip-serve-logs"],
        }
        for name, options in roles.items():
            role = Role(name, [*AIRFLOW, name, *options], self._environment, self.folder)
            self._stack.callback(role.kill)
            role.start()
        until("an answer of the API server", lambda: self.api("GET", "/api/v2/monitor/health"))
        login = {"username": "admin", "password": "admin"}
        self._token = self.api("POST", "/auth/token", login)["access_token"]
        self._make_users()
        # In Airflow's database, where people put connections; the other is in the environment.
        slow = json.loads(self.slow.connection_json)
        slow = {**slow, "connection_id": SLOW, "extra": json.dumps(slow["extra"])}
        self.api("POST", "/api/v2/connections", slow)
        until("the reading of the DAG", lambda: self.api("GET", "/api/v2/dags")["dags"])
        self.api("POST", f"/api/v2/dags/{DAG_ID}/dagRuns", {"dag_run_id": RUN_ID, "logical_date": None})
        until("the end of the run", self._is_played, patience=600, now=lambda: str(self.task_states()))
        assert (states := self.task_states()) == EXPECTED, f"{states}\n{self._logs(states)}"

    def _logs(self, states: dict[str, str | None]) -> str:
        """What the tasks say that ended otherwise than expected."""
        tasks = {task.partition(".")[0] for task, state in states.items() if state != EXPECTED.get(task)}
        logs = sorted(
            path for task in tasks for path in self.folder.glob(f"home/logs/**/task_id={task}/**/*.log*")
        )
        return "\n".join(f"{path}:\n{path.read_text(errors='replace')[-6000:]}" for path in logs)

    def _is_played(self) -> bool:
        states = self.task_states()
        ended = [state in ("success", "failed", "upstream_failed") for state in states.values()]
        return (
            states.keys() == EXPECTED.keys()
            and sum(ended) == len(ended) - 2
            and (states[SLOW_TASK], states["approve.-1"]) == ("deferred", "awaiting_input")
        )

    def _settings(self, database_url: str) -> dict[str, str]:
        foreign = ("AIRFLOW_", "_AIRFLOW", "PYTHONPATH")
        own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        home = self.folder / "home"
        home.mkdir()
        settings = configuration(
            home,
            executor="LocalExecutor",
            dags=DAGS,
            database_url=database_url,
            broker_url=None,
            api_url=self.url,
            secret=secrets.token_hex(16),
        )
        manager = "airflow.providers.fab.auth_manager.fab_auth_manager.FabAuthManager"
        return {
            **own,
            **settings,
            "AIRFLOW__CORE__AUTH_MANAGER": manager,
            "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
            "AIRFLOW__CORE__PARALLELISM": "3",
            # A machine with more to do than this takes its time.
            "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "60",
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": self.emulator.connection_json,
            "VIDEOS_FOLDER": f"{self.folder}/videos/",
        }

    def _make_users(self) -> None:
        actions = [{"action": {"name": "can_read"}, "resource": {"name": name}} for name in OUTSIDERS_RIGHTS]
        self.api("POST", "/auth/fab/v1/roles", {"name": "Outsider", "actions": actions})
        outsider = {"username": "outsider", "password": "outsider", "email": "outsider@example.com"}
        names = {"first_name": "Out", "last_name": "Sider", "roles": [{"name": "Outsider"}]}
        self.api("POST", "/auth/fab/v1/users", {**outsider, **names})
        viewer = {"username": "viewer", "password": "viewer", "email": "viewer@example.com"}
        names = {"first_name": "View", "last_name": "Er", "roles": [{"name": "Viewer"}]}
        self.api("POST", "/auth/fab/v1/users", {**viewer, **names})

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            [*AIRFLOW, *command], env=self._environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"airflow {command}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
