"""Two DAGs spend one budget at once, on a real Airflow: how much they plan in all, and how long a plan takes.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed). Every run
wants 10 minutes of video, and all of them may plan 30 in one day. Plans begin together, as many as there are workers.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "system"))

from cluster.airflow_cluster import AirflowCluster  # noqa: E402
from cluster.until import until  # noqa: E402

DAGS = ("spends_here", "spends_there")
CONNECTION = {"conn_type": "video_creation", "host": "https://video.example.com", "password": "x"}


def planned(cluster: AirflowCluster, dag_id: str, run_id: str) -> tuple[int, float]:
    """How many videos of two minutes a run has planned, and the seconds from its beginning to its last line."""
    log = cluster.task_log(dag_id, run_id, "plan")
    made = re.search(r"(\d+) of 5 videos are to be made", log)
    assert made, f"{dag_id} {run_id} has no plan:\n{log}"
    times = [
        datetime.fromisoformat(json.loads(line)["timestamp"])
        for line in log.splitlines()
        if '"loc":"' in line or "are to be made" in line or "names no paths.quota" in line
    ]
    return int(made[1]), (max(times) - min(times)).total_seconds()


def main() -> None:
    """Run all at once, then one more run, which finds what they left."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=12, help="of each DAG")
    parser.add_argument("--record-folder", action="store_true", help="keep notes there, not in Variables")
    chosen = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, Airflow "
        f"{metadata.version('apache-airflow')}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n"
    )
    variables = {
        "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps(CONNECTION),
        "AIRFLOW__CORE__PARALLELISM": "12",
    }
    if chosen.record_folder:
        folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"budget-{os.getpid()}"  # noqa: S108
        folder.mkdir()
        variables["AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"] = str(folder)
    with AirflowCluster("LocalExecutor", HERE / "budget_dags", set(DAGS), variables) as cluster:

        def ended() -> int:
            rows = cluster.database.query("SELECT count(*) FROM dag_run WHERE state IN ('success', 'failed')")
            return int(rows[0][0])

        runs = [(dag_id, f"run-{number}") for number in range(chosen.runs) for dag_id in DAGS]
        for dag_id, run_id in runs:
            cluster.rest.trigger(dag_id, run_id, {})
        until("the end of all runs", lambda: ended() == len(runs), patience=900)
        plans = [planned(cluster, *run) for run in runs]
        cluster.rest.trigger(DAGS[0], "afterwards", {})
        until("the end of the last run", lambda: ended() == len(runs) + 1, patience=300)
        last, _ = planned(cluster, DAGS[0], "afterwards")
    videos = sorted((made for made, _ in plans if made), reverse=True)
    print(
        f"{len(runs)} runs wanted {len(runs) * 10} minutes. {len(videos)} of them planned "
        f"{' + '.join(str(made * 2) for made in videos)} = {sum(videos) * 2} of the day's 30 minutes; a run "
        f"afterwards planned {last * 2}. The longest plan took {max(seconds for _, seconds in plans):.1f} s."
    )
    assert sum(videos) * 2 + last * 2 <= 30


if __name__ == "__main__":
    main()
