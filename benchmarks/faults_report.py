"""The measured table as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from faults_measured import Run
from faults_service import Seen
from faults_table import FAULTS, RETRY_AFTER, Fault

LATE = 1.0
"""Seconds after which a wait's end counts as late, or its event loop as blocked (bold)."""
CALLBACK = 0.05
"""CPU seconds of one callback above which it is told in bold: what we allow ourselves."""


@dataclass(frozen=True)
class Cell:
    """One wait, as its process measured it and as the service saw it."""

    run: Run
    seen: list[Seen]

    @property
    def end(self) -> str:
        """How the wait ended; a success that the service never told of is none."""
        told = any(request.answer == "completed" for request in self.seen)
        return "taken for completed" if self.run.end == "ok" and not told else self.run.end

    @property
    def pause(self) -> float | None:
        """Seconds from a 429 with Retry-After to the next request, None where there is none."""
        for refused, following in zip(self.seen, self.seen[1:], strict=False):
            if refused.answer == "429 with Retry-After":
                return following.at - refused.at
        return None

    @property
    def hurries(self) -> bool:
        """Whether the service was asked again before the time that it had asked for."""
        return self.pause is not None and self.pause < RETRY_AFTER - 0.05


Cells = Mapping[tuple[str, str], Cell]
"""By the names of fault and peer; absent where a row says nothing about a peer."""


def end_cell(fault: Fault, cell: Cell) -> str:
    """How the wait ended and when: seconds after the best moment where there is one, else since its start."""
    right = {"ok": ("ok",), "time-out": ("time-out",), "fails": ("task fails", "trigger raises")}[
        fault.demanded
    ]
    late = max(cell.run.seconds - fault.after, 0.0) if fault.after is not None else 0.0
    if cell.end not in right:
        when = f" after {cell.run.seconds:.1f} s" if cell.end != "never ends" else ""
        flood = (
            f" ({len(cell.seen):,} requests in {cell.run.seconds:.0f} s)" if cell.end == "never ends" else ""
        )
        return f"**{cell.end}**{when}{flood}"
    if cell.hurries:
        return f"**{cell.end}, asking too early**"
    if fault.after is None:
        return f"{cell.end} after {cell.run.seconds:.1f} s"
    text = f"{cell.end} +{late:.1f} s"
    return f"**{text}**" if late > LATE else text


def requests_cell(fault: Fault, cell: Cell) -> str:
    """How many requests the service saw, and whether it was given the time that it asked for."""
    text = f"{len(cell.seen):,}"
    if cell.pause is not None:
        text += f", **asks again after {cell.pause:.1f} s**" if cell.hurries else ", kept"
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
        return "fails, saying why"
    return f"{fault.demanded} at {fault.after:.1f} s"


def table(
    cells: Cells, peers: list[str], show: Callable[[Fault, Cell], str], *, demands: bool = False
) -> list[str]:
    """One table: a row a fault, a column a peer."""
    heads = ["fault", *(["demanded"] if demands else []), *peers]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for fault in FAULTS:
        if not any((fault.name, peer) in cells for peer in peers):
            continue
        row = [fault.name, *([demanded(fault)] if demands else [])]
        row += [show(fault, cells[fault.name, p]) if (fault.name, p) in cells else "-" for p in peers]
        lines.append(f"| {' | '.join(row)} |")
    return lines


def sayings(cells: Cells, peers: list[str]) -> list[str]:
    """What is said where something is wrong for good, addresses left out."""
    lines = []
    for fault in FAULTS:
        if fault.demanded != "fails" or not any((fault.name, peer) in cells for peer in peers):
            continue
        lines.append(f"\n{fault.name}:\n")
        for peer in peers:
            if cell := cells.get((fault.name, peer)):
                said = re.sub(r"https?://[^\s'\")]+", "(address)", cell.run.said)
                said = re.sub(r"^.*'message': [\"'](.*?)[\"'](, '[a-z_]+':.*)?}$", r"\1", said, flags=re.S)
                said = " ".join(said.replace("\\'", "'").split()).replace("|", "/").replace("<", "&lt;")
                lines.append(f"- {peer}: {said[:300] or '(nothing: it never ended)'}")
    return lines
