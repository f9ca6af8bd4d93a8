"""Where the record of one submission stands: Airflow's task state store, and what a replaced try has left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..provider.errors import SubmissionRecordError, TryReplacedError
from ..provider.quoting import sentence
from ..provider.submission.adoption import Adoption
from ..provider.submission.record import Submission, record_key

if TYPE_CHECKING:
    import logging

    from ..hooks.airflow.left_record import LeftRecord

STORE_ATTEMPTS, STORE_PAUSE = 6, 5.0
"""How often the record of an accepted submission is tried to be stored, and the seconds in between (ours)."""


class SubmissionStore:
    """The record of one submission over all tries of a task.

    :param store: Airflow's, None below 3.3.
    :param ti: the task instance, None outside of Airflow.
    :param operation: what is done, for messages.
    :param generation: of the task.
    :param adopt: how a job is adopted, for messages.
    :param log: of the task.
    :param stage: names the record of a task that makes several submissions.
    :param sleep: waits between attempts to store.
    """

    def __init__(
        self,
        store: Any,
        ti: Any,
        operation: str,
        generation: int,
        adopt: Adoption,
        log: logging.Logger | Any,
        *,
        stage: str,
        sleep: Callable[[float], None],
    ) -> None:
        self._store = store
        self._ti = ti
        self._operation = operation
        self._generation = generation
        self._adopt = adopt
        self._log = log
        self._stage = stage
        self._key = record_key(stage)
        self._sleep = sleep
        self._was_left = False

    def how_found(self, job_id: str | None) -> str:
        """Where the answer to an intent came from, for the log.

        :param job_id: of the job.
        """
        if self._was_left:
            return f"Found job {job_id} in the Airflow Variable that a replaced try left"
        return f"The service's callback named job {job_id}"

    def __bool__(self) -> bool:
        """Whether this Airflow keeps records."""
        return self._store is not None

    def read(self) -> Submission | None:
        """The record as it is stored, None when there is none.

        :raises SubmissionRecordError: the store cannot be read.
        """
        if self._store is None:
            return None
        try:
            return Submission.from_json(self._store.get(self._key), self._generation)
        except Exception as error:
            raise self._failed("read", error) from error

    def with_answer(self, record: Submission | None) -> Submission | None:
        """The record; an intent with the job that a callback, or a replaced try, names.

        :param record: as it is stored.
        :raises SubmissionRecordError: the store cannot be read.
        """
        if record is None or record.state != "intent":
            return record
        from ..provider.webhooks.callback import Callback, callback_key, completed_record

        try:
            told = self._store.get(callback_key(self._stage))
        except Exception as error:
            raise self._failed("read", error) from error
        called_back = completed_record(record, Callback.from_json(told))
        return self._left(record) if called_back is record else called_back

    def intend(self, record: Submission) -> None:
        """Store an intent.

        :param record: the intent.
        :raises SubmissionRecordError: the store cannot take it; nothing is under way.
        """
        if self._store is None:
            return
        try:
            self._store.set(self._key, record.to_json())
        except Exception as error:
            if self._is_replaced(error):
                raise self._replaced("Nothing was sent by it; the other try submits.") from error
            # It may have been taken, and only the answer lost: the next try must not find a doubt.
            self.keep(record.refused(), attempts=1)
            raise self._failed("take", error) from error

    def keep(self, record: Submission, attempts: int = STORE_ATTEMPTS) -> None:
        """Store what came of a submission; what cannot be stored is logged, and the task goes on.

        :param record: what came of it.
        :param attempts: how often it is tried.
        :raises TryReplacedError: Airflow takes nothing from this try any more; the job's id is logged and left.
        """
        for attempt in range(1, attempts + 1) if self._store is not None else ():
            try:
                self._store.set(self._key, record.to_json())
            except Exception as error:
                is_replaced = self._is_replaced(error)
                if is_replaced and record.state == "submitted":
                    self._leave(record)
                    raise self._replaced(f"Job {record.job_id} goes on at the service.") from error
                what = f"{self._operation} is {record.state} (job {record.job_id})"
                self._log.warning(
                    "Airflow's task state store did not take that %s, attempt %d of %d: %s",
                    *(what, attempt, attempts, error),
                )
                if is_replaced:
                    return
                if attempt < attempts:
                    self._sleep(STORE_PAUSE)
            else:
                self._forget_left()
                return

    def _leave(self, record: Submission) -> None:
        """Let the next try find a job whose record the store does not take, or else a person."""
        job_id = record.job_id or ""
        if record.adopted == job_id:
            return
        left = self._variable()
        use = f"put {self._adopt.line(job_id)} into the DAG and clear the task"
        self._log.error(
            "%s: accepted as %s, which is paid for, and Airflow has put another try in the place of this one. The "
            "other try looks for the id in the Airflow Variable %r. If it fails as in doubt instead, %s",
            *(sentence(self._operation), job_id, left.name, use if self._adopt.argument else f"use {job_id}"),
        )
        try:
            left.leave(record.to_json())
        except Exception as error:
            self._log.warning("Airflow did not take the Variable %r: %s", left.name, error)

    def _left(self, record: Submission) -> Submission:
        """The intent with the answer that a replaced try left of it; the intent where there is none."""
        if self._ti is None:
            return record
        try:
            answered = self._variable().answer_to(record)
        except Exception as error:
            self._log.warning("Whether a replaced try left its job's id cannot be read: %s", error)
            return record
        self._was_left = answered is not record
        return answered

    def _forget_left(self) -> None:
        if not self._was_left:
            return
        self._was_left = False
        try:
            self._variable().delete()
        except Exception as error:
            self._log.warning(
                "The Airflow Variable %r is of no use any more, and could not be deleted: %s",
                self._variable().name,
                error,
            )

    def _variable(self) -> LeftRecord:
        from ..hooks.airflow.left_record import LeftRecord

        return LeftRecord(self._ti, self._key)

    def _is_replaced(self, error: Exception) -> bool:
        from ..hooks.airflow.left_record import is_replaced

        return self._ti is not None and is_replaced(error)

    def _replaced(self, what: str) -> TryReplacedError:
        return TryReplacedError(
            f"{sentence(self._operation)}: Airflow has put another try in the place of this one (it missed its "
            f"heartbeat, or the scheduler reset it), and takes nothing from it any more. {what}"
        )

    def _failed(self, what: str, error: Exception) -> SubmissionRecordError:
        return SubmissionRecordError(
            f"{sentence(self._operation)}: Airflow's task state store could not {what} the record of this "
            f"submission ({type(error).__name__}), so nothing was sent now. Is the API server up? Run the task "
            "again: it goes on from what is recorded."
        )
