"""Callbacks on a real triggerer: how soon they end a wait, and what waiting for them costs.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed) and the
emulator, whose calls the plugin's receiver accepts. Time counts from the end of a job at the emulator.
Most of the run goes into starting a worker process for each task.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import requests
from figures_kept import Measuring, Result, end
from figures_pages import table
from triggerer import HEADS, HERE, HOUR, Triggerer, cells, measured, tasks_in

from airflow_video_creation.emulator import Emulator

if TYPE_CHECKING:
    from cluster.airflow_cluster import AirflowCluster

    from airflow_video_creation.hooks.video_creation import VideoCreationHook

FOREVER = 86400.0
SETTLES = 130.0
CONN_ID, API_CONN_ID = "video_creation_default", "video_creation_airflow_api"
READ = b"GET /api/v2/dags/~/dagRuns/~/taskInstances/~/xcomEntries"
SEEN, RESUMED = "completed after", "is completed"


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


def cuts(seconds: Sequence[float]) -> list[float]:
    """Of some delays: p50, p95 and the longest."""
    found = statistics.quantiles(seconds, n=20, method="inclusive")
    return [found[9], found[18], max(seconds)]


def parts(result: Result) -> Mapping[str, str]:
    """The delays, and the costs."""
    found, texts = result.found, {}
    if delayed := found.get("delays"):
        rows = [[what, *(f"{seconds:.2f}" for seconds in took)] for what, took in delayed.items()]
        shown = table(["from the job's end at the service, s", "p50", "p95", "max"], *rows)
        texts["callbacks-delays"] = f"{found['jobs']} jobs, one ends every {found['pace']:g} s.\n\n{shown}"
    if costs := found.get("costs"):
        rows = [[what, *cells(cost), f"{cost['reads']:.2f}"] for what, cost in costs.items()]
        heads = [f"{found['waits']:,} waits", *HEADS, "reads a second at Airflow's API, for all"]
        texts["callbacks-costs"] = table(heads, *rows)
    return texts


def submitted(hook: VideoCreationHook, jobs: int) -> list[str]:
    """The ids of storyboard jobs that never end."""
    scenes = [{"text": "A scene."}]
    return [
        hook.create_storyboard({"videoName": f"video-{number}", "scenes": scenes}) for number in range(jobs)
    ]


def waiting(cluster: AirflowCluster, dag_id: str, run_id: str, jobs: Sequence[str]) -> None:
    """Start a run with a wait for each job; returns when all are deferred, and the first polls are over."""
    from cluster.until import until

    cluster.rest.trigger(dag_id, run_id, {"jobs": list(jobs)})
    until("all waits", lambda: tasks_in(cluster, "deferred") == len(jobs), patience=HOUR)
    time.sleep(15)


def delays(cluster: AirflowCluster, emulator: Emulator, jobs: int, pace: float) -> dict[str, list[float]]:
    """Let the jobs of deferred tasks end one after the other: how soon that was seen."""
    from cluster.until import until

    cluster.rest.trigger("boards", "few", {"jobs": jobs})
    until("all waits", lambda: tasks_in(cluster, "deferred") == jobs, patience=HOUR)
    time.sleep(15)
    ids = {job["video_name"]: job["job_id"] for job in emulator.admin.jobs()}
    ended = []
    for index in range(jobs):
        ended.append(time.time())
        emulator.admin.set_job_state(ids[f"board-{index}"], "completed")
        time.sleep(pace)
    until("the end of all tasks", lambda: tasks_in(cluster, "success") == jobs, patience=HOUR)
    root = cluster.home / "logs" / "dag_id=boards" / "run_id=few" / "task_id=wait"
    return {
        what: cuts([logged_at(root / f"map_index={index}", said) - at for index, at in enumerate(ended)])
        for what, said in (
            ("until the wait has ended (trigger fired)", SEEN),
            ("until the task has its result", RESUMED),
        )
    }


def costs(
    cluster: AirflowCluster,
    emulator: Emulator,
    api: Api,
    relay: CountingRelay,
    seconds: float,
    webhooks: dict[str, str],
) -> dict[str, dict[str, float]]:
    """What many waits cost the triggerer and the API server, with callbacks and without."""
    found = {}
    for asked in (webhooks, {}):
        if not asked:
            api.connection("PATCH", **video_connection(emulator, asked))
            (job_id,) = cluster.triggerers
            cluster.kill_triggerer(job_id)
            cluster.add_triggerer()
        # The first polls of all come at once.
        time.sleep(SETTLES)
        reads = relay.reads
        cost = measured(Triggerer(cluster), emulator, seconds)
        name = "with callbacks" if asked else "polls only"
        found[name] = {**cost, "reads": (relay.reads - reads) / seconds}
    return found


def video_connection(emulator: Emulator, webhooks: dict[str, str]) -> dict[str, Any]:
    """The connection to the emulator as Airflow's API takes it."""
    made = json.loads(emulator.connection_json)
    extra = {**made.pop("extra", {}), **webhooks}
    return {"connection_id": CONN_ID, **made, "extra": json.dumps(extra)}


def main() -> None:
    """Measure the delays with a few jobs, then the costs of many waits."""
    from cluster.airflow_cluster import AirflowCluster

    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=50)
    parser.add_argument("--pace", type=float, default=2.5, help="seconds from one job's end to the next")
    parser.add_argument("--waits", type=int, default=1000, help="0 skips the costs")
    parser.add_argument("--seconds", type=float, default=120.0, help="that each state is measured")
    parser.add_argument("--logs", type=Path, help="a folder to which all logs are copied")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    found: dict[str, Any] = {"jobs": chosen.jobs, "pace": chosen.pace, "waits": chosen.waits}
    running_for_ever = Emulator(process=True, instant=True, job_seconds=FOREVER, allow_private_networks=True)
    with running_for_ever as emulator:
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json
        many = submitted(VideoCreationHook(), chosen.waits)
        del os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"]
        with AirflowCluster(
            "LocalExecutor", HERE / "triggerer_dags", {"boards", "many_waits"}, {}
        ) as cluster:
            try:
                api, relay = Api(cluster.api_url), CountingRelay(cluster.api_url)
                webhooks = {"callback_base_url": cluster.api_url, "webhook_secret": "only-for-this-benchmark"}
                api.connection("POST", **video_connection(emulator, webhooks))
                api.connection(
                    "POST",
                    connection_id=API_CONN_ID,
                    conn_type="generic",
                    host=relay.url,
                    login="receiver",
                    password="any-password",  # noqa: S106 - an Airflow that takes everybody for an administrator
                )
                if chosen.jobs:
                    found["delays"] = delays(cluster, emulator, chosen.jobs, chosen.pace)
                if many:
                    waiting(cluster, "many_waits", "many", many)
                    found["costs"] = costs(cluster, emulator, api, relay, chosen.seconds, webhooks)
            finally:
                if chosen.logs:
                    cluster.copy_logs(chosen.logs)
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
