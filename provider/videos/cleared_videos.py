"""What a task that makes many videos keeps when a person clears it: all that is made, or under way.

A clear is how a person has a task do what it has not done. One that makes a thousand videos, of which three failed,
must not make, and pay for, the others again. So a clear submits again what failed, and what is in doubt once a try has
said so: then the person has looked. A doubt that a killed try has left is told of first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..submission.record import Submission

KEPT = ("submitted", "completed")


def kept_after_clear(
    records: Mapping[str, Submission], generation: int, now: float, *, told_in_try: int | None = None
) -> dict[str, Submission]:
    """The records of one video in the generation of its task that is now.

    A job that was under way is waited for as long again as a new one. Records of an earlier generation than the
    newest are of a video that was to be made again since, and are left behind.

    :param records: by stage.
    :param generation: of the task now.
    :param now: epoch seconds.
    :param told_in_try: the number of the try that ended with the video in doubt; None where none did.
    """

    newest = newest_generation(records)

    def is_kept(record: Submission) -> bool:
        if record.generation != newest:
            return False
        if record.state != "intent":
            return record.state in KEPT
        return told_in_try is None or told_in_try < (record.try_number or 0)

    return {
        stage: replace(record, generation=generation, started_at=now)
        if record.generation != generation and is_kept(record)
        else record
        for stage, record in records.items()
    }


def newest_generation(records: Mapping[str, Submission]) -> int:
    """The generation of the task in which a video was last submitted; -1 where it never was.

    :param records: by stage.
    """
    return max((record.generation for record in records.values()), default=-1)
