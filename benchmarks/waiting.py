"""What a wait costs the triggerer: ours beside a bare aiohttp loop and whichever peers are installed.

    python benchmarks/waiting.py                     # everything: about a quarter of an hour, mostly waiting
    python benchmarks/waiting.py --waits 1000 --interval 2 --seconds 6 --scale 500 1000
    python benchmarks/waiting.py --plots             # and draw docs/images/waiting-*.png, which needs matplotlib

Run it with the Python of an environment that holds our package and the peers:

    pip install -e . apache-airflow-providers-{dbt-cloud,databricks,http}

``waiting_contenders.py`` holds who is compared, ``waiting_service.py`` the service, ``waiting_measured.py`` what is
measured in the contender's own process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata, util
from pathlib import Path

from faults import commit, installed
from faults_peers import PEERS
from waiting_contenders import CONTENDERS, POOL
from waiting_measured import Cost

SCALE_INTERVAL, SCALE_SECONDS = 20.0, 30.0
"""Of the waits that show how the cost grows: 20,000 of them every 10 s would be more than two cores can serve."""


def measure(name: str, waits: int, interval: float, seconds: float, what: str) -> Cost:
    """Measure one contender in a fresh process."""
    print(f"{name}: {waits} waits, {what}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    program = str(Path(__file__).with_name("waiting_measured.py"))
    with tempfile.TemporaryDirectory() as home:
        ended = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, program, name, str(waits), str(interval), str(seconds), what],
            env=environment | {"AIRFLOW_HOME": home},
            capture_output=True,
            text=True,
            check=False,
        )
    if ended.returncode != 0:
        raise SystemExit(f"The process of {name} died with {waits} waits:\n{ended.stderr[-2000:]}")
    return Cost(**json.loads(ended.stdout))


def table(*rows: list[str]) -> None:
    """Print a table; the first row is its head."""
    head, *rest = rows
    for cells in (head, ["---"] * len(head), *rest):
        print(f"| {' | '.join(cells)} |")


def contenders_table(costs: Mapping[str, Cost], loops: Mapping[str, Cost], waits: int) -> None:
    """Print what each contender costs, and how many times what the bare loop costs."""
    floor = costs["bare"].cpu / costs["bare"].polls
    rows = [
        [
            "",
            "CPU ms a poll",
            "x bare",
            "of it the collector",
            "connections opened",
            "KiB a wait",
            "delay p50 / p95, s",
            "longest callback, CPU ms",
            "longest collector pause, CPU ms",
            "worst loop block, s",
            "lost",
        ]
    ]
    for name, cost in costs.items():
        poll, loop = cost.cpu / cost.polls, loops[name]
        cuts = statistics.quantiles(cost.delays, n=20)
        rows.append(
            [
                name,
                f"{poll * 1000:.2f}",
                f"{poll / floor:.2f}",
                f"{cost.collected / cost.polls * 1000:.2f}",
                f"{cost.opened:,}",
                f"{cost.memory / 1024:.1f}",
                f"{cuts[9]:.1f} / {cuts[18]:.1f}",
                f"{loop.callback * 1000:.0f}",
                f"{loop.collector * 1000:.0f}",
                f"{loop.late:.2f}",
                f"{cost.lost + loop.lost} of {2 * waits:,}",
            ]
        )
    table(*rows)


def scale_table(costs: Mapping[int, Cost], most: Cost) -> None:
    """Print how our cost grows with the waits, and what the most of them do to the event loop."""
    rows = [
        [
            "waits",
            "polls",
            "CPU s in all",
            "CPU ms a poll",
            "of it the collector",
            "KiB a wait",
            "registered within, s",
            "lost",
        ]
    ]
    for waits, cost in costs.items():
        rows.append(
            [
                f"{waits:,}",
                f"{cost.polls:,}",
                f"{cost.cpu:.1f}",
                f"{cost.cpu / cost.polls * 1000:.2f}",
                f"{cost.collected / cost.polls * 1000:.2f}",
                f"{cost.memory / 1024:.1f}",
                f"{cost.registered:.1f}",
                f"{cost.lost}",
            ]
        )
    table(*rows)
    print(
        f"\nWith {max(costs):,} waits the longest callback takes {most.callback * 1000:.0f} ms of CPU, the longest "
        f"pause of the collector {most.collector * 1000:.0f} ms; the worst loop block is {most.late:.2f} s."
    )


def main() -> None:
    """Measure, print the tables, and draw the plots where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--waits", type=int, default=3000)
    parser.add_argument("--interval", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=30.0, help="that a job takes on average")
    parser.add_argument("--scale", nargs="*", type=int, default=[1000, 3000, 10000, 20000])
    parser.add_argument("--plots", action="store_true", help="draw docs/images/waiting-*.png")
    chosen = parser.parse_args()
    names = [name for name in chosen.contenders if installed(PEERS[CONTENDERS[name].dialect])]
    missing = [name for name in chosen.contenders if name not in names]
    if "bare" not in names:
        names.insert(0, "bare")
    versions = ", ".join(f"{name} {installed(PEERS[name])}" for name in names if name != "bare")
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {commit()}, Python {platform.python_version()}, aiohttp "
        f"{metadata.version('aiohttp')}, Airflow {metadata.version('apache-airflow')}, {platform.machine()}, "
        f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start; {versions}"
        + (f"; not installed: {', '.join(missing)}" if missing else "")
    )
    print(
        f"\n### {chosen.waits:,} waits, a poll every {chosen.interval:g} s, jobs of {chosen.seconds:g} s; "
        f"pool of {POOL} for bare and ours\n"
    )
    asked = chosen.waits, chosen.interval, chosen.seconds
    costs = {name: measure(name, *asked, "costs") for name in names}
    loops = {name: measure(name, *asked, "loop") for name in names}
    contenders_table(costs, loops, chosen.waits)
    scale = SCALE_INTERVAL, SCALE_SECONDS
    grown: dict[int, Cost] = {}
    if chosen.scale:
        print(f"\n### Ours with ever more waits, a poll every {scale[0]:g} s, jobs of {scale[1]:g} s\n")
        grown = {waits: measure("ours", waits, *scale, "costs") for waits in sorted(chosen.scale)}
        scale_table(grown, measure("ours", max(chosen.scale), *scale, "loop"))
    print(f"\nLoad average {os.getloadavg()[0]:.1f} at the end")
    if chosen.plots and not util.find_spec("matplotlib"):
        print("\nNo plots: matplotlib is not installed")
    elif chosen.plots:
        from waiting_plots import draw

        for path in draw(costs, grown):
            print(f"\nwritten: {path}")


if __name__ == "__main__":
    main()
