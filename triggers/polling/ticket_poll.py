"""One poll of a wait in the triggerer, and what its answer means for all that share the connection."""

from __future__ import annotations

from dataclasses import dataclass

from ...hooks.airflow.metrics import ConnectionMetrics
from ...hooks.video_creation_async import VideoCreationAsyncHook
from ...provider.errors import (
    AuthenticationError,
    JobReplyTooLargeError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    ServiceUnreachableError,
    VideoCreationError,
)
from ...provider.models.job import Job
from ...provider.waiting.poll_answer import PollAnswer, take_in
from .expected_callbacks import ExpectedCallbacks
from .lessons import Lessons
from .live_connection import LiveConnection
from .ticket import Ticket

TURNED_AWAY = (AuthenticationError, NotFoundError, PermissionDeniedError, ServiceUnreachableError)
"""What an edited connection may fix."""


@dataclass(slots=True)
class TicketPoll:
    """Handles one poll of one wait.

    :param ticket: the wait.
    :param learned: what was learned of the connection's service.
    :param connection: the connection to poll through.
    :param callbacks: the callbacks that the connection's waits expect.
    :param metrics: of the connection.
    """

    ticket: Ticket
    learned: Lessons
    connection: LiveConnection
    callbacks: ExpectedCallbacks
    metrics: ConnectionMetrics

    async def answer(self, client: VideoCreationAsyncHook) -> PollAnswer:
        """Ask for the job once.

        :param client: of the connection.
        """
        self.metrics.count_later("polls", self.ticket.wait.kind)
        self.ticket.polls += 1
        try:
            return await client.poll_job(self.ticket.wait.job_id, self.ticket.user_id)
        except VideoCreationError as error:
            return error

    def take_in(self, answer: PollAnswer, now: float) -> Job | None:
        """Handle the result of the poll.

        :param answer: the result.
        :param now: epoch seconds.
        :return: the finished job, or None if the wait continues.
        :raises VideoCreationError: what ends the wait.
        """
        return take_in(self.ticket.wait, answer, now, self)

    def warn(self, message: str) -> None:
        """Log a problem for the task that waits."""
        self.ticket.say(message)

    def failed(self, error: VideoCreationError, now: float) -> None:
        """Let every wait of the connection learn from the failure."""
        if isinstance(error, RateLimitedError):
            self.learned.limited(now, error.retry_after)
            self.metrics.count_later("rate_limited", self.ticket.wait.kind)
        if isinstance(error, JobReplyTooLargeError):
            # Only a job that has ended has such a large reply: without this, nothing would be learned from long videos.
            self.ended(now)
        if isinstance(error, TURNED_AWAY):
            self.connection.read_again(now)

    def ended(self, now: float) -> None:
        """Learn how long the job ran, and whether its callback came."""
        self.ticket.watch.ended(now, ran_until=self.ticket.called_back_at)
        self.callbacks.ended(self.ticket)

    def goes_on(self, job: Job, now: float) -> None:
        """Learn that the job is still running."""
        self.ticket.watch.running(now, job.progress)
