"""What is said about a job that is cancelled, or should be: by the worker and by the triggerer."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ServiceError

NO_PATH = "the connection's extra paths names no cancel"
MAX_NAMED = 5
"""Jobs of many that are named (ours)."""


def cancelled(job_id: str, why: str) -> str:
    """The service has taken the request.

    :param job_id: the job.
    :param why: such as ``its task was stopped``.
    """
    return f"Job {job_id} is cancelled, because {why}"


def not_cancelled(job_id: str, trouble: object) -> str:
    """The service has not taken it.

    :param job_id: the job.
    :param trouble: what went wrong: an error, or words.
    """
    if isinstance(trouble, ServiceError) and trouble.status == 409:
        return (
            f"Job {job_id} was not cancelled, because the service says that it has already ended: {trouble}"
        )
    return f"Job {job_id} was not cancelled: it continues at the service and may be paid for: {trouble}"


def none_cancelled(job_ids: Sequence[str], trouble: object) -> str:
    """The service has taken none of several requests, for one reason.

    :param job_ids: the jobs.
    :param trouble: what went wrong: an error, or words.
    """
    if len(job_ids) == 1:
        return not_cancelled(job_ids[0], trouble)
    named = ", ".join(job_ids[:MAX_NAMED]) + (", ..." if len(job_ids) > MAX_NAMED else "")
    jobs = f"{len(job_ids)} jobs ({named})"
    return f"{jobs} were not cancelled: they continue at the service and may be paid for: {trouble}"
