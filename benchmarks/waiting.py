"""What a wait costs the triggerer: ours beside a bare aiohttp loop and whichever peers are installed.

    python benchmarks/waiting.py                     # everything: about ten minutes, mostly waiting
    python benchmarks/waiting.py --waits 1000 --interval 2 --seconds 6 --scale 500 1000

Peers are measured where they are installed; ``make figures`` installs them.

``waiting_contenders.py`` says who is compared, ``waiting_service.py`` the service, ``waiting_measured.py`` what is
measured in the contender's process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from faults_peers import PEERS, installed
from figures_kept import Measuring, Result, end
from figures_pages import table
from waiting_contenders import CONTENDERS
from waiting_measured import Cost
from waiting_service import SPREAD

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
    cost = Cost(**json.loads(ended.stdout))
    cost.delays = thinned(cost.delays)
    return cost


PERCENTILES = 200
"""Steps in which delays are kept."""


def thinned(delays: Sequence[float]) -> list[float]:
    """As many delays as a plot needs, the shortest and the longest among them."""
    ordered = sorted(delays)
    return [
        round(ordered[round(step / PERCENTILES * (len(ordered) - 1))], 3) for step in range(PERCENTILES + 1)
    ]


def contenders_table(costs: Mapping[str, Cost], loops: Mapping[str, Cost], waits: int) -> str:
    """What each contender costs, and how many times what the bare loop costs."""
    floor = costs["bare"].cpu / costs["bare"].polls
    rows = [
        [
            "",
            "CPU ms a poll",
            "x bare",
            "of which collector",
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
        half, most = cost.delays[PERCENTILES // 2], cost.delays[PERCENTILES * 95 // 100]
        rows.append(
            [
                name,
                f"{poll * 1000:.2f}",
                f"{poll / floor:.2f}",
                f"{cost.collected / cost.polls * 1000:.2f}",
                f"{cost.opened:,}",
                f"{cost.memory / 1024:.1f}",
                f"{half:.1f} / {most:.1f}",
                f"{loop.callback * 1000:.0f}",
                f"{loop.collector * 1000:.0f}",
                f"{loop.late:.2f}",
                f"{cost.lost + loop.lost} of {2 * waits:,}",
            ]
        )
    return table(*rows)


def scale_table(costs: Mapping[int, Cost], most: Cost) -> str:
    """How our cost grows with the waits, and what the largest number does to the event loop."""
    rows = [
        [
            "waits",
            "polls",
            "CPU s, total",
            "CPU ms a poll",
            "of which collector",
            "KiB a wait",
            "all registered after, s",
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
    return (
        f"{table(*rows)}\n\n"
        f"With {max(costs):,} waits the longest callback takes {most.callback * 1000:.0f} ms of CPU, the longest\n"
        f"pause of the collector {most.collector * 1000:.0f} ms; the worst loop block is {most.late:.2f} s."
    )


def parts(result: Result) -> Mapping[str, str]:
    """The tables, with how it was measured."""
    found = result.found
    costs, loops = ({name: Cost(**cost) for name, cost in found[what].items()} for what in ("costs", "loops"))
    asked = found["asked"]
    missing = [name for name in CONTENDERS if name not in costs]
    texts = {
        "waiting-contenders": (
            f"{asked['waits']:,} waits, a poll every {asked['interval']:g} s, jobs of {asked['seconds']:g} s, "
            f"give or take {asked['seconds'] * SPREAD / 2:.1f} s.\n\n"
            f"{contenders_table(costs, loops, asked['waits'])}"
            + (f"\n\nNot measured: {', '.join(missing)}." if missing else "")
        )
    }
    if found["grown"]:
        grown = {int(waits): Cost(**cost) for waits, cost in found["grown"].items()}
        texts["waiting-scale"] = (
            f"A poll every {SCALE_INTERVAL:g} s, jobs of {SCALE_SECONDS:g} s.\n\n"
            f"{scale_table(grown, Cost(**found['most']))}"
        )
    return texts


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--waits", type=int, default=3000)
    parser.add_argument("--interval", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=30.0, help="that a job takes on average")
    parser.add_argument("--scale", nargs="*", type=int, default=[1000, 3000, 10000, 20000])
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    names = [name for name in chosen.contenders if installed(PEERS[CONTENDERS[name].dialect])]
    if "bare" not in names:
        names.insert(0, "bare")
    asked = chosen.waits, chosen.interval, chosen.seconds
    costs = {name: measure(name, *asked, "costs") for name in names}
    loops = {name: measure(name, *asked, "loop") for name in names}
    scale = SCALE_INTERVAL, SCALE_SECONDS
    grown = {waits: measure("ours", waits, *scale, "costs") for waits in sorted(chosen.scale)}
    found: dict[str, Any] = {
        "asked": {"waits": chosen.waits, "interval": chosen.interval, "seconds": chosen.seconds},
        "costs": {name: asdict(cost) for name, cost in costs.items()},
        "loops": {name: asdict(cost) for name, cost in loops.items()},
        "grown": {waits: asdict(cost) for waits, cost in grown.items()},
        "most": asdict(measure("ours", max(grown), *scale, "loop")) if grown else None,
    }
    versions = {name: installed(PEERS[name]) or "" for name in names if name != "bare"}
    end(measuring.ended(found, {"aiohttp": metadata.version("aiohttp"), **versions}), parts, chosen.keep)


if __name__ == "__main__":
    main()
