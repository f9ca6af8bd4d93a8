"""The measured tables as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from faults_measured import Run
from faults_peers import PEERS
from faults_service import Seen
from faults_table import DEADLINE, FAULTS, HANG, INTERVAL, LONG_DEADLINE, RETRY_AFTER, Fault
from figures_kept import Result
from figures_pages import table

from airflow_video_creation.provider.protocol.messages import MAX_REPLY_BYTES
from airflow_video_creation.provider.waiting.request_budget import PAUSE

LATE = 1.0
"""Seconds after which a wait's end counts as late, or its event loop as blocked (bold)."""
CALLBACK = 0.05
"""CPU seconds of one callback above which it is shown in bold: our own limit."""


FLOOD = 1000
"""Requests in one wait after which it is stopped: it will not end."""


@dataclass(frozen=True)
class Cell:
    """One wait, as its process measured it and as the service saw it.

    :param run: as its process measured it.
    :param requests: that the service saw.
    :param told: whether the service has said that the job is completed.
    :param pause: seconds from a 429 with Retry-After to the next request, None where there is none.
    """

    run: Run
    requests: int
    told: bool
    pause: float | None

    @classmethod
    def of(cls, run: Run, seen: list[Seen]) -> Cell:
        """Make it of what the service saw."""
        pause = None
        for refused, following in pairwise(seen):
            if refused.answer == "429 with Retry-After":
                pause = following.at - refused.at
                break
        return cls(run, len(seen), any(request.answer == "completed" for request in seen), pause)

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Cell:
        """From a result."""
        return cls(**{**kept, "run": Run(**kept["run"])})

    @property
    def end(self) -> str:
        """How the wait ended; a success that the service never reported is none."""
        return "mistaken for completed" if self.run.end == "ok" and not self.told else self.run.end

    @property
    def hurries(self) -> bool:
        """Whether the next request came before Retry-After had passed."""
        return self.pause is not None and self.pause < RETRY_AFTER - 0.05


Cells = Mapping[tuple[str, str], Cell]
"""By the names of fault and peer; absent where a row says nothing about a peer."""


def parts(result: Result) -> Mapping[str, str]:
    """The parts of the page."""
    peers = list(result.found)
    cells = {(fault, peer): Cell.read(cell) for peer in peers for fault, cell in result.found[peer].items()}
    missing = [name for name in PEERS if name not in peers]
    return {
        "faults-how": "\n".join(how_measured(missing)),
        "faults-ends": fault_table(cells, peers, end_cell, demands=True),
        "faults-requests": fault_table(cells, peers, requests_cell),
        "faults-loop": fault_table(cells, peers, loop_cell),
        "faults-sayings": "\n".join(sayings(cells, peers)).strip(),
    }


def how_measured(missing: list[str]) -> list[str]:
    """What a reader must know to judge the numbers."""
    paragraphs = [
        "Each column is one process. It has loaded what a triggerer loads, and runs one trigger after another, each "
        "made with the arguments that its operator passes by default. A local service over kept-alive connections "
        f"plays the fault from the second poll on. Everyone polls every {INTERVAL} s. The deadline is {DEADLINE:.0f} "
        f"s, and {LONG_DEADLINE:.0f} s for a fault that lasts. Where the service holds the connection, it does so for "
        f"{HANG:.0f} s, and the deadline is 8 s, to keep this short. Every provider is as installed, and nothing is "
        "patched." + (f" Not measured: {', '.join(missing)}." if missing else ""),
        "",
        "- dbt-cloud speaks TLS only. Its service has a certificate that its process trusts through `SSL_CERT_FILE`.",
        "- The triggers of databricks and http have no deadline. Airflow's scheduler enforces HttpSensor's `timeout` "
        "from outside; databricks' operator sets none.",
        '- http is HttpSensor\'s trigger. It knows no states: a 404 means "not yet", and any other success '
        "ends the wait.",
        f"- ours leaves an answer of more than {MAX_REPLY_BYTES >> 20} MiB to a worker, so its trigger has no end "
        "there.",
        f"- After a 429 without Retry-After ours sends nothing on that connection for {PAUSE:.0f} s, so that its other "
        "waits do not add to what was too much.",
        "- Where the connection cannot be read, or the service refuses or does not know the job, ours asks again for a "
        "minute before it fails: a deployment or a replica that lags looks the same.",
        f'- "never ends": still waiting 3 s after its deadline ({HANG:.0f} s where the service hangs), or more than '
        f"{FLOOD:,} requests.",
        '- "mistaken for completed": success before the service had said so.',
    ]
    return [textwrap.fill(text, 120, subsequent_indent="  " * text.startswith("- ")) for text in paragraphs]


