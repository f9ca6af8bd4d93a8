"""Submits at most once a generation of a task, by the record in Airflow's task state store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ..provider.protocol.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    ServiceError,
    SubmissionRecordError,
    VideoCreationError,
)
from ..provider.protocol.quoting import sentence
from ..provider.submission import (
    NO_ADOPTION,
    Adoption,
    Attach,
    OnAmbiguous,
    Submission,
    decide,
    how_to_go_on,
    in_doubt,
    record_key,
)

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import Context

    from ..hooks.service_client import WhileWaiting

Send = Callable[["WhileWaiting", str | None], str]
"""Sends a request and returns the job id; is given what it enters while nothing is under way, and the webhook to fill
in, None for none."""
STORE_ATTEMPTS, STORE_PAUSE = 6, 5.0
"""How often the record of an accepted submission is tried to be stored, and the seconds in between (ours)."""


class SubmitOnce:
    """The submission of one task, over all its tries, with its record.

    Below Airflow 3.3 there is no store: then every retry is in doubt, since an earlier try may have submitted.

    :param context: of the task.
    :param operation: what is done, for messages, such as ``create storyboard``.
    :param log: of the task.
    :param stage: names the record of a task that makes several submissions.
    :param on_ambiguous: ``fail``, or ``resubmit`` a submission that is in doubt.
    :param adopt: a job that was found at the service; then nothing is sent.
    :param started_at: epoch seconds from which the deadline of a first submission counts; now, when None.
    :param conn_id: the connection, for the record.
    :param webhook_of: gives the URL at which the service tells the end of a record's job, None for none.
    :param before_sending: may refuse to send; called with ``operation`` before the intent is stored.
    :param clock: gives epoch seconds.
    :param sleep: waits between attempts to store.
    """

    def __init__(
        self,
        context: Context,
        operation: str,
        log: logging.Logger | Any,
        *,
        stage: str = "",
        on_ambiguous: OnAmbiguous = "fail",
        adopt: Adoption = NO_ADOPTION,
        started_at: float | None = None,
        conn_id: str = "",
        webhook_of: Callable[[Submission], str | None] = lambda record: None,
        before_sending: Callable[[str], None] = lambda operation: None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if on_ambiguous not in ("fail", "resubmit"):
            raise ConfigurationError(f"on_ambiguous must be 'fail' or 'resubmit', not {on_ambiguous!r}.")
        self._store: Any = context.get("task_state_store")
        self._stage = stage
        ti: Any = context.get("ti")
        # A clear sets max_tries to the tries so far plus the retries; a retry leaves it as it is.
        self._generation = int(ti.max_tries or 0) if ti else 0
        # Whoever changes retries between two tries makes the first try of a clear look like a retry, or the reverse.
        firsts = (1, self._generation - (ti.task.retries or 0) + 1) if ti else ()
        self._is_retry = bool(ti) and ti.try_number not in firsts
        self._operation = operation
        self._log = log
        self._on_ambiguous: OnAmbiguous = on_ambiguous
        self._adopt = adopt
        self._started_at = started_at
        self._conn_id = conn_id
        self._webhook_of = webhook_of
        self._before_sending = before_sending
        self._clock = clock
        self.attached = False
        """Whether the job that is gone on from is one of an earlier try, or adopted."""
        self._sleep = sleep

    def job(
        self,
        request: Mapping[str, Any],
        send: Send,
        *,
        prepare: Callable[[], object] = lambda: None,
        names_webhook: Callable[[], object] = lambda: False,
    ) -> Submission:
        """Submit a job, or give the record of the one that an earlier try submitted.

        :param request: the body that is sent, to tell what differs on a retry.
        :param send: sends it.
        :param prepare: what must be known before it is sent; done before the intent is stored.
        :param names_webhook: whether it has a webhook of its own, which is left alone; asked once it is prepared.
        :return: the record, with the job's id.
        :raises AmbiguousSubmissionError: an earlier try may have submitted.
        :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
        """
        return self._submitted(request, lambda *given: (send(*given), None), prepare, names_webhook)

    def registration(
        self, request: Mapping[str, Any], send: Callable[[WhileWaiting], dict[str, Any]], key: str
    ) -> dict[str, Any]:
        """Register something, or give the reply that an earlier try got.

        :param request: the body that is sent, to tell what differs on a retry.
        :param send: sends it and returns the service's reply; is given what it enters while nothing is under way.
        :param key: the reply's field that identifies what was registered.
        :raises AmbiguousSubmissionError: an earlier try may have registered it.
        :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
        """

        def sent(while_waiting: WhileWaiting, webhook: None) -> tuple[str, Mapping[str, Any]]:
            reply = send(while_waiting)
            return str(reply.get(key, "")) or "registered", reply

        return dict(self._submitted(request, sent).reply or {})

    @property
    def adopt_argument(self) -> str | None:
        """What takes the id of a job that is found at the service."""
        return self._adopt.argument

    def has_job(self) -> bool:
        """Whether there is a job to go on from, so that nothing will be sent.

        :raises SubmissionRecordError: the store cannot be read.
        """
        found = self.found()
        recorded = found is not None and found.job_id is not None and found.state != "failed"
        return recorded or (found is None and self._adopt.job_id is not None)

    def found(self) -> Submission | None:
        """The record, None when there is none of this generation; an intent has the job that a callback names.

        :raises SubmissionRecordError: the store cannot be read.
        """
        record = self._completed(self._found())
        return record if record and record.generation == self._generation else None

    def ended(self, job_id: str, state: Literal["completed", "failed"]) -> None:
        """Record how the job ended; a store that cannot be reached is logged, and the task goes on.

        :param job_id: the job, whose record it must be.
        :param state: how it ended.
        """
        try:
            record = self.found()
        except SubmissionRecordError as error:
            self._log.warning("%s is not recorded as %s: %s", job_id, state, error)
            return
        if record and record.job_id == job_id:
            self._keep(record.ended(state))

    def _submitted(
        self,
        request: Mapping[str, Any],
        send: Callable[[WhileWaiting, Any], tuple[str, Mapping[str, Any] | None]],
        prepare: Callable[[], object] = lambda: None,
        names_webhook: Callable[[], object] = lambda: False,
    ) -> Submission:
        adopt = self._adopt
        unknown = self._store is None and self._is_retry and not adopt.job_id
        if unknown and self._on_ambiguous != "resubmit":
            raise in_doubt(
                self._operation,
                "this Airflow, below 3.3, keeps no record between tries, and an earlier try may have submitted",
                adopt.argument,
            )
        stored = self._found()
        found = self._completed(stored)
        if found is not None and found != stored:
            self._log.info(
                "The service told Airflow of job %s, whose id an earlier try did not get", found.job_id
            )
        decision = decide(
            found,
            generation=self._generation,
            request=request,
            now=self._clock(),
            operation=self._operation,
            on_ambiguous=self._on_ambiguous,
            adopt=adopt,
            started_at=self._started_at,
        )
        if decision.why:
            self._log.warning("%s", decision.why)
        if isinstance(decision, Attach):
            self.attached = True
            if decision.record != stored:
                self._keep(decision.record)
            return decision.record
        self._before_sending(self._operation)
        prepare()
        # Without a store nobody could tell which job a callback is about.
        webhook = None if self._store is None or names_webhook() else self._webhook_of(decision.record)
        intent = replace(decision.record, webhook=self._conn_id if webhook else None)
        self._intend(intent)
        try:
            job_id, reply = send(partial(self._not_under_way, intent), webhook)
        except AmbiguousSubmissionError as error:
            begun = datetime.fromtimestamp(intent.begun_at, UTC)
            sought = f"What to look for: {self._operation}, sent at {begun:%Y-%m-%d %H:%M:%S} UTC."
            error.args = (f"{error} {sought} {how_to_go_on(adopt.argument)}",)
            raise
        except VideoCreationError as error:
            certain = isinstance(error, ConfigurationError | InvalidRequestError)
            if certain or (isinstance(error, ServiceError) and error.not_acted):
                self._keep(intent.refused(), attempts=1)
            raise
        record = intent.accepted(job_id, reply)
        self._keep(record)
        return record

    def _found(self) -> Submission | None:
        if self._store is None:
            return None
        try:
            return Submission.from_json(self._store.get(record_key(self._stage)), self._generation)
        except Exception as error:
            raise _store_failed("read", self._operation, error) from error

    def _completed(self, record: Submission | None) -> Submission | None:
        """The record; an intent with the job that a callback names."""
        if record is None or record.state != "intent":
            return record
        from ..provider.webhooks.callback import Callback, callback_key, completed_record

        try:
            told = self._store.get(callback_key(self._stage))
        except Exception as error:
            raise _store_failed("read", self._operation, error) from error
        return completed_record(record, Callback.from_json(told))

    def _intend(self, record: Submission) -> None:
        if self._store is None:
            return
        try:
            self._store.set(record_key(self._stage), record.to_json())
        except Exception as error:
            # It may have been taken, and only the answer lost: the next try must not find a doubt.
            self._keep(record.refused(), attempts=1)
            raise _store_failed("take", self._operation, error) from error

    @contextmanager
    def _not_under_way(self, record: Submission) -> Iterator[None]:
        """Whoever dies in here leaves no doubt."""
        self._keep(record.refused(), attempts=1)
        yield
        self._intend(record)

    def _keep(self, record: Submission, attempts: int = STORE_ATTEMPTS) -> None:
        """Store what came of a submission; what cannot be stored is logged, and the task goes on."""
        for attempt in range(1, attempts + 1) if self._store is not None else ():
            try:
                self._store.set(record_key(self._stage), record.to_json())
            except Exception as error:
                what = f"{self._operation} is {record.state} (job {record.job_id})"
                self._log.warning(
                    "Airflow's task state store did not take that %s, attempt %d of %d: %s",
                    *(what, attempt, attempts, error),
                )
                if attempt < attempts:
                    self._sleep(STORE_PAUSE)
            else:
                return


def _store_failed(what: str, operation: str, error: Exception) -> SubmissionRecordError:
    return SubmissionRecordError(
        f"{sentence(operation)}: Airflow's task state store could not {what} the record of this "
        f"submission ({type(error).__name__}), so nothing was sent now. Is the API server up? Run the task again: it "
        "goes on from what is recorded."
    )
