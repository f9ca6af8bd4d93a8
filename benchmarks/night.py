"""A night of videos in a real Airflow: one task beside mapped ones, slow jobs, a large list, and random kills.

    python benchmarks/night.py kills
    python benchmarks/night.py compare --videos 20 --idle 20
    make figures ONLY="night-compare night-long-jobs night-large night-kills"   # about an hour and a half

Each scenario starts its own Airflow (scheduler, API server, DAG processor, triggerer, PostgreSQL, LocalExecutor:
the cluster of tests/system, whose requirements must be installed) and the emulator as the service. Every setting is
Airflow's default except for shorter heartbeats, six tasks at a time and ``max_map_length``.

``night_airflow.py`` says how it is measured, ``night_scenarios.py`` what, ``night_kills.py`` has the kills,
``night_report.py`` the tables and ``night_dags`` the DAGs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import night_report
from figures_kept import Measuring, end
from night_report import DAGS
from night_scenarios import SCENARIOS, measured


def main() -> None:
    """Play a scenario."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenario", choices=SCENARIOS)
    own = "(default: each scenario's own)"
    parser.add_argument("--videos", type=int, help=f"of each run {own}")
    parser.add_argument("--job-seconds", type=float, help=f"the median time of a job {own}")
    parser.add_argument("--job-spread", type=float, default=0.3, help="sigma around it, log-normal (0.3)")
    parser.add_argument("--slots", type=int, help=f"jobs that the service runs at once {own}")
    parser.add_argument("--max-active", type=int, help=f"of CreateVideosOperator {own}")
    parser.add_argument("--requests-per-minute", type=float, default=6000.0, help="of the connection (6000)")
    parser.add_argument("--dags", nargs="+", choices=DAGS, default=list(DAGS), help="compare: which, in turn")
    parser.add_argument(
        "--idle", type=float, default=60.0, help="compare: seconds of the idle base line (60)"
    )
    parser.add_argument("--kills", type=int, default=20, help="kills: how many (20)")
    parser.add_argument("--seed", type=int, default=1, help="of all that happens by chance (1)")
    parser.add_argument("--logs", type=Path, help="a folder to which all logs are copied")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    given = parser.parse_args()
    measuring = Measuring()
    result = measuring.ended(measured(given.scenario, given))
    end(result, getattr(night_report, given.scenario.replace("-", "_")), given.keep)


if __name__ == "__main__":
    main()
