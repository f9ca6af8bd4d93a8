"""What a task that makes many videos keeps when a person clears it: all that is made, or under way.

A clear is how a person has a task do what it has not done. One that makes a thousand videos, of which three failed,
must not make, and pay for, the others again. So a clear submits again what failed, and what is in doubt: the person has
looked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..submission.record import Submission

KEPT = ("submitted", "completed")


def kept_after_clear(records: Mapping[str, Submission], generation: int, now: float) -> dict[str, Submission]:
    """The records of one video in the generation of its task that is now.

    A job that was under way is waited for as long again as a new one.

    :param records: by stage.
    :param generation: of the task now.
    :param now: epoch seconds.
    """
    return {
        stage: replace(record, generation=generation, started_at=now)
        if record.generation != generation and record.state in KEPT
        else record
        for stage, record in records.items()
    }
