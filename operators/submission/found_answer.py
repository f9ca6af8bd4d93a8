"""What came of an intent whose try could not record it: a callback tells, or the Variable that a try has left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...provider.submission.stored_records import record_key
from ...provider.webhooks.callback import Callback, callback_key, completed_record

if TYPE_CHECKING:
    import logging

    from ...hooks.records.left_record import LeftRecord
    from ...provider.submission.record import Submission
    from .record_store import RecordStore


@dataclass(frozen=True)
class FoundAnswer:
    """An answer to an intent.

    :param record: the intent with the job that the answer names.
    :param source: where it was found, for the log.
    :param left: the Variable that holds it; None where a callback told it.
    """

    record: Submission
    source: str
    left: LeftRecord | None = None


def found_answer(
    store: RecordStore, ti: Any, stage: str, intent: Submission, log: logging.Logger | Any
) -> FoundAnswer | None:
    """The answer to an intent; None where nobody tells it.

    :param store: of the task's records.
    :param ti: the task instance, None outside of Airflow.
    :param stage: of the intent.
    :param intent: as the store has it.
    :param log: of the task.
    :raises SubmissionRecordError: the store cannot be read.
    """
    called_back = completed_record(intent, Callback.from_json(store.get(callback_key(stage))))
    if called_back is not intent:
        return FoundAnswer(called_back, f"The service's callback named job {called_back.job_id}")
    if ti is None:
        return None
    from ...hooks.records.left_record import LeftRecord

    left = LeftRecord(ti, record_key(stage))
    try:
        answered = left.answer_to(intent)
    except Exception as error:
        log.warning("Whether an earlier try left its job's id cannot be read: %s", error)
        return None
    if answered is intent:
        return None
    source = f"Found job {answered.job_id} in the Airflow Variable that an earlier try left"
    return FoundAnswer(answered, source, left)
