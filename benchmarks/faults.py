"""Waits under faults: ours beside whichever peers are installed, each in a real event loop against a local service.

    python benchmarks/faults.py                                    # everything: about six minutes, mostly waiting
    python benchmarks/faults.py --peers ours http --faults "one 503" "connection reset"

Peers are measured where they are installed; ``make figures`` installs them.

``faults_table.py`` holds the faults, ``faults_peers.py`` how each peer is made and spoken to, ``faults_service.py`` the
service, ``faults_measured.py`` what is measured in the peer's own process, ``faults_report.py`` the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from faults_certificate import write_certificate
from faults_measured import Run
from faults_peers import CONNECTION_ID, PEERS, installed
from faults_report import FLOOD, Cell, parts, said
from faults_service import FaultyService
from faults_table import FAULTS, FIRST_WAIT, Fault
from figures_kept import Measuring, end

HERE = Path(__file__).parent


def run_peer(name: str, faults: list[Fault]) -> dict[str, Cell]:
    """Measure one peer in a fresh process; its first wait is always ``FIRST_WAIT``."""
    with tempfile.TemporaryDirectory() as home:
        return _run_in(home, name, faults)


def _run_in(home: str, name: str, faults: list[Fault]) -> dict[str, Cell]:
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
    cells: dict[str, Cell] = {}
    try:
        for fault in [FIRST_WAIT, *(fault for fault in faults if fault is not FIRST_WAIT)]:
            if fault.name not in peer.passes_over:
                cells[fault.name] = run_fault(fault, process, service)
                print(f"{name}: {fault.name}: {cells[fault.name].run}", file=sys.stderr)
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
    run = Run(**json.loads(line))
    return Cell.of(replace(run, said=said(run.said)), service.seen)


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument(
        "--faults", nargs="+", choices=[f.name for f in FAULTS], default=[f.name for f in FAULTS]
    )
    parser.add_argument("--at-once", type=int, default=2, help="peers (2): a core each")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    peers = [name for name in chosen.peers if installed(PEERS[name])]
    faults = [fault for fault in FAULTS if fault.name in chosen.faults]
    # They mostly wait; begun by turns, the longest first.
    longest_first = sorted(peers, key=lambda name: name not in ("ours", "http"))
    with ThreadPoolExecutor(chosen.at_once) as pool:
        cells = dict(
            zip(longest_first, pool.map(lambda name: run_peer(name, faults), longest_first), strict=True)
        )
    found = {name: {fault: asdict(cell) for fault, cell in cells[name].items()} for name in peers}
    versions = {name: installed(PEERS[name]) or "" for name in peers}
    end(measuring.ended(found, versions), parts, chosen.keep)


if __name__ == "__main__":
    main()
