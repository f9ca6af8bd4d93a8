"""The answer to an intent whose try could not record it, from a callback or from the Variable that a try left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...provider.submission.stored_records import record_key
from ...provider.webhooks.callback import Callback, callback_key, completed_record

if TYPE_CHECKING:
    import logging

    from ...hooks.records.left_record import LeftRecord
    from ...provider.submission.record import Submission


Ask = Callable[[Callable[[], Any]], Any]
"""Has something done by the thread that talks to Airflow, and returns or raises its result."""


def at_once(work: Callable[[], Any]) -> Any:
    """Do something here and now: this thread talks to Airflow.

    :param work: what is done.
    """
    return work()


@dataclass(frozen=True)
class FoundAnswer:
    """An answer to an intent.

    :param record: the intent with the job that the answer names.
    :param source: where it was found, for the log.
    :param left: the Variable that holds it; None if it came by a callback.
    """

    record: Submission
    source: str
    left: LeftRecord | None = None


def found_answer(
    get: Callable[[str], Any],
    ti: Any,
    stage: str,
    intent: Submission,
    log: logging.Logger | Any,
    ask: Ask = at_once,
) -> FoundAnswer | None:
    """The answer to an intent; None if there is none.

    :param get: reads the task's store.
    :param ti: the task instance, None outside of Airflow.
    :param stage: of the intent.
    :param intent: as the store has it.
    :param log: the task's log.
    :param ask: has a Variable read.
    :raises SubmissionRecordError: the store cannot be read.
    """
    called_back = completed_record(intent, Callback.from_json(get(callback_key(stage))))
    if called_back is not intent:
        return FoundAnswer(called_back, f"The service's callback named job {called_back.job_id}")
    if ti is None:
        return None
    from ...hooks.records.left_record import LeftRecord

    left = LeftRecord(ti, record_key(stage))
    try:
        answered: Submission = ask(lambda: left.answer_to(intent))
    except Exception as error:
        log.warning("Could not read whether an earlier try left its job's id: %s", error)
        return None
    if answered is intent:
        return None
    source = f"Found job {answered.job_id} in the Airflow Variable that an earlier try left"
    return FoundAnswer(answered, source, left)