def said(text: str) -> str:
    """What a peer said, addresses left out."""
    text = re.sub(r"https?://[^\s'\")]+", "(address)", text)
    text = re.sub(r"^.*'message': [\"'](.*?)[\"'](, '[a-z_]+':.*)?}$", r"\1", text, flags=re.S)
    return " ".join(text.replace("\\'", "'").split()).replace("|", "/").replace("<", "&lt;")[:300]


def end_cell(fault: Fault, cell: Cell) -> str:
    """How the wait ended and when: seconds after the best moment where there is one, else since its start."""
    right = {"ok": ("ok",), "time-out": ("time-out",), "fails": ("task fails", "trigger raises")}[
        fault.demanded
    ]
    late = max(cell.run.seconds - fault.after, 0.0) if fault.after is not None else 0.0
    if cell.end not in right:
        when = f" after {cell.run.seconds:.1f} s" if cell.end != "never ends" else ""
        flood = (
            f" ({cell.requests:,} requests in {cell.run.seconds:.0f} s)" if cell.end == "never ends" else ""
        )
        return f"**{cell.end}**{when}{flood}"
    if cell.hurries:
        return f"**{cell.end}, asked too early**"
    if fault.after is None:
        return f"{cell.end} after {cell.run.seconds:.1f} s"
    text = f"{cell.end} +{late:.1f} s"
    return f"**{text}**" if late > LATE else text


def requests_cell(fault: Fault, cell: Cell) -> str:
    """How many requests the service saw, and whether Retry-After was respected."""
    text = f"{cell.requests:,}"
    if cell.pause is not None:
        text += f", **asks again after {cell.pause:.1f} s**" if cell.hurries else ", respected"
    return text


def loop_cell(fault: Fault, cell: Cell) -> str:
    """The longest callback, CPU and wall-clock time, and the heartbeat's worst delay, in milliseconds."""
    cpu, wall, late = (f"{seconds * 1000:,.0f}" for seconds in (cell.run.cpu, cell.run.wall, cell.run.late))
    cpu = f"**{cpu}**" if cell.run.cpu > CALLBACK else cpu
    late = f"**{late}**" if cell.run.late > LATE / 4 else late
    return f"{cpu} / {wall} / {late}"


def demanded(fault: Fault) -> str:
    """What a wait should make of the fault."""
    if fault.demanded == "fails":
        return "fails and says why"
    return f"{fault.demanded} at {fault.after:.1f} s"


def fault_table(
    cells: Cells, peers: list[str], show: Callable[[Fault, Cell], str], *, demands: bool = False
) -> str:
    """One table: a row a fault, a column a peer."""
    heads = ["fault", *(["expected"] if demands else []), *peers]
    rows = []
    for fault in FAULTS:
        if not any((fault.name, peer) in cells for peer in peers):
            continue
        row = [fault.name, *([demanded(fault)] if demands else [])]
        row += [show(fault, cells[fault.name, p]) if (fault.name, p) in cells else "-" for p in peers]
        rows.append(row)
    return table(heads, *rows)


def sayings(cells: Cells, peers: list[str]) -> list[str]:
    """The error messages for faults that last."""
    lines = []
    for fault in FAULTS:
        if fault.demanded != "fails" or not any((fault.name, peer) in cells for peer in peers):
            continue
        lines.append(f"\n{fault.name}:\n")
        for peer in peers:
            if cell := cells.get((fault.name, peer)):
                lines.append(f"- {peer}: {cell.run.said or '(nothing: it never ended)'}")
    return lines
