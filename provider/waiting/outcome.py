"""The end of a wait as a trigger event: what it carries from the triggerer to the worker, and back into an error.

The event holds no media URL and no render settings: Airflow logs events, and signed URLs must not be
logged. The worker reads the finished job again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..protocol import errors
from ..protocol.errors import JobError, ServiceError, VideoCreationError

VERSION = 1

_KINDS: dict[str, type[VideoCreationError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, VideoCreationError)
}


def completed_event(job_id: str) -> dict[str, Any]:
    """The event of a job that ended with a result."""
    return {"version": VERSION, "job_id": job_id, "outcome": "completed"}


def error_event(job_id: str, error: VideoCreationError) -> dict[str, Any]:
    """The event of a wait that ended with an error."""
    event: dict[str, Any] = {
        "version": VERSION,
        "job_id": job_id,
        "outcome": "error",
        "error": type(error).__name__,
        "message": str(error),
    }
    for name in ("code", "service_message", "status"):
        if (value := getattr(error, name, None)) is not None:
            event[name] = value
    return event


def job_id_of_event(event: Mapping[str, Any]) -> str:
    """The job of an event that says ``completed``.

    :raises VideoCreationError: the error that the event carries, of the same class.
    """
    job_id = str(event.get("job_id", ""))
    if event.get("outcome") == "completed":
        return job_id
    message = str(event.get("message") or f"The wait for job {job_id} ended without a reason.")
    kind = _KINDS.get(str(event.get("error")), VideoCreationError)
    code, said = event.get("code"), event.get("service_message")
    if issubclass(kind, JobError):
        raise kind(message, job_id=job_id, code=code, service_message=said)
    if issubclass(kind, ServiceError):
        raise kind(message, job_id=job_id, status=event.get("status"), code=code, service_message=said)
    if issubclass(kind, errors.InvalidRequestError):
        kind = VideoCreationError
    raise kind(message)
