"""What comes of one poll of a job, for a worker and for a triggerer alike; pure, with the time passed in.

Who polls asks the service over a transport of its own, and hands in what came of it.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from ..errors import VideoCreationError
from ..models.job import Job
from .job_wait import JobWait

PollAnswer: TypeAlias = tuple[Job, str | None] | VideoCreationError
"""The job with the service's state word when it is not known, or how the poll failed."""


class PollListener(Protocol):
    """Told of each thing that a poll shows, in the order in which it matters."""

    def warn(self, message: str) -> None:
        """The task's owner should read this.

        :param message: one or more sentences.
        """

    def failed(self, error: VideoCreationError, now: float) -> None:
        """The poll failed; the wait may go on all the same.

        :param error: how it failed.
        :param now: epoch seconds.
        """

    def ended(self, now: float) -> None:
        """The job has ended, well or badly.

        :param now: epoch seconds.
        """

    def goes_on(self, job: Job, now: float) -> None:
        """The job has not ended, or does not show its result yet.

        :param job: as the service describes it.
        :param now: epoch seconds.
        """


def take_in(wait: JobWait, answer: PollAnswer, now: float, listener: PollListener) -> Job | None:
    """Take in what came of a poll that ``JobWait.begin_poll`` began (source: ours).

    :param wait: what each poll means.
    :param answer: what came of the poll.
    :param now: epoch seconds.
    :param listener: is told of what the poll shows.
    :return: the finished job, or None when the wait goes on.
    :raises VideoCreationError: what ends the wait.
    """
    if isinstance(answer, VideoCreationError):
        listener.failed(answer, now)
        if message := wait.after_error(answer, now):
            listener.warn(message)
    else:
        job, unknown = answer
        if unknown and (message := wait.unknown_state(unknown)):
            listener.warn(message)
        if not wait.goes_on(job, now):
            listener.ended(now)
        if wait.after_job(job, now):
            return job
        listener.goes_on(job, now)
    wait.check_deadline(now)
    return None
