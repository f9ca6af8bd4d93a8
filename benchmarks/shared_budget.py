"""Two DAGs spend one budget at once, on a real Airflow: how much they plan in total, and how long a plan takes.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed). Every run
wants 10 minutes of video, and together they may plan 30 a day. As many plans begin together as there are workers.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures_kept import Measuring, Result, end
from figures_pages import table

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests" / "system"))

if TYPE_CHECKING:
    from cluster.airflow_cluster import AirflowCluster

DAGS = ("spends_here", "spends_there")
CONNECTION = {"conn_type": "video_creation", "host": "https://video.example.com", "password": "x"}


def planned(cluster: AirflowCluster, dag_id: str, run_id: str) -> tuple[int, float]:
    """How many videos of two minutes a run has planned, and the seconds from its beginning to its last line."""
    log = cluster.task_log(dag_id, run_id, "plan")
    made = re.search(r"(\d+) of 5 videos are to be made", log)
    assert made, (
        f"{dag_id} {run_id} has no plan:\n{cluster.task_log(dag_id, run_id, 'make_storyboards')}\n{log}"
    )
    times = [
        datetime.fromisoformat(json.loads(line)["timestamp"])
        for line in log.splitlines()
        if '"loc":"' in line or "are to be made" in line or "names no paths.quota" in line
    ]
    return int(made[1]), (max(times) - min(times)).total_seconds()


def played(runs_each: int, variables: Mapping[str, str]) -> dict[str, Any]:
    """Run all at once, then one more run, which finds what they left."""
    from cluster.airflow_cluster import AirflowCluster
    from cluster.until import until

    with AirflowCluster("LocalExecutor", HERE / "budget_dags", set(DAGS), variables) as cluster:

        def ended() -> int:
            rows = cluster.database.query("SELECT count(*) FROM dag_run WHERE state IN ('success', 'failed')")
            return int(rows[0][0])

        runs = [(dag_id, f"run-{number}") for number in range(runs_each) for dag_id in DAGS]
        for dag_id, run_id in runs:
            cluster.rest.trigger(dag_id, run_id, {})
        until("the end of all runs", lambda: ended() == len(runs), patience=900)
        plans = [planned(cluster, *run) for run in runs]
        cluster.rest.trigger(DAGS[0], "afterwards", {})
        until("the end of the last run", lambda: ended() == len(runs) + 1, patience=300)
        last, _ = planned(cluster, DAGS[0], "afterwards")
    minutes = sorted((made * 2 for made, _ in plans if made), reverse=True)
    assert sum(minutes) + last * 2 <= 30
    longest = max(seconds for _, seconds in plans)
    return {"runs": len(runs), "minutes": minutes, "afterwards": last * 2, "longest": longest}


def parts(result: Result) -> Mapping[str, str]:
    """A row for each place where it is kept."""
    rows = [
        [
            place,
            str(found["runs"]),
            f"{found['runs'] * 10} minutes",
            f"{' + '.join(map(str, found['minutes']))} = {sum(found['minutes'])}",
            str(found["afterwards"]),
            f"{found['longest']:.1f} s",
        ]
        for place, found in result.found.items()
    ]
    heads = ["kept in", "runs", "wanted", "planned in total", "planned by a later run", "longest plan"]
    return {"shared-budget": table(heads, *rows)}


def main() -> None:
    """Keep it in Variables, then in a record folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10, help="of each DAG")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    variables = {
        "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps(CONNECTION),
        "AIRFLOW__CORE__PARALLELISM": "12",
    }
    found = {"Variables": played(chosen.runs, variables)}
    with tempfile.TemporaryDirectory() as folder:
        variables["AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"] = folder
        found["record folder, a disk"] = played(chosen.runs, variables)
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
