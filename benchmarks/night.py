"""A night of videos in a real Airflow: one task beside mapped ones, slow jobs, a large list, and random kills.

    python benchmarks/night.py                                   # everything: about an hour and a half
    python benchmarks/night.py --scenario compare --videos 20 --idle 20
    python benchmarks/night.py --scenario kills                  # build/night keeps the last result of each
    python benchmarks/night.py --scenario --write docs/operate/scale.md  # writes what is kept there, and plays nothing

Each scenario starts an Airflow of its own (scheduler, API server, DAG processor, triggerer, PostgreSQL, LocalExecutor:
the cluster of tests/system, whose requirements must be installed) and the emulator as the service. Every setting is
Airflow's default but for shorter heartbeats, six tasks at a time and ``max_map_length``.

``night_airflow.py`` holds how it is measured, ``night_scenarios.py`` what, ``night_kills.py`` the kills and
``night_dags`` the DAGs.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "matrix"))

from faults import commit  # noqa: E402
from night_scenarios import DAGS, SCENARIOS, measured  # noqa: E402
from page import write_part  # noqa: E402

KEPT = HERE.parent / "build" / "night"
"""Holds the last result of each scenario: they may be played on several days."""
PART = "night"


def main() -> None:
    """Play the scenarios, and print or write what each has shown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenario", nargs="*", choices=SCENARIOS, default=list(SCENARIOS))
    own = "(default: each scenario's own)"
    parser.add_argument("--videos", type=int, help=f"of each run {own}")
    parser.add_argument("--job-seconds", type=float, help=f"the median time of a job {own}")
    parser.add_argument("--job-spread", type=float, default=0.3, help="sigma around it, log-normal (0.3)")
    parser.add_argument("--slots", type=int, help=f"jobs that the service makes at a time {own}")
    parser.add_argument("--max-active", type=int, help=f"of CreateVideosOperator {own}")
    parser.add_argument("--requests-per-minute", type=float, default=6000.0, help="of the connection (6000)")
    parser.add_argument("--dags", nargs="+", choices=DAGS, default=list(DAGS), help="compare: which, in turn")
    parser.add_argument(
        "--idle", type=float, default=60.0, help="compare: seconds of the idle base line (60)"
    )
    parser.add_argument("--kills", type=int, default=20, help="kills: how many (20)")
    parser.add_argument("--seed", type=int, default=1, help="of all that happens by chance (1)")
    parser.add_argument("--logs", type=Path, help="a folder to which all logs are copied")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="write all that is kept there, as its part night"
    )
    given = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in given.scenario:
        found = f"### {SCENARIOS[name].title}\n\n{measured(name, given)}\n\n{_where(name)}"
        (KEPT / f"{name}.md").write_text(found, "utf-8")
        print(f"\n{found}", flush=True)
    if given.write:
        kept = [KEPT / f"{name}.md" for name in SCENARIOS]
        write_part(PART, "\n\n".join(file.read_text("utf-8") for file in kept if file.exists()), given.write)


def _where(name: str) -> str:
    """When and on what a scenario was played."""
    return (
        f"`python benchmarks/night.py --scenario {name}`, {datetime.now(UTC):%Y-%m-%d}, {commit()}, Python "
        f"{platform.python_version()}, Airflow {metadata.version('apache-airflow')}, {os.cpu_count()} cores, load "
        f"average {os.getloadavg()[0]:.1f} at the end."
    )


if __name__ == "__main__":
    main()
