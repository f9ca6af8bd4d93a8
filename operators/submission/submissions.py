"""The paid submissions of a task: each is made at most once a generation, by its record.

Below Airflow 3.3 there is no store for it but ``[video_creation] record_folder``. Where that is not set, every retry is
in doubt, since an earlier try may have submitted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...hooks.records.task_store import task_store
from ...provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    ServiceError,
    VideoCreationError,
)
from ...provider.submission import decision
from ...provider.submission.decision import Attach, Submit
from ...provider.submission.messages import sent_at
from ...provider.submission.stored_records import ONE
from ...provider.submission.task_try import OnAmbiguous, TaskTry
from .adopting import map_index_of
from .record_store import UNREADABLE, RecordStore

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import Context

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest
    from .found_answer import FoundAnswer

NAMELESS = "registered"
"""Stands in the record of a registration whose reply names no id."""


@dataclass(frozen=True)
class PaidJob:
    """A job, or a registration, of this task.

    :param request: what was asked for.
    :param record: of its submission.
    :param is_attached: whether an earlier try submitted it, or a person named it.
    """

    request: SubmissionRequest
    record: Submission
    is_attached: bool = False

    @property
    def job_id(self) -> str:
        """What the service calls it."""
        return self.record.job_id or ""


class Sending:
    """One request on its way to the service; made when nothing but sending is left to do.

    :param store: keeps the records.
    :param request: what the task is asked to submit.
    :param intent: its record, which is stored here.
    :param clock: gives epoch seconds.
    :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
    """

    def __init__(
        self, store: RecordStore, request: SubmissionRequest, intent: Submission, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._request = request
        self._clock = clock
        self.intent = intent.sending(clock())
        """As it is stored."""
        store.intend(request, self.intent)

    def accepted(self, job_id: str, reply: Mapping[str, Any] | None = None) -> PaidJob:
        """Record that the service has accepted it.

        :param job_id: of the job, or of what was registered.
        :param reply: the whole reply, where that is the task's result.
        :raises TryReplacedError: Airflow takes nothing from this try any more; the id is logged and left.
        """
        record = self.intent.accepted(job_id, reply)
        self._store.keep(self._request, record)
        return PaidJob(self._request, record)

    @contextmanager
    def nothing_under_way(self) -> Iterator[None]:
        """In a pause before it is sent again: whoever dies in here leaves no doubt.

        :raises SubmissionRecordError: the store cannot take the intent again; it must not be sent.
        """
        self._store.keep(self._request, self.intent.refused(), attempts=1)
        yield
        self.intent = self.intent.sending(self._clock())
        self._store.intend(self._request, self.intent)


class Submissions:
    """What a task has submitted, and submits now; made once a try, which reads its records once.

    Used in steps: ``decide``; then attach to the job that is there, or send within ``sending``.

    :param context: of the task.
    :param log: of the task.
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
        stages: Sequence[str] = ONE,
        on_ambiguous: OnAmbiguous = "fail",
        is_resumed: bool = False,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if on_ambiguous not in ("fail", "resubmit"):
            raise ConfigurationError(f"on_ambiguous must be 'fail' or 'resubmit', not {on_ambiguous!r}.")
        store = task_store(context)
        self._ti: Any = context.get("ti")
        # The receiver of callbacks writes to Airflow's own store.
        self.takes_callbacks = context.get("task_state_store") is not None
        """Whether a callback could be told to this task."""
        self._task = _task_try(context, on_ambiguous, keeps_records=store is not None)
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
        self._clock = clock
        self._answers: dict[str, FoundAnswer | None] = {}

    @property
    def is_last_try(self) -> bool:
        """Whether Airflow makes no other try of this task by itself."""
        return self._task.number is None or self._task.number > self._task.generation

    def decide(self, request: SubmissionRequest) -> PaidJob | Submit:
        """The job that is there; or that it is to be sent, with the record that begins it.

        :param request: what the task is asked to submit.
        :raises AmbiguousSubmissionError: an earlier try may have submitted.
        :raises AnotherSubjectError: an earlier try of a mapped task submitted something else.
        :raises SubmissionRecordError: the store cannot be read.
        """
        stored, answer = self._look(request.stage)
        if answer:
            self._log.info("%s", answer.source)
        found = answer.record if answer else stored
        decided = decision.decide(found, request, self._task, self._clock())
        if decided.why:
            self._log.warning("%s", decided.why)
        if not isinstance(decided, Attach):
            return decided
        is_kept = decided.record != stored and self._store.keep(request, decided.record)
        if is_kept and answer and answer.left:
            answer.left.forget(self._log)
        return PaidJob(request, decided.record, is_attached=True)

    def send(
        self,
        hook: VideoCreationHook,
        request: SubmissionRequest,
        intent: Submission,
        paid: PaidRequest[Any],
    ) -> PaidJob:
        """Send a request, with its intent recorded right before, and its answer right after.

        :param hook: of the task's connection.
        :param request: what the task is asked to submit.
        :param intent: the record that ``decide`` began.
        :param paid: what is sent.
        :raises AmbiguousSubmissionError: it may have been accepted.
        :raises SubmissionRecordError: the intent cannot be stored; nothing was sent.
        """
        hook.get_ready()
        paid.encode()
        with self.sending(request, intent) as sending:
            result = hook.submit(paid, while_waiting=sending.nothing_under_way)
            return sending.accepted(str(paid.id_in(result) or "") or NAMELESS, paid.reply_in(result))

    @contextmanager
    def sending(self, request: SubmissionRequest, intent: Submission) -> Iterator[Sending]:
        """Record that a request is sent in here, and what came of it.

        :param request: what the task is asked to submit.
        :param intent: the record that ``decide`` began.
        :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
        :raises AmbiguousSubmissionError: as raised in here, with what to look for and what to do.
        """
        sending = Sending(self._store, request, intent, self._clock)
        try:
            yield sending
        except AmbiguousSubmissionError as error:
            sought = f"What to look for: {request.operation}, sent at {sent_at(sending.intent.submitted_at)}."
            error.args = (f"{error} {sought} {request.adopt.how_to_go_on()}",)
            raise
        except VideoCreationError as error:
            certain = isinstance(error, ConfigurationError | InvalidRequestError)
            if certain or (isinstance(error, ServiceError) and error.not_acted):
                self._store.keep(request, sending.intent.refused(), attempts=1)
            raise

    def found(self, stage: str = "") -> Submission | None:
        """The record of a stage, None when there is none of this generation; an intent has the answer to it, if known.

        :param stage: of the task.
        :raises SubmissionRecordError: the store cannot be read.
        """
        stored, answer = self._look(stage)
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
        """Let a mapped task whose list has changed not take another video's job for its own.

        :param request: what the task is asked to submit.
        :raises AnotherSubjectError: the recorded job is something else's.
        :raises SubmissionRecordError: the store cannot be read.
        """
        if self._task.is_mapped and (found := self.found(request.stage)):
            decision.stop_if_another(found, request, self._task)

    def completed(self, request: SubmissionRequest, job_id: str) -> None:
        """Record that the job is completed; a store that cannot be reached is logged, and the task goes on.

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
            self._log.warning("%s is not recorded as %s: %s", job_id, state, error)

    def _look(self, stage: str) -> tuple[Submission | None, FoundAnswer | None]:
        """What is stored of a stage, and the answer to it that stands elsewhere."""
        stored = self._store.read().get(stage)
        if stored is None or stored.state != "intent":
            return stored, None
        if stage not in self._answers:
            from .found_answer import found_answer

            self._answers[stage] = found_answer(self._store, self._ti, stage, stored, self._log)
        return stored, self._answers[stage]


def _task_try(context: Context, on_ambiguous: OnAmbiguous, *, keeps_records: bool) -> TaskTry:
    ti: Any = context.get("ti")
    if ti is None:
        return TaskTry(0, keeps_records=keeps_records, on_ambiguous=on_ambiguous)
    # A clear sets max_tries to the tries so far plus the retries; a retry leaves it as it is.
    generation = int(ti.max_tries or 0)
    # Whoever changes retries between two tries makes the first try of a clear look like a retry, or the reverse.
    firsts = (1, generation - (ti.task.retries or 0) + 1)
    return TaskTry(
        generation,
        ti.try_number,
        is_retry=ti.try_number not in firsts,
        is_mapped=map_index_of(ti) >= 0,
        clear_number=getattr(context.get("dag_run"), "clear_number", None),
        keeps_records=keeps_records,
        on_ambiguous=on_ambiguous,
    )
