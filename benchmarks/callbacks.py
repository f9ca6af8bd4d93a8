"""Callbacks on a real triggerer: how soon they end a wait, and what waiting for them costs.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed) and the
emulator. What the plugin's receiver leaves for the triggerer, an XCom, is left by this program, as a user would, by
Airflow's REST API; the time counts from its answer. Most of the run goes into starting a worker process for each task.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import requests
from triggerer import HERE, HOUR, Triggerer, measured, tasks_in

sys.path.insert(0, str(HERE.parent / "tests" / "system"))

from cluster.airflow_cluster import AirflowCluster
from cluster.until import until

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.webhooks.callback import called_back_xcom_key

FOREVER = 86400.0
SETTLES = 130.0
CONN_ID, API_CONN_ID = "video_creation_default", "video_creation_airflow_api"
WEBHOOKS = {"callback_base_url": "http://127.0.0.1:1", "webhook_secret": "only-for-this-benchmark"}
READ = b"GET /api/v2/dags/~/dagRuns/~/taskInstances/~/xcomEntries"
SEEN, RESUMED = "woken by the service's callback", "is completed"


class Api:
    """Airflow's REST API, as an administrator."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.trust_env = False
        token = self.call("GET", "/auth/token")["access_token"]
        self._session.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON that one request is answered with."""
        reply = self._session.request(method, self._url + path, json=body, timeout=30)
        reply.raise_for_status()
        return reply.json()

    def connection(self, method: str, **fields: Any) -> None:
        """Make a connection, or change it."""
        path = f"/{fields['connection_id']}" if method == "PATCH" else ""
        self.call(method, f"/api/v2/connections{path}", fields)

    def call_back(self, run_id: str, map_index: int, job_id: str) -> float:
        """Leave what the receiver leaves; epoch seconds at which Airflow had it."""
        path = f"/api/v2/dags/waits/dagRuns/{run_id}/taskInstances/wait/xcomEntries"
        self.call(
            "POST", path, {"key": called_back_xcom_key(job_id), "value": job_id, "map_index": map_index}
        )
        return time.time()


class CountingRelay:
    """Passes on what the triggerer says to the API server, and counts its reads of callbacks.

    :param url: of the API server.
    """

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self.reads = 0
        self._target = host, int(port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            ours, _ = self._listening.accept()
            theirs = socket.create_connection(self._target)
            for pair in ((ours, theirs), (theirs, ours)):
                threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with source, target:
            # A request's head fits into one segment of a local connection.
            while said := source.recv(65536):
                self.reads += said.count(READ)
                target.sendall(said)


def logged_at(folder: Path, said: str) -> float:
    """Epoch seconds at which a task said something, in a worker or in the triggerer; infinity when it did not."""
    times = [
        datetime.fromisoformat(line["timestamp"]).timestamp()
        for file in folder.glob("*")
        for line in map(json.loads, file.read_text(errors="replace").splitlines())
        if said in str(line.get("event"))
    ]
    return max(times, default=float("inf"))


def spread(seconds: Sequence[float]) -> str:
    """The cells of a table."""
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return f"{cuts[9]:.2f} | {cuts[18]:.2f} | {max(seconds):.2f}"


def submitted(hook: VideoCreationHook, jobs: int) -> list[str]:
    """The ids of storyboard jobs that run for ever."""
    scenes = [{"text": "A scene."}]
    return [
        hook.create_storyboard({"videoName": f"video-{number}", "scenes": scenes}) for number in range(jobs)
    ]


def waiting(cluster: AirflowCluster, dag_id: str, run_id: str, jobs: Sequence[str]) -> None:
    """Start a run with a wait for each job; returns when all are deferred, and the first polls are over."""
    cluster.rest.trigger(dag_id, run_id, {"jobs": list(jobs)})
    until("all waits", lambda: tasks_in(cluster, "deferred") == len(jobs), patience=HOUR)
    time.sleep(15)


def delays(cluster: AirflowCluster, emulator: Emulator, api: Api, jobs: Sequence[str], pace: float) -> None:
    """Let the jobs end and call back one after the other, and print how soon that was seen."""
    called_back = []
    for index, job_id in enumerate(jobs):
        emulator.admin.set_job_state(job_id, "completed")
        called_back.append(api.call_back("few", index, job_id))
        time.sleep(pace)
    until("the end of all tasks", lambda: tasks_in(cluster, "success") == len(jobs), patience=HOUR)
    root = cluster.home / "logs" / "dag_id=waits" / "run_id=few" / "task_id=wait"
    print(f"\n{len(jobs)} jobs, a callback every {pace:g} s\n\n| from the callback, s | p50 | p95 | max |")
    print("| --- | --- | --- | --- |")
    for what, said in (
        ("until the wait has ended (trigger fired)", SEEN),
        ("until the task has its result", RESUMED),
    ):
        took = [logged_at(root / f"map_index={index}", said) - at for index, at in enumerate(called_back)]
        print(f"| {what} | {spread(took)} |", flush=True)


def costs(
    cluster: AirflowCluster, emulator: Emulator, api: Api, relay: CountingRelay, waits: int, seconds: float
) -> None:
    """Print what many waits cost the triggerer and the API server, with callbacks and without."""
    head = "CPU of one core | MiB | polls a minute | connections | reads a second at Airflow's API"
    print(f"\n|  | {head} |\n{'| --- ' * 6}|")
    for webhooks in (WEBHOOKS, {}):
        if not webhooks:
            api.connection("PATCH", **video_connection(emulator, webhooks))
            (job_id,) = cluster.triggerers
            cluster.kill_triggerer(job_id)
            cluster.add_triggerer()
        # The first polls of all come at once.
        time.sleep(SETTLES)
        name = "callbacks" if webhooks else "polls only"
        reads = relay.reads
        cells = measured(Triggerer(cluster), emulator, seconds)
        print(f"| {waits:,} waits, {name} | {cells} | {(relay.reads - reads) / seconds:.2f} |", flush=True)


def video_connection(emulator: Emulator, webhooks: dict[str, str]) -> dict[str, Any]:
    """The connection to the emulator as Airflow's API takes it."""
    made = json.loads(emulator.connection_json)
    extra = {**made.pop("extra", {}), **webhooks}
    return {"connection_id": CONN_ID, **made, "extra": json.dumps(extra)}


