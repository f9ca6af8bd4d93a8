"""The fault table: what the service does, poll by poll, and what a wait should make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

INTERVAL = 0.5
"""Seconds between two polls, for everyone."""
SLOW, HANG = 1.0, 15.0
"""Seconds that a slow answer takes, and that a hanging or dripping one holds its connection."""
RETRY_AFTER = 4
"""Seconds that a 429 asks for."""
DEADLINE = 30.0
LONG_DEADLINE = 70.0
"""The deadline where a fault lasts: a wait may hope for a while, and must then say what is wrong."""


@dataclass(frozen=True)
class Fault:
    """One row.

    :param name: what is wrong.
    :param answers: of the service, one a poll, the last one repeated; see ``faults_service``.
    :param demanded: how a wait should end: with the finished job, by its deadline, or with the error.
    :param after: seconds at which a wait ends that loses no time, None where opinions may differ.
    :param deadline: seconds from the start that the wait is given.
    :param connection: False where the Airflow connection is missing.
    """

    name: str
    answers: tuple[str, ...]
    demanded: Literal["ok", "time-out", "fails"] = "ok"
    after: float | None = None
    deadline: float = DEADLINE
    connection: bool = True

    @property
    def watched(self) -> float:
        """Seconds after which a wait that has not ended is said never to end."""
        return self.deadline + (HANG if self.demanded == "time-out" else 3.0)


def _passing(name: str, *fault: str, extra: float = 0.0) -> Fault:
    """The fault comes on the second poll; the poll after it finds the job completed."""
    return Fault(name, ("running", *fault, "completed"), after=(1 + len(fault)) * INTERVAL + extra)


def _lasting(name: str, answer: str) -> Fault:
    return Fault(name, ("running", answer), "fails", deadline=LONG_DEADLINE)


FIRST_WAIT = Fault("no fault; the first wait of a process", ("running", "completed"), after=INTERVAL)
"""Also the warm-up: one-time imports and setup show here, and in no other row."""

FAULTS = (
    FIRST_WAIT,
    Fault("no fault", ("running", "completed"), after=INTERVAL),
    _passing(f"an answer takes {SLOW:.0f} s", "slow", extra=SLOW),
    _passing("one 503", "503"),
    _passing("five 503 in a row", *["503"] * 5),
    _passing(f"429, Retry-After {RETRY_AFTER} s", "429 with Retry-After", extra=RETRY_AFTER - INTERVAL),
    _passing("429 without Retry-After", "429"),
    _passing("connection reset", "reset"),
    _passing("truncated body", "truncated"),
    _passing("malformed JSON", "malformed"),
    _passing("HTML from a proxy, 200", "html"),
    _passing("an answer of 9 MB", "huge"),
    _passing("401 once", "401"),
    _passing("404 once", "404"),
    _passing("unknown state word", "polishing"),
    Fault("no answer for 15 s, deadline 8 s", ("running", "hang", "completed"), "time-out", 8.0, 8.0),
    Fault("dripping body for 15 s, deadline 8 s", ("running", "drip", "completed"), "time-out", 8.0, 8.0),
    Fault("no such Airflow connection", ("running",), "fails", deadline=LONG_DEADLINE, connection=False),
    _lasting("401 every time", "401"),
    _lasting("403 every time", "403"),
    _lasting("job vanishes: 404 every time", "404"),
)
