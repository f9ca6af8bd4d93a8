"""The end of a wait as a trigger event: what it carries from the triggerer to the worker, and back into an error.

The event holds no media URL and no render settings: Airflow logs events, and signed URLs must not be
logged. The worker reads the finished job again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import errors
from ..errors import (
    AnotherSubjectError,
    InvalidRequestError,
    JobError,
    JobFailedError,
    JobReplyTooLargeError,
    ServiceError,
    VideoCreationError,
)
from .job_wait import JobWait
from .schedule import PollSchedule

VERSION = 1
ONLY_OF_SUBMISSIONS = (AnotherSubjectError, InvalidRequestError)
"""A wait submits nothing, and these cannot be made again from a message alone."""
LARGE_POLL_INTERVAL = 60.0
"""Seconds at least between two looks at a job that still runs and answers with more than a triggerer reads: each look
starts a worker (ours)."""

_KINDS: dict[str, type[VideoCreationError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, VideoCreationError) and kind not in ONLY_OF_SUBMISSIONS
}
_STATES: dict[type[VideoCreationError], str] = {
    errors.JobFailedError: "failed",
    errors.JobResultPurgedError: "cleaned",
    errors.JobLostError: "lost",
    errors.JobDeadlinePassedError: "out-of-time",
}
_OF_JOB_ERRORS = ("code", "service_message")
_OF_FAILED_JOBS = (*_OF_JOB_ERRORS, "reported_since")
_OF_SERVICE_ERRORS = (*_OF_JOB_ERRORS, "operation", "method", "path", "status", "request_id")


def completed_event(job_id: str) -> dict[str, Any]:
    """The event of a job that ended with a result.

    :param job_id: the job.
    """
    return {"version": VERSION, "job_id": job_id, "outcome": "completed"}


def error_event(job_id: str, error: VideoCreationError) -> dict[str, Any]:
    """The event of a wait that ended with an error.

    :param job_id: the job that was waited for.
    :param error: what ended the wait.
    """
    event = {
        "version": VERSION,
        "job_id": job_id,
        "outcome": "error",
        "error": type(error).__name__,
        "message": str(error),
    }
    details = {name: getattr(error, name, None) for name in (*_OF_SERVICE_ERRORS, *_OF_FAILED_JOBS)}
    return event | {name: value for name, value in details.items() if value}


def unread_event(
    job_id: str,
    error: JobReplyTooLargeError,
    *,
    deadline: float | None,
    submitted_at: float | None,
    kind: str | None,
    poll_interval: float | None,
    webhook: bool,
) -> dict[str, Any]:
    """The event of a job whose answer is too large for a triggerer; most likely it has ended.

    It carries what a worker needs to wait again, since below Airflow 3.3 nothing else remembers it.

    :param job_id: the job that was waited for.
    :param error: what the poll came to.
    :param deadline: epoch seconds at which the wait ends; None for none.
    :param submitted_at: epoch seconds from which the job's age counts.
    :param kind: ``storyboard`` or ``render``.
    :param poll_interval: seconds between polls.
    :param webhook: whether a callback of the service is expected.
    """
    wait = {
        "deadline": deadline,
        "submitted_at": submitted_at,
        "kind": kind,
        "poll_interval": poll_interval,
        "webhook": webhook,
    }
    return error_event(job_id, error) | wait


def wait_of_event(event: Mapping[str, Any], now: float) -> JobWait:
    """The wait for a job whose answer was too large for the triggerer.

    It remembers no trouble of the looks before, so that none is tolerated for ever.

    :param event: from ``unread_event``.
    :param now: epoch seconds.
    """
    interval = max(event.get("poll_interval") or 0.0, LARGE_POLL_INTERVAL)
    return JobWait(
        str(event["job_id"]),
        started_at=now,
        deadline=event.get("deadline"),
        submitted_at=event.get("submitted_at"),
        schedule=PollSchedule(interval),
        remembers=False,
        kind=event.get("kind") or "",
    )


def jobs_event(ends: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The event of several jobs that have ended.

    :param ends: the event of each job, in the order in which they ended.
    """
    return {"version": VERSION, "ends": list(ends)}


def ends_of(event: object) -> dict[str, Mapping[str, Any]]:
    """The event of each job that has ended, by its id, in the order in which they ended.

    What cannot be understood is left out: those jobs are waited for again.

    :param event: from ``jobs_event``, perhaps of another release.
    """
    ends = event.get("ends") if isinstance(event, Mapping) else None
    found = [end for end in ends if isinstance(end, Mapping)] if isinstance(ends, list | tuple) else []
    return {end["job_id"]: end for end in found if end.get("job_id") and isinstance(end["job_id"], str)}


def state_of(error: VideoCreationError) -> str:
    """How a wait ended, in a word: the job's own state where it has ended.

    :param error: what ended the wait.
    """
    return next((state for kind, state in _STATES.items() if isinstance(error, kind)), "error")


def job_id_of_event(event: Mapping[str, Any]) -> str:
    """The job of an event that says ``completed``.

    :param event: from ``completed_event`` or ``error_event``, perhaps of another release.
    :raises VideoCreationError: the error that the event carries, of the same class.
    """
    job_id = str(event.get("job_id", ""))
    if event.get("outcome") == "completed":
        return job_id
    message = str(event.get("message") or f"The wait for job {job_id} ended without a reason.")
    kind = _KINDS.get(str(event.get("error")), VideoCreationError)
    if issubclass(kind, ServiceError):
        details = {name: event[name] for name in _OF_SERVICE_ERRORS if name in event}
        raise kind(message, job_id=job_id, **details)
    if issubclass(kind, JobError):
        known = _OF_FAILED_JOBS if issubclass(kind, JobFailedError) else _OF_JOB_ERRORS
        raise kind(message, job_id=job_id, **{name: event.get(name) for name in known})
    raise kind(message)
