"""What is said of a job that is cancelled, or should be: by the worker and by the triggerer."""

from __future__ import annotations

from ..errors import ServiceError

NO_PATH = "the connection's extra paths names no cancel"


def cancelled(job_id: str, why: str) -> str:
    """The service has taken the request.

    :param job_id: the job.
    :param why: such as ``its task was stopped``.
    """
    return f"Job {job_id} is cancelled, since {why}"


def not_cancelled(job_id: str, trouble: object) -> str:
    """The service has not taken it.

    :param job_id: the job.
    :param trouble: what went wrong: an error, or words.
    """
    if isinstance(trouble, ServiceError) and trouble.status == 409:
        return f"Job {job_id} was not cancelled, since it has ended already, as the service says: {trouble}"
    return f"Job {job_id} was not cancelled and goes on at the service, and may be paid for: {trouble}"
