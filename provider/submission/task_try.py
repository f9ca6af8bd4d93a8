"""What a try of a task knows of itself, as far as its paid submissions depend on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OnAmbiguous = Literal["fail", "resubmit"]


@dataclass(frozen=True)
class TaskTry:
    """One try of one task.

    :param generation: of the task: a retry has that of the try before it, a cleared task the next one.
    :param number: of the try; None outside of Airflow.
    :param is_retry: whether an earlier try of this generation may have submitted.
    :param is_mapped: whether a list decides what this task submits.
    :param clear_number: how often tasks of the run have been cleared; None where Airflow does not say.
    :param keeps_records: whether something outlives the try that tells what it submitted.
    :param on_ambiguous: whether a submission in doubt stops the task, or is sent again.
    """

    generation: int
    number: int | None = None
    is_retry: bool = False
    is_mapped: bool = False
    clear_number: int | None = None
    keeps_records: bool = True
    on_ambiguous: OnAmbiguous = "fail"
