"""What went wrong with a video, for somebody who has to do something about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..message_lines import ARGUMENT, sentences
from ..quoting import shortened
from ..spending.failure import Failure
from ..submission.adoption import Adoption, Made
from .video_row import RowState

MAX_CAUSE, MAX_TODO = 300, 1700
"""Characters of each in a row (ours)."""
_STATES: dict[str, RowState] = {
    "AmbiguousSubmissionError": "in-doubt",
    "JobDeadlinePassedError": "timed-out",
    "SpendingStoppedError": "skipped",
}
"""The state of a video that ended with such an error; with any other error it failed."""
LOG = "The log of the task says more."
LOST = Failure(
    "AmbiguousSubmissionError",
    "The worker was lost while it submitted.\n"
    "The service may have accepted the job, and it may be paid for.\n"
    "Look at the service for the job.\n"
    "If it is there, put its id into the DAG with the line below, and clear the task.\n"
    "If it is not, clear the task to submit it again.",
)
"""For a task whose last try ended between the submission and the answer."""
UNTOLD = Failure("failed", f"The task failed and gave no reason.\n{LOG}")
STOPPED_BEFORE = Failure("upstream_failed", "An earlier task failed.\nNothing was sent.")


@dataclass(frozen=True)
class Advice:
    """What a row says about what went wrong.

    :param state: how the video ended.
    :param cause: the first sentence.
    :param todo: the others, each on a line: what it means, and what to do.
    """

    state: RowState
    cause: str
    todo: str | None = None


def advice(failure: Failure) -> Advice:
    """The advice on a failure.

    :param failure: as its task told it.
    """
    cause, todo = in_two(failure.message)
    return Advice(_STATES.get(failure.kind, "failed"), cause, todo)


def in_two(message: str) -> tuple[str, str | None]:
    """The first sentence of a message, and the others, each on a line.

    :param message: of an error of ours: what happened first, what to do after it.
    """
    said = [part for line in message.splitlines() for part in sentences(" ".join(line.split())) if part]
    first, others = (said[0], said[1:]) if said else ("", [])
    return shortened(first, MAX_CAUSE), shortened("\n".join(others), MAX_TODO) if others else None


def failure_of(stored: Any) -> Failure | None:
    """A failure that a task pushed; None for what no task of ours pushes.

    :param stored: the XCom's value.
    """
    return Failure.from_json(stored)


def adopt_line(
    message: str, argument: str, run_id: str, map_index: int, made_before: Made | None = None
) -> str:
    """The argument to paste into the DAG, once the job's id is known.

    :param message: of the doubt, which names the line where its task knows it.
    :param argument: that takes the id, where the message does not say.
    :param run_id: of the run.
    :param map_index: of the task.
    :param made_before: what the same task has made before.
    """
    told = list(dict.fromkeys(ARGUMENT.findall(message)))
    if told:
        return ",\n".join(told)
    adoption = Adoption(argument=argument, run_id=run_id, map_index=map_index, made_before=made_before)
    return adoption.lines().replace(" and ", ",\n")


def adopt_line_of_many(kind: str, video: str, run_id: str, map_index: int) -> str:
    """The same for one video of a task that makes many.

    :param kind: of the job: ``storyboard`` or ``render``.
    :param video: its name.
    :param run_id: of the run.
    :param map_index: of the task.
    """
    return Adoption(argument=f"adopt_{kind}_job_ids", run_id=run_id, map_index=map_index, video=video).line()
