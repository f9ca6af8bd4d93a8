"""The paid submissions of a task: its records make sure that each is made at most once in a generation.

Below Airflow 3.3 the only store for them is ``[video_creation] record_folder``. If that is not set, every retry is in
doubt, since an earlier try may have submitted.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...hooks.airflow.errors import airflow_error
from ...hooks.records.task_store import TaskStore, task_store
from ...provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    ServiceError,
    VideoCreationError,
)
from ...provider.message_lines import in_lines
from ...provider.protocol.retry import still_in_doubt
from ...provider.submission import decision
from ...provider.submission.decision import Attach, Submit
from ...provider.submission.identity.sent_identity import Identity, honours
from ...provider.submission.messages import reads_differently, what_to_do
from ...provider.submission.request_digests import digests_of
from ...provider.submission.stored_records import ONE
from .job_look import JobLook, Looked
from .paid_job import PaidJob
from .record_store import UNREADABLE, RecordStore, Sending
from .this_try import this_try

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import AirflowException, Context

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest
    from ...provider.submission.task_try import OnAmbiguous
    from .found_answer import FoundAnswer

NO_ID = "registered"
"""The id in the record of a registration whose reply names none."""


class Submissions:
    """What a task has submitted, and submits now; made once for each try, which reads its records once.

    Used in steps: ``decide``; then attach to the job that is there, or send within ``sending``.

    :param context: the task's context.
    :param log: the task's log.
    :param store: keeps the records; None: the task's own store.
    :param stages: name the records of the task's submissions.
    :param on_ambiguous: ``fail``, or ``resubmit`` a submission that is in doubt.
    :param is_resumed: whether the task was deferred, perhaps by an older release.
    :param clock: gives epoch seconds.
    :param sleep: waits between attempts to store.
    :raises ConfigurationError: ``on_ambiguous`` is another word.
    """

    def __init__(
        self,
        context: Context,
        log: logging.Logger | Any,
        *,
        store: TaskStore | None = None,
        stages: Sequence[str] = ONE,
        on_ambiguous: OnAmbiguous = "fail",
        is_resumed: bool = False,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if on_ambiguous not in ("fail", "resubmit"):
            raise ConfigurationError(f"on_ambiguous must be 'fail' or 'resubmit', not {on_ambiguous!r}.")
        store = task_store(context) if store is None else store
        self._ti: Any = context.get("ti")
        # The receiver of callbacks writes to Airflow's own store.
        self.takes_callbacks = context.get("task_state_store") is not None
        """Whether a callback could reach this task."""
        self._task = this_try(context, on_ambiguous, keeps_records=store is not None)
        self._store = RecordStore(
            store,
            self._ti,
            self._task,
            log,
            stages=stages,
            may_be_older=is_resumed or self._task.number != 1,
            sleep=sleep,
        )
        self._log = log
        self.is_resumed = is_resumed
        """Whether an earlier worker has begun this try."""
        self._clock = clock
        self._sleep = sleep
        self._answers: dict[str, FoundAnswer | None] = {}

    @property
    def is_last_try(self) -> bool:
        """Whether this is the last try that Airflow makes by itself."""
        return self._task.number is None or self._task.number > self._task.generation

    def decide(self, request: SubmissionRequest, hook: VideoCreationHook | None = None) -> PaidJob | Submit:
        """The job that is there; or the decision to send, with the intent to record.

        :param request: what the task is asked to submit.
        :param hook: of the task's connection, to settle a doubt; None if that is not wanted.
        :raises AmbiguousSubmissionError: an earlier try may have submitted.
        :raises AnotherSubjectError: an earlier try of a mapped task submitted something else.
        :raises SubmissionRecordError: the store cannot be read.
        """
        stored, answer = self._stored(request.stage)
        if answer:
            self._log.info("%s", answer.source)
        found = answer.record if answer else stored
        looked = self._looked_up(request, found, hook) if found and hook else Looked(found)
        # The retries check again first, if that may settle it.
        waits = looked.may_change and not self.is_last_try
        try:
            decided = decision.decide(
                looked.record,
                request,
                replace(self._task, on_ambiguous="fail") if waits else self._task,
                self._clock(),
                is_made_once=looked.is_made_once,
                seen=looked.seen,
            )
        except AmbiguousSubmissionError as error:
            raise _may_settle(error, looked) from error.__cause__
        if decided.why and not (self.is_resumed and isinstance(decided, Attach)):
            self._log.warning("%s", in_lines(decided.why))
        if not isinstance(decided, Attach):
            return decided
        return self._attached(request, decided.record)

    def send(
        self,
        hook: VideoCreationHook,
        request: SubmissionRequest,
        intent: Submission,
        paid: PaidRequest[Any],
    ) -> PaidJob:
        """Send a request, with its intent recorded right before, and its answer right after.

        :param hook: the hook of the task's connection.
        :param request: what the task is asked to submit.
        :param intent: the record that ``decide`` gave.
        :param paid: what is sent.
        :raises AmbiguousSubmissionError: it may have been accepted.
        :raises SubmissionRecordError: the intent cannot be stored; nothing was sent.
        """
        hook.get_ready()
        key = intent.identity.key if intent.identity else secrets.token_hex(16)
        sent = paid.identified(hook.profile, key, request.kind)
        sent.encode()
        identity = Identity.of(sent.call, key, hook.profile, hook.user_id, request.kind)
        if intent.identity not in (None, identity):
            looked = self._look(hook, request, intent)
            if looked.state == "intent":
                raise _may_settle(reads_differently(request, intent, looked.seen), looked)
            asked = replace(
                intent, identity=None, digests=digests_of(request.body), subject=request.subject.text
            )
            return self._found_job(request, looked) or self.send(hook, request, asked, paid)
        may_exist = intent.identity is not None
        intent = replace(intent, identity=identity)
        try:
            return self._send(hook, request, intent, sent, may_exist=may_exist)
        except AmbiguousSubmissionError as error:
            intent = self._store.read()[request.stage]
            looked = self._look(hook, request, intent, grace_from=self._clock())
            if looked.state == "intent":
                error.args = (f"{error} {looked.seen}" if looked.seen else str(error),)
                raise _may_settle(error, looked) from error.__cause__
        # One try sends it once more, and leaves the rest to a person. The answer of a service that takes keys says
        # nothing about the first request: it may be under way there, and not listed yet.
        return self._found_job(request, looked) or self._send(
            hook, request, intent, sent, may_exist=identity.header is not None
        )

    def _send(
        self,
        hook: VideoCreationHook,
        request: SubmissionRequest,
        intent: Submission,
        paid: PaidRequest[Any],
        *,
        may_exist: bool = False,
    ) -> PaidJob:
        with self.sending(request, intent, may_exist=may_exist) as sending:
            result = hook.submit(paid, while_waiting=sending.nothing_under_way)
            return sending.accepted(str(paid.id_in(result) or "") or NO_ID, paid.reply_in(result))

    def _found_job(self, request: SubmissionRequest, looked: Looked) -> PaidJob | None:
        """The job that a check has found, which is recorded; None if it has found none."""
        if looked.record is None or looked.record.job_id is None:
            return None
        return self._attached(request, looked.record)

    def _attached(self, request: SubmissionRequest, record: Submission) -> PaidJob:
        """A job that is there, which is recorded."""
        is_kept = record != self._store.read().get(request.stage) and self._store.keep(request, record)
        answer = self._answers.get(request.stage)
        if is_kept and answer and answer.left:
            left = answer.left
            self._store.ask(lambda: left.forget(self._log))
        return PaidJob(request, record, is_attached=True)

    @contextmanager
    def sending(
        self, request: SubmissionRequest, intent: Submission, *, may_exist: bool = False
    ) -> Iterator[Sending]:
        """Record that a request is sent in this block, and its result.

        :param request: what the task is asked to submit.
        :param intent: the record that ``decide`` gave.
        :param may_exist: whether the same request was sent before, and may have been accepted.
        :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
        :raises AmbiguousSubmissionError: as raised in this block, with what to look for and what to do.
        """
        sending = Sending(self._store, request, intent, self._clock, may_exist=may_exist)
        try:
            yield sending
        except (ConfigurationError, InvalidRequestError, ServiceError) as error:
            acted = isinstance(error, ServiceError) and not error.not_acted
            if isinstance(error, AmbiguousSubmissionError) or may_exist:
                raise self._in_doubt(error, request, sending.intent) from error
            if not acted:
                sending.refused()
            raise

    def _in_doubt(
        self, error: VideoCreationError, request: SubmissionRequest, intent: Submission
    ) -> AirflowException:
        """The error of a submission that may have been accepted; a retry resolves it if the service takes keys."""
        is_made_once = bool(intent.identity and intent.identity.header and self._task.keeps_records)
        doubt = still_in_doubt(error)
        go_on = what_to_do(
            request,
            intent.submitted_at,
            is_made_once=is_made_once,
            keeps_records=self._task.keeps_records,
        )
        doubt.args = (f"{doubt} {go_on}",)
        return airflow_error(doubt, retryable=is_made_once)

    def _looked_up(self, request: SubmissionRequest, found: Submission, hook: VideoCreationHook) -> Looked:
        """A record, with what the service knows of it if it is in doubt and no person has settled it."""
        is_of_now = found.generation == self._task.generation
        if found.state != "intent" or not is_of_now or decision.adopts(found, request):
            return Looked(found)
        is_made_once = honours(hook.profile, hook.user_id, found.identity, found.begun_at, self._clock())
        # A check is free, and the service may have forgotten the key.
        looked = self._look(hook, request, found)
        if looked.state == "submitted" or not is_made_once:
            return looked
        return replace(looked, record=found, is_made_once=True)

    def _look(
        self,
        hook: VideoCreationHook,
        request: SubmissionRequest,
        intent: Submission,
        grace_from: float | None = None,
    ) -> Looked:
        others = {stage: record for stage, record in self._store.read().items() if stage != request.stage}
        taken = {record.job_id for record in others.values() if record.job_id}
        job_look = JobLook(hook, self._log, clock=self._clock, sleep=self._sleep)
        looked = job_look.look_for(request, intent, taken=taken, grace_from=grace_from)
        if looked.state == "submitted" or not looked.took_time:
            return looked
        # In the meantime a callback may have brought the answer, or another try may have left it.
        self._answers.pop(request.stage, None)
        _, answer = self._stored(request.stage)
        if answer is None:
            return looked
        self._log.info("%s", answer.source)
        return Looked(answer.record)

    def found(self, stage: str = "") -> Submission | None:
        """The record of a stage, None when there is none of this generation; an intent has the answer to it, if known.

        :param stage: of the task.
        :raises SubmissionRecordError: the store cannot be read.
        """
        stored, answer = self._stored(stage)
        record = answer.record if answer else stored
        return record if record and record.generation == self._task.generation else None

    def found_or_none(self, stage: str) -> Submission | None:
        """The record of a stage, where there is one that can be read.

        :param stage: of the task.
        """
        try:
            return self.found(stage)
        except UNREADABLE:
            return None

    def has_job(self, request: SubmissionRequest) -> bool:
        """Whether there is a job to attach to, so that nothing will be sent.

        :param request: what the task is asked to submit.
        :raises SubmissionRecordError: the store cannot be read.
        """
        return decision.has_job(self.found(request.stage), request)

    def is_in_doubt(self, request: SubmissionRequest) -> bool:
        """Whether it may have been submitted, but nobody knows yet.

        :param request: what the task is asked to submit.
        :raises SubmissionRecordError: the store cannot be read.
        """
        found = self.found(request.stage)
        return found is not None and found.state == "intent" and not self.is_adopted(request)

    def is_adopted(self, request: SubmissionRequest) -> bool:
        """Whether a person named the job that is there, or names another one now.

        :param request: what the task is asked to submit.
        :raises SubmissionRecordError: the store cannot be read.
        """
        found = self.found(request.stage)
        if decision.adopts(found, request):
            return True
        named = (request.adopt.job_id, found.adopted) if found else ()
        return found is not None and found.job_id is not None and found.job_id in named

    def stop_if_another(self, request: SubmissionRequest) -> None:
        """Keep a mapped task whose list has changed from taking another video's job for its own.

        :param request: what the task is asked to submit.
        :raises AnotherSubjectError: the recorded job belongs to something else.
        :raises SubmissionRecordError: the store cannot be read.
        """
        if self._task.is_mapped and (found := self.found(request.stage)):
            decision.stop_if_another(found, request, self._task)

    def completed(self, request: SubmissionRequest, job_id: str) -> None:
        """Record that the job is completed; if the store cannot be reached, that is logged, and the task continues.

        :param request: what the task was asked to submit.
        :param job_id: the job, whose record it must be.
        """
        with self._unread_is_logged(job_id, "completed"):
            if record := self._record_of(request, job_id):
                self._store.keep(request, record.ended("completed"))

    def failed(self, request: SubmissionRequest, job_id: str, reported_since: float | None) -> bool:
        """Record that the job failed, and say whether a retry submits again.

        :param request: what the task was asked to submit.
        :param job_id: the job, whose record it must be.
        :param reported_since: epoch seconds since which the failure has been reported without the state ``failed``.
        """
        with self._unread_is_logged(job_id, "failed"):
            if (record := self._record_of(request, job_id)) is None:
                return True
            record = record.failed(self._clock(), reported_since)
            self._store.keep(request, record)
            return record.state == "failed"
        return False

    def _record_of(self, request: SubmissionRequest, job_id: str) -> Submission | None:
        found = self.found(request.stage)
        return found if found and found.job_id == job_id else None

    @contextmanager
    def _unread_is_logged(self, job_id: str, state: str) -> Iterator[None]:
        try:
            yield
        except UNREADABLE as error:
            self._log.warning("Could not record that %s is %s: %s", job_id, state, error)

    def _stored(self, stage: str) -> tuple[Submission | None, FoundAnswer | None]:
        """What is stored of a stage, and the answer to it that is stored elsewhere."""
        stored = self._store.read().get(stage)
        if stored is None or stored.state != "intent":
            return stored, None
        if stage not in self._answers:
            from .found_answer import found_answer

            self._answers[stage] = found_answer(
                self._store.get, self._ti, stage, stored, self._log, self._store.ask
            )
        return stored, self._answers[stage]


def _may_settle(
    error: AmbiguousSubmissionError, looked: Looked
) -> AmbiguousSubmissionError | AirflowException:
    """The error of a doubt; retryable if a later check may settle it."""
    return airflow_error(error, retryable=True) if looked.may_change else error
