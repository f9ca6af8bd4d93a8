"""The record of a paid submission, and what a task does that finds one.

A submission is paid for when the service accepts it, and the worker may die at any moment. So the task writes down
what it is about to do, and what came of it, in a store that outlives the try:

    decide   -> intent        stored before the POST: from here on the service may have been paid
    accepted -> submitted     stored right after the answer: the job id is known
    refused  -> refused       the service cannot have acted; also while a pause lasts, or a token is fetched, before
                              the POST: the intent is stored again after that
    ended    -> completed, failed
    failed   -> submitted     a failure that is reported without the state failed: it may be an outage. A retry waits
                              for the same job; only one that is reported for ten minutes is a failed job

One record stands for one generation of a task: a retry is the same generation, a cleared task the next one. A record
is marked, never deleted: a worker that dies after the result, before Airflow knows of it, must not pay again.

| record found                    | what the task does                                               |
|---------------------------------|------------------------------------------------------------------|
| any, and another job to adopt   | attach to the adopted job; nothing is sent                       |
| none, or of another generation  | submit                                                           |
| refused                         | submit                                                           |
| failed                          | submit again                                                     |
| submitted, completed            | attach to its job; nothing is sent                               |
| the same, of another subject    | stop, if the task is mapped; nothing is sent                     |
| intent, and a callback of it    | as submitted, with the job that the callback names               |
| intent, and a record left of it | as submitted: a try that Airflow had replaced could leave its id |
| intent                          | stop: the submission is in doubt; with ``resubmit`` submit again |

The first row that fits is taken. A subject is the video's name, or a render's storyboard job: a mapped task whose list
has changed would otherwise give one video for another. A request so wrong that it has no name is another subject. An
adopted job is taken whatever it is of.

A callback is what the service told Airflow's receiver of this very submission (``webhooks.callback``).
A job that is lost from sight is no failed one: it may go on and be paid for, so a retry looks for it again.

Airflow does not tell a task that it was cleared: ``max_tries`` does, as the generation, and may stay the same where
``retries`` was changed, or a running task was cleared. The run's ``clear_number`` rises with a clear of *any* of its
tasks, so it proves nothing: the job is attached to, which pays for nothing, and the log says what to do for a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from .adoption import NO_ADOPTION, Adoption
from .messages import attached, died_in_doubt, submitted_another
from .request_digests import changes, digests_of
from .subject import NO_SUBJECT, Subject

VERSION = 1
RECORD_KEY = "video_creation.submission"
"""Under which the record stands in the task state store."""

PAY_AGAIN_AFTER = 600.0
"""Seconds for which a failure must have been reported, where the service never names the state ``failed``, before a
retry may submit again (ours)."""

State = Literal["intent", "submitted", "refused", "completed", "failed"]
OnAmbiguous = Literal["fail", "resubmit"]


def record_key(stage: str = "") -> str:
    """Under which a record stands in the task state store.

    :param stage: of a task that makes several submissions.
    """
    return f"{RECORD_KEY}.{stage}" if stage else RECORD_KEY


@dataclass(frozen=True)
class Submission:
    """What is known of one submission; JSON with ``to_json``, and holds no secret and no content but the name.

    :param generation: of the task; a record of another generation is history.
    :param state: see the table above.
    :param begun_at: epoch seconds at which the intent was stored.
    :param started_at: epoch seconds from which the deadline counts: at first the start of the task's first try,
        after a failed job the start of the try that submitted again.
    :param job_id: once the service has accepted: of the job, or of what was registered.
    :param reply: the service's whole reply, where that is the task's result.
    :param adopted: the job that was adopted in this generation: it is adopted once, not again after it failed.
    :param digests: field path -> digest of its value, to name what differs on a retry.
    :param subject: what it is of, such as ``video 'my-video'``; None where that is not known.
    :param clear_number: how often tasks of the run had been cleared by then; None where that is not known.
    :param try_number: of the try that began it, whose log may name the job; None where that is not known.
    :param reported_since: epoch seconds since which the service has reported a failure of the job without the state
        ``failed``; None where it has not.
    :param webhook: the connection whose secret signed the URL at which the service was asked to tell of the job's
        end; None where it was not asked.
    :param version: of this form.
    """

    generation: int
    state: State
    begun_at: float
    started_at: float
    job_id: str | None = None
    reply: Mapping[str, Any] | None = None
    adopted: str | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    subject: str | None = None
    clear_number: int | None = None
    try_number: int | None = None
    reported_since: float | None = None
    webhook: str | None = None
    version: int = VERSION

    def accepted(self, job_id: str, reply: Mapping[str, Any] | None = None) -> Submission:
        """The service has answered.

        :param job_id: of the job, or of what was registered.
        :param reply: the whole reply, where that is the task's result.
        """
        return replace(self, state="submitted", job_id=job_id, reply=reply)

    def refused(self) -> Submission:
        """The service cannot have acted on the request."""
        return replace(self, state="refused")

    def ended(self, state: Literal["completed", "failed"]) -> Submission:
        """The job has ended.

        :param state: how.
        """
        return replace(self, state=state)

    def failed(self, now: float, reported_since: float | None = None) -> Submission:
        """The job has failed, or is taken for failed.

        :param now: epoch seconds.
        :param reported_since: since when the failure has been reported; None where the service names the state.
        """
        if reported_since is None:
            return self.ended("failed")
        since = min(reported_since, self.reported_since or reported_since)
        return replace(
            self, state="failed" if now - since >= PAY_AGAIN_AFTER else self.state, reported_since=since
        )

    def to_json(self) -> dict[str, Any]:
        """The record as the store keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Any, generation: int) -> Submission | None:
        """The record in the store; None when there is none.

        :param stored: a JSON value, perhaps of another release: unknown keys are ignored. What cannot be understood
            counts as an intent, since something may have been submitted.
        :param generation: of the task now, to which what names none belongs.
        """
        if stored is None:
            return None
        if not isinstance(stored, Mapping) or type(stored.get("generation")) is not int:
            return cls(generation, "intent", 0.0, 0.0)
        known = {item.name: stored[item.name] for item in fields(cls) if item.name in stored}
        try:
            record = cls(**known)
        except TypeError:
            record = None
        times_are_numbers = record and all(
            isinstance(time, int | float) for time in (record.begun_at, record.started_at)
        )
        if record and times_are_numbers and isinstance(record.digests, Mapping):
            return record
        return cls(stored["generation"], "intent", 0.0, 0.0)


