"""What a rule asks of the notes that all runs share: it is written as a generator, and who drives it does the I/O.

So a test can stop two runs between any two steps. No step compares and sets: nothing that Airflow gives a task can.
A name is written whole or not at all. ``Names`` tells every name that was there before it was asked, and is there
still.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class Names:
    """Which notes are there? Answered by their names."""


@dataclass(frozen=True)
class Read:
    """What does a note say? Answered by its text, None where it is gone."""

    name: str


@dataclass(frozen=True)
class Write:
    """Write a note."""

    name: str
    text: str


@dataclass(frozen=True)
class Delete:
    """Take a note away, if it is still there."""

    name: str


@dataclass(frozen=True)
class Unspent:
    """Which videos of a run were never sent, and never will be? Answered by their names, in small letters.

    ``note`` is what the run has noted of itself.
    """

    note: Mapping[str, Any]


@dataclass(frozen=True)
class Pause:
    """Let another run do its next step."""


Step = Names | Read | Write | Delete | Unspent | Pause
Steps = Generator[Step, Any, Result]
