"""What a task that makes many videos keeps when a person clears it: all that is made, or under way.

A clear is how a person has a task do what it has not done. One that makes a thousand videos, of which three failed,
must not make, and pay for, the others again. So a clear submits again what failed, and what is in doubt once a try has
said so: then the person has looked. A doubt that a killed try has left is told of first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..submission.record import Submission

KEPT = ("submitted", "completed")


def kept_after_clear(
    records: Mapping[str, Submission],
    generation: int,
    now: float,
    *,
    told_in_try: int | None = None,
    has_changed: Callable[[Submission], bool] = lambda _: False,
) -> dict[str, Submission]:
    """The records of one video in the generation of its task that is now.

    A job that was under way is waited for as long again as a new one. Records of an earlier generation than the
    newest are of a video that was to be made again since, and are left behind. So is a storyboard of which no render
    could be made, once it is another one.

    :param records: by stage.
    :param generation: of the task now.
    :param now: epoch seconds.
    :param told_in_try: the number of the try that ended with the video in doubt; None where none did.
    :param has_changed: whether another storyboard is asked for than a record's.
    """

    newest = newest_generation(records)
    by_kind = {stage.rpartition(".")[2]: record for stage, record in records.items()}
    render = by_kind.get("render")
    corrected = by_kind.get("storyboard") if render and render.state in ("failed", "refused") else None

    def is_kept(record: Submission) -> bool:
        if record.generation != newest or (record is corrected and has_changed(record)):
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
