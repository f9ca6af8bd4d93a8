"""Where the task state store keeps the records of a task, and in which form.

A task that makes one submission keeps its record under ``RECORD_KEY``. A task that makes several keeps them all in one
value under ``RECORDS_KEY``: one read gives them all, and one write stores several. Release 0.1.0 kept each of them
under a key of its own, ``record_key(stage)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .record import Submission

RECORD_KEY = "video_creation.submission"
RECORDS_KEY = "video_creation.submissions"
ONE = ("",)
"""The stages of a task that makes one submission."""
VERSION = 1


def record_key(stage: str = "") -> str:
    """What names one record, and where release 0.1.0 kept it.

    :param stage: of a task that makes several submissions.
    """
    return f"{RECORD_KEY}.{stage}" if stage else RECORD_KEY


def key_of(stages: Sequence[str]) -> str:
    """The key under which the records of a task are kept.

    :param stages: of the task.
    """
    return RECORD_KEY if tuple(stages) == ONE else RECORDS_KEY


def thawed(stored: Any, stages: Sequence[str], generation: int) -> dict[str, Submission]:
    """The records in a stored value, by stage.

    :param stored: a JSON value, perhaps of another release; what cannot be understood counts as an intent of each
        stage, since something may have been submitted.
    :param stages: of the task.
    :param generation: of the task now, to which what names none belongs.
    """
    found = {stage: Submission.from_json(record_json(stored, stage), generation) for stage in stages}
    return {stage: record for stage, record in found.items() if record}


def frozen(records: Mapping[str, Submission]) -> dict[str, Any]:
    """The value to store.

    :param records: of a task, by stage.
    """
    if tuple(records) == ONE:
        return records[""].to_json()
    return {"version": VERSION, "records": {stage: record.to_json() for stage, record in records.items()}}


def of_older_release(stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """The stored value that means the same as the records of release 0.1.0; None where there are none.

    :param stored: by stage, the value under ``record_key(stage)``.
    """
    records = {stage: record for stage, record in stored.items() if record is not None}
    return {"version": VERSION, "records": records} if records else None


def record_json(stored: Any, stage: str) -> Any:
    """One record of a stored value, as JSON; None where there is none.

    :param stored: the value under ``RECORD_KEY`` or ``RECORDS_KEY``.
    :param stage: of the record.
    """
    if not stage or stored is None:
        return stored
    records = stored.get("records") if isinstance(stored, Mapping) else None
    return records.get(stage) if isinstance(records, Mapping) else stored
