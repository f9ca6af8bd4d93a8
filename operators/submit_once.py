"""Submits at most once a generation of a task, by the record in Airflow's task state store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    ServiceError,
    SubmissionRecordError,
    VideoCreationError,
)
from ..provider.submission.adoption import NO_ADOPTION, Adoption
from ..provider.submission.messages import in_doubt, sent_at
from ..provider.submission.record import Attach, Now, OnAmbiguous, Submission, decide, stop_if_another
from ..provider.submission.subject import NO_SUBJECT, Subject
from .submission_store import SubmissionStore

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import Context

    from ..hooks.transport.service_client import WhileWaiting

Send = Callable[["WhileWaiting", str | None], str]
"""Sends a request and returns the job id; is given what it enters while nothing is under way, and the webhook to fill
in, None for none."""


class SubmitOnce:
    """The submission of one task, over all its tries, with its record.

    Below Airflow 3.3 there is no store: then every retry is in doubt, since an earlier try may have submitted.

    :param context: of the task.
    :param operation: what is done, for messages, such as ``create storyboard``.
    :param log: of the task.
    :param stage: names the record of a task that makes several submissions.
    :param subject: what is submitted.
    :param on_ambiguous: ``fail``, or ``resubmit`` a submission that is in doubt.
    :param adopt: a job that was found at the service; then nothing is sent.
    :param started_at: epoch seconds from which the deadline of a first submission counts; now, when None.
    :param conn_id: the connection, for the record.
    :param webhook_of: gives the URL at which the service tells the end of a record's job, None for none.
    :param before_sending: may refuse to send; called with ``operation`` before the intent is stored.
    :param get_ready: makes the client ready to send; called last before the intent is stored.
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
        subject: Subject = NO_SUBJECT,
        on_ambiguous: OnAmbiguous = "fail",
        adopt: Adoption = NO_ADOPTION,
        started_at: float | None = None,
        conn_id: str = "",
        webhook_of: Callable[[Submission], str | None] = lambda record: None,
        before_sending: Callable[[str], None] = lambda operation: None,
        get_ready: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if on_ambiguous not in ("fail", "resubmit"):
            raise ConfigurationError(f"on_ambiguous must be 'fail' or 'resubmit', not {on_ambiguous!r}.")
        ti: Any = context.get("ti")
        # A clear sets max_tries to the tries so far plus the retries; a retry leaves it as it is.
        generation = int(ti.max_tries or 0) if ti else 0
        # Whoever changes retries between two tries makes the first try of a clear look like a retry, or the reverse.
        firsts = (1, generation - (ti.task.retries or 0) + 1) if ti else ()
        self._is_retry = bool(ti) and ti.try_number not in firsts
        adopt = replace(adopt, run_id=ti.run_id, map_index=_map_index(ti)) if ti else adopt
        self._task = Now(
            generation,
            operation,
            subject,
            is_mapped=_map_index(ti) >= 0,
            clear_number=getattr(context.get("dag_run"), "clear_number", None),
            adopt=adopt,
            on_ambiguous=on_ambiguous,
            try_number=ti.try_number if ti else None,
        )
        self._store = SubmissionStore(
            context.get("task_state_store"), ti, operation, generation, adopt, log, stage=stage, sleep=sleep
        )
        self._log = log
        self._started_at = started_at
        self._conn_id = conn_id
        self._webhook_of = webhook_of
        self._before_sending = before_sending
        self._get_ready = get_ready
        self._clock = clock
        self.attached = False
        """Whether the job that is gone on from is one of an earlier try, or adopted."""

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

    def adopting(self, job_id: str) -> str:
        """What to paste into the DAG, which makes this task go on from a job in this run alone.

        :param job_id: of the job.
        """
        return self._task.adopt.lines(job_id)

    def has_job(self) -> bool:
        """Whether there is a job to go on from, so that nothing will be sent.

        :raises SubmissionRecordError: the store cannot be read.
        """
        found = self.found()
        recorded = found is not None and found.job_id is not None and found.state != "failed"
        return recorded or (found is None and self._task.adopt.job_id is not None)

    def found(self) -> Submission | None:
        """The record, None when there is none of this generation; an intent has what came of it, where that is known.

        :raises SubmissionRecordError: the store cannot be read.
        """
        record = self._store.with_answer(self._store.read())
        return record if record and record.generation == self._task.generation else None

    def stop_if_another(self) -> None:
        """Let a mapped task whose list has changed not go on from another video's job.

        :raises AnotherSubjectError: the recorded job is something else's.
        :raises SubmissionRecordError: the store cannot be read.
        """
        if self._task.is_mapped and (found := self.found()):
            stop_if_another(found, self._task)

    def completed(self, job_id: str) -> None:
        """Record that the job is completed; a store that cannot be reached is logged, and the task goes on.

        :param job_id: the job, whose record it must be.
        """
        try:
            record = self.found()
        except SubmissionRecordError as error:
            self._log.warning("%s is not recorded as completed: %s", job_id, error)
            return
        if record and record.job_id == job_id:
            self._store.keep(record.ended("completed"))

    def failed(self, job_id: str, reported_since: float | None) -> bool:
        """Record that the job failed, and say whether a retry submits again.

        :param job_id: the job, whose record it must be.
        :param reported_since: epoch seconds since which the failure has been reported without the state ``failed``.
        """
        try:
            record = self.found()
        except SubmissionRecordError as error:
            self._log.warning("%s is not recorded as failed: %s", job_id, error)
            return False
        if not record or record.job_id != job_id:
            return True
        record = record.failed(self._clock(), reported_since)
        self._store.keep(record)
        return record.state == "failed"

    def _submitted(
        self,
        request: Mapping[str, Any],
        send: Callable[[WhileWaiting, Any], tuple[str, Mapping[str, Any] | None]],
        prepare: Callable[[], object] = lambda: None,
        names_webhook: Callable[[], object] = lambda: False,
    ) -> Submission:
        task, store = self._task, self._store
        unknown = not store and self._is_retry and not task.adopt.job_id
        if unknown and task.on_ambiguous != "resubmit":
            raise in_doubt(
                task.operation,
                "this Airflow, below 3.3, keeps no record between tries, and an earlier try may have submitted",
                task.adopt.how_to_go_on(),
            )
        stored = store.read()
        found = store.with_answer(stored)
        if found is not None and found != stored:
            self._log.info("%s", store.how_found(found.job_id))
        decision = decide(found, task, request=request, now=self._clock(), started_at=self._started_at)
        if decision.why:
            self._log.warning("%s", decision.why)
        if isinstance(decision, Attach):
            self.attached = True
            if decision.record != stored:
                store.keep(decision.record)
            return decision.record
        self._before_sending(task.operation)
        prepare()
        self._get_ready()
        begun = replace(decision.record, begun_at=self._clock())
        # Without a store nobody could tell which job a callback is about.
        webhook = None if not store or names_webhook() else self._webhook_of(begun)
        intent = replace(begun, webhook=self._conn_id if webhook else None)
        store.intend(intent)
        try:
            job_id, reply = send(partial(self._not_under_way, intent), webhook)
        except AmbiguousSubmissionError as error:
            sought = f"What to look for: {task.operation}, sent at {sent_at(intent.begun_at)}."
            error.args = (f"{error} {sought} {task.adopt.how_to_go_on()}",)
            raise
        except VideoCreationError as error:
            certain = isinstance(error, ConfigurationError | InvalidRequestError)
            if certain or (isinstance(error, ServiceError) and error.not_acted):
                store.keep(intent.refused(), attempts=1)
            raise
        record = intent.accepted(job_id, reply)
        store.keep(record)
        return record

    @contextmanager
    def _not_under_way(self, record: Submission) -> Iterator[None]:
        """Whoever dies in here leaves no doubt."""
        self._store.keep(record.refused(), attempts=1)
        yield
        self._store.intend(record)


def _map_index(ti: Any) -> int:
    index = getattr(ti, "map_index", None)
    return -1 if index is None else int(index)
