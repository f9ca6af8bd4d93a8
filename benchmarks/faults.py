"""Waits under faults: ours beside whichever peers are installed, each in a real event loop against a local service.

    python benchmarks/faults.py                                    # everything: about ten minutes, mostly waiting
    python benchmarks/faults.py --peers ours http --faults "one 503" "connection reset"
    python benchmarks/faults.py --write                            # and write docs/measured/faults.md

Run it with the Python of an environment that holds our package and the peers:

    pip install -e . apache-airflow-providers-{dbt-cloud,databricks,airbyte,openai,http}

``faults_table.py`` holds the faults, ``faults_peers.py`` how each peer is made and spoken to, ``faults_service.py`` the
service, ``faults_measured.py`` what is measured in the peer's own process, ``faults_report.py`` the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import select
import signal
import subprocess
import sys
import tempfile
import textwrap
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from faults_certificate import write_certificate
from faults_measured import Run
from faults_peers import CONNECTION_ID, PEERS, Peer
from faults_report import Cell, end_cell, loop_cell, requests_cell, sayings, table
from faults_service import FaultyService
from faults_table import BEARS_IT_FOR_LONG, DEADLINE, FAULTS, FIRST_WAIT, HANG, INTERVAL, Fault

from airflow_video_creation.provider.protocol.messages import MAX_REPLY_BYTES

HERE = Path(__file__).parent
DOCUMENT = HERE.parent / "docs" / "measured" / "faults.md"
MEASURED = ("triggers", "hooks", "provider")
FLOOD = 1000
"""Requests in one wait after which it is stopped: it will not end."""


def installed(peer: Peer) -> str | None:
    """The version of a peer, None where it is not installed."""
    try:
        return metadata.version(peer.distribution)
    except metadata.PackageNotFoundError:
        return None


def run_peer(name: str, faults: list[Fault], home: str) -> dict[tuple[str, str], Cell]:
    """Measure one peer in a fresh process; its first wait is always ``FIRST_WAIT``."""
    peer = PEERS[name]
    certificate = Path(home) / "certificate.pem"
    service = FaultyService(peer.bodies, write_certificate(certificate) if peer.tls else None)
    environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    environment |= {
        "AIRFLOW_HOME": home,
        f"AIRFLOW_CONN_{CONNECTION_ID.upper()}": json.dumps(peer.connection(service.port)),
        **({"SSL_CERT_FILE": str(certificate)} if peer.tls else {}),
    }
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, str(HERE / "faults_measured.py"), name],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    cells: dict[tuple[str, str], Cell] = {}
    try:
        for fault in [FIRST_WAIT, *(fault for fault in faults if fault is not FIRST_WAIT)]:
            if fault.name not in peer.passes_over:
                cells[fault.name, name] = run_fault(fault, process, service)
                print(f"{name}: {fault.name}: {cells[fault.name, name].run}", file=sys.stderr)
    finally:
        process.kill()
        process.wait()
        service.stop()
    return cells


def run_fault(fault: Fault, process: subprocess.Popen[str], service: FaultyService) -> Cell:
    """Have one wait measured; one that floods the service is stopped."""
    assert process.stdin
    assert process.stdout
    service.play(fault.answers)
    process.stdin.write(fault.name + "\n")
    process.stdin.flush()
    while not select.select([process.stdout], [], [], 0.2)[0]:
        if len(service.seen) > FLOOD:
            process.send_signal(signal.SIGUSR1)
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"The process of {process.args!r} died under {fault.name!r}.")
    return Cell(Run(**json.loads(line)), service.seen)


def commit() -> str:
    """What of ours is measured, and whether it is changed on top."""
    git = ["git", "-C", str(HERE.parent)]
    name = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()  # noqa: S603
    changed = subprocess.check_output([*git, "status", "--porcelain", *MEASURED], text=True).strip()  # noqa: S603
    return f"commit {name}{' with changes on top' if changed else ''}"


def how_measured(ours: str, peers: list[str], missing: list[str]) -> list[str]:
    """What a reader must know to judge the numbers, or to get them again."""
    versions = ", ".join(f"{name} {installed(PEERS[name])}" for name in peers)
    paragraphs = [
        f"{datetime.now(UTC):%Y-%m-%d}, {ours}, Python {platform.python_version()}, "
        f"Airflow {metadata.version('apache-airflow')}, {os.cpu_count()} cores, load average "
        f"{os.getloadavg()[2]:.1f} in the last 15 minutes; {versions}; everyone as installed, nothing patched."
        + (f" Not installed, so not measured: {', '.join(missing)}." if missing else ""),
        "",
        "Each column is one process that has loaded what a triggerer loads and then runs one trigger after the other, "
        "made with the arguments that its operator makes it with by default. A local service over kept-alive "
        f"connections plays the fault from the second poll on; everyone polls every {INTERVAL} s. Deadlines, given as "
        f"the trigger takes them: {DEADLINE:.0f} s; {BEARS_IT_FOR_LONG:.0f} s where something is wrong for good; 8 s "
        f"where the service holds the connection, which it does for {HANG:.0f} s to keep this short.",
        "",
        "- dbt-cloud speaks TLS only: its service has a certificate that its process trusts through `SSL_CERT_FILE`.",
        "- databricks' trigger and http's know no deadline. HttpSensor's `timeout` is kept by Airflow's scheduler "
        "from outside; databricks' operator sets none.",
        '- http is HttpSensor\'s trigger: it knows no states, a 404 is its "not yet" and any other success its end.',
        f"- ours leaves an answer of more than {MAX_REPLY_BYTES >> 20} MiB to a worker: its trigger has no end there.",
        f'- "never ends": still waiting 3 s after its deadline ({HANG:.0f} s where the service hangs), or more than '
        f'{FLOOD:,} requests. "taken for completed": success before the service had said so.',
    ]
    return [textwrap.fill(text, 120, subsequent_indent="  " * text.startswith("- ")) for text in paragraphs]


def document(cells: dict[tuple[str, str], Cell], ours: str, peers: list[str], missing: list[str]) -> str:
    """All of docs/measured/faults.md."""
    return "\n".join(
        [
            "# Waiting under faults",
            "",
            "`benchmarks/faults.py --write` makes this page. Bold: not what a wait should do.",
            "",
            *how_measured(ours, peers, missing),
            "",
            "## How the wait ends",
            "",
            "Seconds after the best moment that the fault allows, or since the start of the wait.",
            "",
            *table(cells, peers, end_cell, demands=True),
            "",
            "## Requests, and whether Retry-After was kept",
            "",
            *table(cells, peers, requests_cell),
            "",
            "## The event loop",
            "",
            "Milliseconds: CPU time of the longest callback / the longest callback's wall-clock time / the worst delay",
            "of a task that sleeps for 10 ms again and again beside the wait, as another wait would. Wall-clock times",
            "include what the machine did besides.",
            "",
            *table(cells, peers, loop_cell),
            "",
            "## What is said where something is wrong for good",
            *sayings(cells, peers),
            "",
        ]
    )


def main() -> None:
    """Measure, print the tables, and write them where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument(
        "--faults", nargs="+", choices=[f.name for f in FAULTS], default=[f.name for f in FAULTS]
    )
    parser.add_argument(
        "--write", action="store_true", help=f"also write {DOCUMENT.relative_to(HERE.parent)}"
    )
    chosen = parser.parse_args()
    peers = [name for name in chosen.peers if installed(PEERS[name])]
    missing = [name for name in chosen.peers if name not in peers]
    faults = [fault for fault in FAULTS if fault.name in chosen.faults]
    ours = commit()
    cells: dict[tuple[str, str], Cell] = {}
    with tempfile.TemporaryDirectory() as home:
        for name in peers:
            cells |= run_peer(name, faults, home)
    text = document(cells, ours, peers, missing)
    print(text)
    if chosen.write:
        DOCUMENT.write_text(text)


if __name__ == "__main__":
    main()
