"""The record of a paid submission.

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
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from ..stored_dataclass import is_time, thawed
from .identity.sent_identity import Identity

VERSION = 1
PAY_AGAIN_AFTER = 600.0
"""Seconds for which a failure must have been reported, where the service never names the state ``failed``, before a
retry may submit again (ours)."""

State = Literal["intent", "submitted", "refused", "completed", "failed"]


@dataclass(frozen=True)
class Submission:
    """What is known of one submission; JSON with ``to_json``, and holds no secret and no content but the name.

    :param generation: of the task; a record of another generation is history.
    :param state: see the table above.
    :param begun_at: epoch seconds at which the task decided to submit; tells this submission from others of the task.
    :param started_at: epoch seconds from which the deadline counts: at first the start of the task's first try,
        after a failed job the start of the try that submitted again.
    :param job_id: once the service has accepted: of the job, or of what was registered.
    :param reply: the service's whole reply, where that is the task's result.
    :param adopted: the job that was adopted in this generation: it is adopted once, not again after it failed.
    :param digests: field path -> digest of its value, to name what differs on a retry.
    :param subject: what it is of, such as ``video 'my-video'``; None where that is not known.
    :param clear_number: how often tasks of the run had been cleared by then; None where that is not known.
    :param try_number: of the try that began it, whose log may name the job; None where that is not known.
    :param sent_at: epoch seconds at which the request left, after all pauses; None where an older release did not keep
        it.
    :param reported_since: epoch seconds since which the service has reported a failure of the job without the state
        ``failed``; None where it has not.
    :param webhook: the connection whose secret signed the URL at which the service was asked to report the job's
        end; None where it was not asked.
    :param identity: what the submission is known by at the service; None before it is sent, and where an older
        release kept none.
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
    sent_at: float | None = None
    webhook: str | None = None
    identity: Identity | None = None
    version: int = VERSION

    @property
    def submitted_at(self) -> float:
        """Epoch seconds at which the request left, as far as that is known."""
        return self.begun_at if self.sent_at is None else self.sent_at

    def sending(self, now: float) -> Submission:
        """The request leaves now.

        :param now: epoch seconds.
        """
        return replace(self, state="intent", sent_at=now)

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

    def _is_sound(self) -> bool:
        """Whether the values mean something: others may have written them."""
        return (
            all(is_time(time) for time in (self.begun_at, self.started_at, self.submitted_at))
            and (self.job_id is None or (isinstance(self.job_id, str) and bool(self.job_id.strip())))
            and isinstance(self.digests, Mapping)
        )

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
        record = thawed(cls, stored)
        if record and record._is_sound():
            return replace(record, identity=Identity.from_json(stored.get("identity")))
        return cls(stored["generation"], "intent", 0.0, 0.0)
