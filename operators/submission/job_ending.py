"""How the end of a job is recorded, and what a retry or a clear of its task does then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...provider.errors import (
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    ServiceError,
)

if TYPE_CHECKING:
    from ...provider.submission.submission_request import SubmissionRequest
    from .submissions import Submissions


@contextmanager
def recorded_end(
    submissions: Submissions, request: SubmissionRequest, job_id: str, video_name: str | None
) -> Iterator[None]:
    """Record how a job ends in here.

    :param submissions: of the task.
    :param request: what the task was asked to submit.
    :param job_id: the job.
    :param video_name: for messages; None where it is not known.
    :raises JobError: as raised in here, with what a retry or a clear does.
    """
    adopt = request.adopt.lines(job_id)
    of_video = f"Video {video_name!r}: " if video_name else ""
    try:
        yield
    except JobFailedError as error:
        if submissions.failed(request, job_id, error.reported_since):
            what_next = "A retry of this task submits, and pays for, a new one."
        else:
            what_next = (
                f"It may be an outage: job {job_id} is paid for, and may go on. A retry of this task reads the "
                "same job again, and sends nothing. Before you clear the task, look at the job at the service. To "
                f"keep it, put {adopt} into the DAG: clearing without that submits, and pays for, "
                "a new one."
            )
        error.args = (f"{of_video}{error} {what_next}",)
        raise
    except JobDeadlinePassedError as error:
        error.args = (
            f"{of_video}{error} To wait for it again put {adopt} into the DAG and clear this "
            "task; clearing without it submits, and pays for, a new job.",
        )
        raise
    except (JobLostError, ServiceError) as error:
        error.args = (
            f"{of_video}{error} Job {job_id} is paid for, and may go on. A retry of this task waits for it, and sends "
            f"nothing. Before you clear the task, put {adopt} into the DAG: clearing without that "
            "submits, and pays for, a new one.",
        )
        raise
    submissions.completed(request, job_id)
