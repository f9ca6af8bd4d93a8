"""The records of a task's submissions, read once and written as a whole: in Airflow's task state store or a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ...provider.errors import ConfigurationError, SubmissionRecordError, TryReplacedError, VideoCreationError
from ...provider.quoting import sentence
from ...provider.submission.stored_records import ONE, frozen, key_of, of_older_release, record_key, thawed
from .found_answer import at_once
from .paid_job import PaidJob

if TYPE_CHECKING:
    import logging

    from ...hooks.records.left_record import LeftRecord
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest
    from ...provider.submission.task_try import TaskTry

UNREADABLE = (SubmissionRecordError, ConfigurationError)
"""What reading the records may raise: the store is down, or the record folder is set wrongly."""
REPLACED = "Airflow has replaced this try with another one"
AIRFLOWS_STORE = "Airflow's task state store"
STORE_ATTEMPTS, STORE_PAUSE = 6, 5.0
"""How often to try to store the record of an accepted submission, and the seconds in between (ours)."""


class RecordStore:
    """The records of one task, by stage.

    :param store: see ``hooks.records.task_store``.
    :param ti: the task instance, None outside of Airflow.
    :param task: this try.
    :param log: the task's log.
    :param stages: the names of the records.
    :param may_be_older: whether release 0.1.0 may have stored them.
    :param sleep: waits between attempts to store.
    """

    def __init__(
        self,
        store: Any,
        ti: Any,
        task: TaskTry,
        log: logging.Logger | Any,
        *,
        stages: Sequence[str],
        may_be_older: bool,
        sleep: Callable[[float], None],
    ) -> None:
        self._store = store
        self._ti = ti
        self._task = task
        self._log = log
        self._stages = tuple(stages)
        self._key = key_of(stages)
        self._may_be_older = may_be_older
        self._sleep = sleep
        self._left: list[LeftRecord] = []
        self._records: dict[str, Submission] | None = None if store is not None else {}

    def read(self) -> Mapping[str, Submission]:
        """The records, by stage; read from Airflow once.

        :raises SubmissionRecordError: they cannot be read.
        :raises ConfigurationError: the record folder is set wrongly.
        """
        if self._records is None:
            stored = self.get(self._key)
            if stored is None and self._stages != ONE and self._may_be_older:
                stored = of_older_release({stage: self.get(record_key(stage)) for stage in self._stages})
            self._records = thawed(stored, self._stages, self._task.generation)
        return self._records

    def get(self, key: str) -> Any:
        """What is stored under a key; None if nothing is.

        :param key: a key of the task state store.
        :raises SubmissionRecordError: it cannot be read.
        """
        if self._store is None:
            return None
        try:
            return self._store.get(key)
        except Exception as error:
            raise _failed("read the record of what this task has submitted", error) from error

    def ask(self, work: Callable[[], Any]) -> Any:
        """Ask Airflow for something in the thread that may do so: a task that makes many videos has other threads, too.

        :param work: the request to Airflow.
        """
        return getattr(self._store, "ask", at_once)(work)

    def intend(self, request: SubmissionRequest, record: Submission, *, may_exist: bool = False) -> None:
        """Store an intent.

        :param request: what the task is asked to submit.
        :param record: the intent.
        :param may_exist: whether the same request was sent before, and may have been accepted.
        :raises SubmissionRecordError: the store cannot keep it; nothing is under way.
        """
        try:
            self._write(request.stage, record)
        except Exception as error:
            if self._is_replaced(error):
                raise _replaced(request, "This try sent nothing; the other try submits.") from error
            if not may_exist:
                # It may have been stored, with only the answer lost: the next try must not find a doubt.
                self.keep(request, record.refused(), attempts=1)
            raise _failed(f"store the record of {request.operation}", error) from error

    def keep(self, request: SubmissionRequest, record: Submission, attempts: int = STORE_ATTEMPTS) -> bool:
        """Store the result of a submission. If it cannot be stored, that is logged, and the task continues.

        :param request: what the task is asked to submit.
        :param record: its result.
        :param attempts: how often it is tried.
        :return: whether it is stored.
        :raises TryReplacedError: Airflow no longer accepts anything from this try; the job's id is logged and left.
        """
        for attempt in range(1, attempts + 1):
            try:
                self._write(request.stage, record)
            except Exception as error:
                is_replaced = self._is_replaced(error)
                if is_replaced and record.state == "submitted":
                    self._leave(request, record, REPLACED)
                    raise _replaced(request, f"Job {record.job_id} continues at the service.") from error
                what = f"{request.operation} is {record.state} (job {record.job_id})"
                self._log.warning(
                    "%s did not store that %s, attempt %d of %d: %s",
                    *(self._named, what, attempt, attempts, error),
                )
                if is_replaced:
                    return False
                if attempt < attempts:
                    self._sleep(STORE_PAUSE)
            else:
                self._forget_left()
                return True
        if record.state == "submitted":
            self._leave(request, record, f"{self._named} does not store its record")
        return False

    def _write(self, stage: str, record: Submission) -> None:
        # What this try knows is valid for it, whether or not it can be stored.
        self._records = {**self.read(), stage: record}
        if self._store is not None:
            self._store.set(self._key, frozen(self._records))

    def _leave(self, request: SubmissionRequest, record: Submission, why: str) -> None:
        """Let the next try, or a person, find a job whose record the store does not accept."""
        from ...hooks.records.left_record import LeftRecord

        job_id = record.job_id or ""
        if record.adopted == job_id:
            return
        left, adopt = LeftRecord(self._ti, record_key(request.stage)), request.adopt
        self._log.error(
            "%s: accepted as %s, which is paid for, and %s. The next try looks for the id in the Airflow Variable %r. "
            "If it fails as in doubt instead, %s",
            *(sentence(request.operation), job_id, why, left.name),
            f"put {adopt.lines(job_id)} into the DAG and clear the task"
            if adopt.argument
            else f"use {job_id}",
        )
        try:
            self.ask(lambda: left.leave(record.to_json()))
        except Exception as error:
            self._log.warning("Airflow did not store the Variable %r: %s", left.name, error)
        else:
            self._left.append(left)

    def _forget_left(self) -> None:
        """The store has all records now."""
        while self._left:
            left = self._left.pop()
            self.ask(partial(left.forget, self._log))

    @property
    def _named(self) -> str:
        return getattr(self._store, "named", AIRFLOWS_STORE)

    def _is_replaced(self, error: Exception) -> bool:
        from ...hooks.records.left_record import is_replaced

        return self._ti is not None and is_replaced(error)


class Sending:
    """One request that is about to be sent; made when only sending is left to do.

    :param store: keeps the records.
    :param request: what the task is asked to submit.
    :param intent: its record, which is stored here.
    :param clock: gives epoch seconds.
    :param may_exist: whether the same request was sent before, and may have been accepted.
    :raises SubmissionRecordError: the store cannot keep the intent; nothing was sent.
    """

    def __init__(
        self,
        store: RecordStore,
        request: SubmissionRequest,
        intent: Submission,
        clock: Callable[[], float],
        *,
        may_exist: bool = False,
    ) -> None:
        self._store = store
        self._request = request
        self._clock = clock
        self.may_exist = may_exist
        self.intent = intent.sending(clock())
        """As it is stored."""
        store.intend(request, self.intent, may_exist=may_exist)

    def accepted(self, job_id: str, reply: Mapping[str, Any] | None = None) -> PaidJob:
        """Record that the service has accepted it.

        :param job_id: of the job, or of what was registered.
        :param reply: the whole reply, where that is the task's result.
        :raises TryReplacedError: Airflow no longer accepts anything from this try; the id is logged and left.
        """
        record = self.intent.accepted(job_id, reply)
        self._store.keep(self._request, record)
        return PaidJob(self._request, record)

    def refused(self) -> None:
        """Record that the service cannot have acted on it."""
        self._store.keep(self._request, self.intent.refused(), attempts=1)

    @contextmanager
    def nothing_under_way(self) -> Iterator[None]:
        """In a pause before it is sent again: a process that dies in this block leaves no doubt, unless there was one
        before.

        :raises SubmissionRecordError: the store cannot keep the intent again; it must not be sent.
        """
        if self.may_exist:
            yield
            return
        self.refused()
        yield
        self.intent = self.intent.sending(self._clock())
        self._store.intend(self._request, self.intent)


def _replaced(request: SubmissionRequest, what: str) -> TryReplacedError:
    return TryReplacedError(
        f"{sentence(request.operation)}: Airflow has replaced this try with another one (it missed its heartbeat, or "
        f"the scheduler reset it), and accepts nothing more from it. {what}"
    )


def _failed(what: str, error: Exception) -> VideoCreationError:
    # The record folder's own error says what is wrong with it.
    if isinstance(error, ConfigurationError):
        return ConfigurationError(f"{str(error).rstrip('.')}. Nothing was sent now.")
    if isinstance(error, VideoCreationError):
        return SubmissionRecordError(
            f"{str(error).rstrip('.')}. Nothing was sent now. Run the task again: it resumes from what is recorded."
        )
    return SubmissionRecordError(
        f"{AIRFLOWS_STORE} could not {what} ({type(error).__name__}), so nothing was sent now. Check that the API "
        "server is up, then run the task again: it resumes from what is recorded."
    )