@dataclass(frozen=True)
class Submit:
    """Send the request. ``why`` is for the log, None for a first submission."""

    record: Submission
    why: str | None = None


@dataclass(frozen=True)
class Attach:
    """Send nothing: the job is there. ``why`` is for the log."""

    record: Submission
    job_id: str
    why: str


@dataclass(frozen=True)
class Now:
    """What the task knows when it looks at its record.

    :param generation: of the task.
    :param operation: what would be done, for messages, such as ``create storyboard``.
    :param subject: what would be submitted.
    :param is_mapped: whether a list decides what this task submits.
    :param clear_number: how often tasks of the run have been cleared; None where Airflow does not say.
    :param adopt: a job that was found at the service.
    :param on_ambiguous: whether a submission in doubt stops the task or is sent again.
    :param try_number: of this try.
    """

    generation: int
    operation: str
    subject: Subject = NO_SUBJECT
    is_mapped: bool = False
    clear_number: int | None = None
    adopt: Adoption = NO_ADOPTION
    on_ambiguous: OnAmbiguous = "fail"
    try_number: int | None = None

    def another(self, record: Submission) -> str | None:
        """What a record is of, in words, where that is not what a mapped task is asked for now.

        :param record: of an earlier try.
        """
        is_adopted = self.adopt.job_id is not None and self.adopt.job_id == record.job_id
        return self.subject.another(record) if self.is_mapped and not is_adopted else None


def decide(
    found: Submission | None,
    task: Now,
    *,
    request: Mapping[str, Any],
    now: float,
    started_at: float | None = None,
) -> Submit | Attach:
    """What a task does, by the table above.

    :param found: the record in the store.
    :param task: what it knows.
    :param request: the body that would be sent.
    :param now: epoch seconds.
    :param started_at: epoch seconds from which the deadline of a first submission counts, ``now`` when None.
    :raises AmbiguousSubmissionError: an earlier try may have submitted, and died before it knew.
    :raises AnotherSubjectError: an earlier try of a mapped task submitted something else.
    """
    digests = digests_of(request)
    first = Submission(
        task.generation,
        "intent",
        now,
        now if started_at is None else started_at,
        digests=digests,
        subject=task.subject.text,
        clear_number=task.clear_number,
        try_number=task.try_number,
    )
    of_now = found if found and found.generation == task.generation else None
    again = replace(first, started_at=now, adopted=of_now.adopted if of_now else None)
    adopt = task.adopt
    if adopt.job_id and (of_now is None or adopt.job_id not in (of_now.adopted, of_now.job_id)):
        adopted = replace(first.accepted(adopt.job_id), adopted=adopt.job_id)
        return Attach(adopted, adopt.job_id, adopt.why_attached())
    if found is None:
        return Submit(first)
    if of_now is None:
        about = f"job {found.job_id}" if found.job_id else f"a submission that is {found.state}"
        return Submit(first, f"This task was cleared; {about} of before the clear is left alone")
    another = task.another(found)
    moved = f". That was for {another}: the list of this mapped task has changed" if another else ""
    if found.state == "refused":
        return Submit(
            again, f"An earlier try was refused, or did not reach the service; submitting now{moved}"
        )
    if found.state == "failed":
        return Submit(again, f"Job {found.job_id} of an earlier try failed; submitting a new one{moved}")
    if found.job_id:
        stop_if_another(found, task)
        changed = changes(found.digests, digests)
        why = attached(found.job_id, changed, found.clear_number, task.clear_number)
        return Attach(found, found.job_id, why)
    if task.on_ambiguous == "resubmit":
        why = "An earlier try may have submitted already; submitting again, as on_ambiguous says"
        return Submit(again, why + moved)
    raise died_in_doubt(
        task.operation,
        another,
        task.subject.text,
        adopt,
        begun_at=found.begun_at,
        try_number=found.try_number,
    )


def stop_if_another(found: Submission, task: Now) -> None:
    """Let nobody take the job of a record for what a mapped task is asked for now.

    :param found: the record, with a job.
    :param task: what it knows.
    :raises AnotherSubjectError: the job is something else's.
    """
    another = task.another(found)
    if another is not None and found.job_id is not None:
        raise submitted_another(task.operation, another, found.job_id, task.subject.text, task.adopt)
