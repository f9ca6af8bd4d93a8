"""A real triggerer with many deferred mapped tasks: what it costs while they wait, and when their jobs end.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed) and the
emulator. Every setting is Airflow's default except for shorter heartbeats. Most of the half hour goes into starting a
worker process for each task, twice.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from figures_kept import Measuring, Result, end
from figures_pages import table

from airflow_video_creation.emulator import Emulator

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests" / "system"))

if TYPE_CHECKING:
    from cluster.airflow_cluster import AirflowCluster

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


def measured(triggerer: Triggerer, emulator: Emulator, seconds: float) -> dict[str, float]:
    """What the triggerer does within some seconds."""
    polls, cpu = polls_seen(emulator), triggerer.cpu()
    time.sleep(seconds)
    polls, cpu = polls_seen(emulator) - polls, triggerer.cpu() - cpu
    port = int(emulator.base_url.rpartition(":")[2])
    return {
        "cpu": cpu / seconds,
        "memory": triggerer.memory(),
        "polls": polls / seconds * 60,
        "connections": triggerer.connections(port),
    }


def cells(found: Mapping[str, Any]) -> list[str]:
    """What ``measured`` found, in a table."""
    return [
        f"{found['cpu'] * 100:.1f} %",
        f"{found['memory']:.0f}",
        f"{found['polls']:.0f}",
        "-" if found["connections"] is None else str(found["connections"]),
    ]


HEADS = ["CPU of one core", "MiB", "polls a minute", "connections"]


def parts(result: Result) -> Mapping[str, str]:
    """The table, and how long it took."""
    found = result.found
    rows = table(
        ["", *HEADS],
        ["no wait", *cells(found["idle"])],
        [f"{found['waits']:,} waits", *cells(found["waiting"])],
    )
    return {
        "triggerer": f"{rows}\n\nAll tasks were deferred after {found['deferred']:.0f} s. "
        "Then all jobs ended at once.\n"
        f"The last task succeeded {found['succeeded']:.0f} s later, and the triggerer took {found['cpu']:.0f} s of CPU."
    }


def main() -> None:
    """Defer the waits, measure, let the jobs end, and measure until the run has succeeded."""
    from cluster.airflow_cluster import AirflowCluster
    from cluster.until import until

    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--waits", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=120.0, help="that each state is measured")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    found: dict[str, Any] = {"waits": chosen.waits}
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
            found["idle"] = measured(triggerer, emulator, min(chosen.seconds, 30.0))
            cluster.rest.trigger("waits", "night", {"jobs": jobs})
            began = time.monotonic()
            until("all waits", lambda: tasks_in(cluster, "deferred") == chosen.waits, patience=HOUR)
            found["deferred"] = time.monotonic() - began
            found["waiting"] = measured(triggerer, emulator, chosen.seconds)
            for job_id in jobs:
                emulator.admin.set_job_state(job_id, "completed")
            began, cpu = time.monotonic(), triggerer.cpu()
            until("the last job to be seen", lambda: tasks_in(cluster, "deferred") == 0, patience=HOUR)
            found["cpu"] = triggerer.cpu() - cpu
            until("the end of all tasks", lambda: tasks_in(cluster, "success") == chosen.waits, patience=HOUR)
            found["succeeded"] = time.monotonic() - began
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
