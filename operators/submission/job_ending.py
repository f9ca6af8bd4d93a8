"""How the end of a job is recorded, and what a retry or a clear of its task then does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...provider.errors import (
    ExecutionTimeoutError,
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    JobResultPurgedError,
    ServiceError,
    VideoCreationError,
)

if TYPE_CHECKING:
    from ...provider.submission.submission_request import SubmissionRequest
    from .submissions import Submissions


CANCELLED = "The job was cancelled. Clear this task to submit and pay for a new one."
TO_MAKE_AGAIN = "To pay for a new one, name the video in make_again= before you clear the task."


@contextmanager
def recorded_end(
    submissions: Submissions,
    request: SubmissionRequest,
    job_id: str,
    video_name: str | None,
    is_cancelled: Callable[[VideoCreationError], bool],
) -> Iterator[None]:
    """Record how a job ends in this block.

    :param submissions: the task's submissions.
    :param request: what the task was asked to submit.
    :param job_id: the job.
    :param video_name: for messages; None where it is not known.
    :param is_cancelled: cancels the job if the task gives it up because of this error, and says whether it did.
    :raises JobError: as raised in this block, with what a retry or a clear does.
    """
    adopt = request.adopt.lines(job_id)
    of_video = _of_video(video_name)
    try:
        with told_when_purged(request, video_name):
            yield
    except JobFailedError as error:
        what_next = "A retry or a clear of this task submits and pays for a new one."
        if not submissions.failed(request, job_id, error.reported_since):
            what_next = _what_next(
                request,
                is_cancelled=is_cancelled(error),
                one="It may be an outage: "
                f"job {job_id} is paid for, and may continue. A retry of this task reads the same job again, and "
                f"sends nothing. Before you clear the task, check the job at the service. To keep it, put {adopt} "
                "into the DAG: clearing without that submits and pays for a new one.",
                many=f"It may be an outage: job {job_id} is paid for, and may continue. A retry or a clear of this "
                f"task reads the same job again, and sends nothing. {TO_MAKE_AGAIN}",
            )
        error.args = (f"{of_video}{error} {what_next}",)
        raise
    except JobDeadlinePassedError as error:
        what_next = _what_next(
            request,
            is_cancelled=is_cancelled(error),
            one=f"To wait for it again, put {adopt} into the DAG and clear this task. Clearing without that submits "
            "and pays for a new job.",
            many=f"Clear this task to wait for it for the same time again, which costs nothing. {TO_MAKE_AGAIN}",
        )
        error.args = (f"{of_video}{error} {what_next}",)
        raise
    except ExecutionTimeoutError as error:
        tell_of_time_out(error, is_cancelled=is_cancelled(error))
        raise
    except (JobLostError, ServiceError) as error:
        what_next = _what_next(
            request,
            is_cancelled=is_cancelled(error),
            one=f"Job {job_id} is paid for, and may continue. A retry of this task waits for it, and sends nothing. "
            f"Before you clear the task, put {adopt} into the DAG: clearing without that submits and pays for a new "
            "one.",
            many=f"Job {job_id} is paid for, and may continue. A retry or a clear of this task looks for it again, "
            f"and sends nothing. {TO_MAKE_AGAIN}",
        )
        error.args = (f"{of_video}{error} {what_next}",)
        raise
    submissions.completed(request, job_id)


@contextmanager
def told_when_purged(request: SubmissionRequest, video_name: str | None) -> Iterator[None]:
    """Say how to make a job again whose result turns out purged in this block.

    :param request: what the task was asked to submit.
    :param video_name: for messages; None where it is not known.
    :raises JobResultPurgedError: as raised in this block, with what a retry or a clear does.
    """
    try:
        yield
    except JobResultPurgedError as error:
        what_next = _what_next(
            request,
            is_cancelled=False,
            one="A retry of this task finds the same job, and sends nothing. Clear the task to submit and pay for a "
            "new one.",
            many=f"Neither a retry nor a clear does that by itself. {TO_MAKE_AGAIN}",
        )
        error.args = (f"{_of_video(video_name)}{error} {what_next}",)
        raise


def _of_video(video_name: str | None) -> str:
    return f"Video {video_name!r}: " if video_name else ""


def _what_next(request: SubmissionRequest, *, is_cancelled: bool, one: str, many: str) -> str:
    """What a retry or a clear of the task does: clearing one that makes many videos keeps their jobs."""
    if is_cancelled:
        return CANCELLED if request.adopt.video is None else f"The job was cancelled. {TO_MAKE_AGAIN}"
    return one if request.adopt.video is None else many


def tell_of_time_out(error: ExecutionTimeoutError, *, is_cancelled: bool) -> None:
    """Add what happens to the job when the try itself timed out.

    :param error: the time-out.
    :param is_cancelled: whether the job was cancelled for it.
    """
    what_next = CANCELLED if is_cancelled else "A retry waits for the job again, and sends nothing."
    error.args = (f"{error} {what_next}",)
