"""A real triggerer that holds many deferred mapped tasks: what it costs while they wait, and when their jobs end.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed) and the
emulator. Every setting is Airflow's own default but for shorter heartbeats. Most of its half hour goes into starting a
worker process for each task, twice.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import psutil

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "system"))

from cluster.airflow_cluster import AirflowCluster  # noqa: E402
from cluster.until import until  # noqa: E402

from airflow_video_creation.emulator import Emulator  # noqa: E402
from airflow_video_creation.hooks.video_creation import VideoCreationHook  # noqa: E402

FOREVER = 86400.0
HOUR = 3600.0


class Triggerer:
    """The processes of a cluster's triggerer."""

    def __init__(self, cluster: AirflowCluster) -> None:
        (self._role,) = cluster.triggerers.values()

    def processes(self) -> list[psutil.Process]:
        """The supervisor and the process that runs the event loop."""
        return [psutil.Process(pid) for pid in self._role.alive()]

    def cpu(self) -> float:
        """CPU seconds so far."""
        times = [process.cpu_times() for process in self.processes()]
        return sum(spent.user + spent.system for spent in times)

    def memory(self) -> float:
        """Resident MiB."""
        return sum(process.memory_info().rss for process in self.processes()) / 2**20

    def connections(self, port: int) -> int:
        """Open connections to a local port."""
        open_ones = [one for process in self.processes() for one in process.net_connections("tcp")]
        return sum(one.raddr and one.raddr.port == port and one.status == "ESTABLISHED" for one in open_ones)


def tasks_in(cluster: AirflowCluster, state: str) -> int:
    """How many waits are in a state."""
    rows = cluster.database.query(
        f"SELECT count(*) FROM task_instance WHERE task_id = 'wait' AND state = '{state}'"  # noqa: S608
    )
    return int(rows[0][0])


def polls_seen(emulator: Emulator) -> int:
    """How often the emulator was asked for a job."""
    return sum(total["count"] for total in emulator.admin.totals() if total["operation"] == "job")


def measured(triggerer: Triggerer, emulator: Emulator, seconds: float) -> str:
    """What the triggerer does within some seconds, as the cells of a table."""
    polls, cpu = polls_seen(emulator), triggerer.cpu()
    time.sleep(seconds)
    polls, cpu = polls_seen(emulator) - polls, triggerer.cpu() - cpu
    port = int(emulator.base_url.rpartition(":")[2])
    return (
        f"{cpu / seconds * 100:.1f} % | {triggerer.memory():.0f} | {polls / seconds * 60:.0f} | "
        f"{triggerer.connections(port)}"
    )


def main() -> None:
    """Defer the waits, measure, let the jobs end, and measure until the run has succeeded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--waits", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=120.0, help="that each state is measured")
    chosen = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, Airflow "
        f"{metadata.version('apache-airflow')}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n"
    )
    with Emulator(process=True, instant=True, job_seconds=FOREVER) as emulator:
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json
        hook = VideoCreationHook()
        scenes = [{"text": "A scene."}]
        jobs = [
            hook.create_storyboard({"videoName": f"video-{number}", "scenes": scenes})
            for number in range(chosen.waits)
        ]
        variables = {"AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": emulator.connection_json}
        with AirflowCluster("LocalExecutor", HERE / "triggerer_dags", {"waits"}, variables) as cluster:
            triggerer = Triggerer(cluster)
            print(
                "|  | CPU of one core | MiB | polls a minute | connections |\n| --- | --- | --- | --- | --- |"
            )
            print(f"| no wait | {measured(triggerer, emulator, 30.0)} |", flush=True)
            cluster.rest.trigger("waits", "night", {"jobs": jobs})
            began = time.monotonic()
            until("all waits", lambda: tasks_in(cluster, "deferred") == chosen.waits, patience=HOUR)
            deferred = time.monotonic() - began
            print(f"| {chosen.waits:,} waits | {measured(triggerer, emulator, chosen.seconds)} |", flush=True)
            for job_id in jobs:
                emulator.admin.set_job_state(job_id, "completed")
            began, cpu = time.monotonic(), triggerer.cpu()
            until("the last job to be seen", lambda: tasks_in(cluster, "deferred") == 0, patience=HOUR)
            seen, cpu = time.monotonic() - began, triggerer.cpu() - cpu
            until("the end of all tasks", lambda: tasks_in(cluster, "success") == chosen.waits, patience=HOUR)
            print(
                f"\nAll were deferred after {deferred:.0f} s. All jobs ended at once: the last was seen after "
                f"{seen:.0f} s, for {cpu:.1f} CPU s of the triggerer, and the last task had succeeded after "
                f"{time.monotonic() - began:.0f} s."
            )


if __name__ == "__main__":
    main()