def main() -> None:
    """Measure the delays with a few jobs, then the costs of many waits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=50)
    parser.add_argument("--pace", type=float, default=2.5, help="seconds from one callback to the next")
    parser.add_argument("--waits", type=int, default=1000, help="0 leaves the costs out")
    parser.add_argument("--seconds", type=float, default=120.0, help="that each state is measured")
    parser.add_argument("--logs", type=Path, help="a folder to which all logs are copied")
    chosen = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, Airflow "
        f"{metadata.version('apache-airflow')}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}"
    )
    with Emulator(process=True, instant=True, job_seconds=FOREVER) as emulator:
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json
        hook = VideoCreationHook()
        few, many = submitted(hook, chosen.jobs), submitted(hook, chosen.waits)
        del os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"]
        with AirflowCluster("LocalExecutor", HERE / "triggerer_dags", {"waits", "many_waits"}, {}) as cluster:
            try:
                api, relay = Api(cluster.api_url), CountingRelay(cluster.api_url)
                api.connection("POST", **video_connection(emulator, WEBHOOKS))
                api.connection(
                    "POST",
                    connection_id=API_CONN_ID,
                    conn_type="generic",
                    host=relay.url,
                    login="receiver",
                    password="any-password",  # noqa: S106 - an Airflow that takes everybody for an administrator
                )
                if few:
                    waiting(cluster, "waits", "few", few)
                    delays(cluster, emulator, api, few, chosen.pace)
                if many:
                    waiting(cluster, "many_waits", "many", many)
                    costs(cluster, emulator, api, relay, chosen.waits, chosen.seconds)
            finally:
                if chosen.logs:
                    cluster.copy_logs(chosen.logs)


if __name__ == "__main__":
    main()
