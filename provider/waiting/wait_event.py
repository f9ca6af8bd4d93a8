"""The end of a wait as a trigger event: what it carries from the triggerer to the worker, and back into an error.

The event holds no media URL and no render settings: Airflow logs events, and signed URLs must not be
logged. The worker reads the finished job again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import errors
from ..errors import (
    AnotherSubjectError,
    InvalidRequestError,
    JobError,
    JobFailedError,
    ServiceError,
    VideoCreationError,
)

VERSION = 1
ONLY_OF_SUBMISSIONS = (AnotherSubjectError, InvalidRequestError)
"""A wait submits nothing, and these cannot be made again from a message alone."""

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
