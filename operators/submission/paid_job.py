"""A job of this task, for the code that waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest
    from ...provider.waiting.job_wait import JobWait


@dataclass(frozen=True)
class PaidJob:
    """A job, or a registration, of this task.

    :param request: what was asked for.
    :param record: of its submission.
    :param is_attached: whether an earlier try submitted it, or a person named it.
    """

    request: SubmissionRequest
    record: Submission
    is_attached: bool = False

    def wait(self, now: float, *, timeout: float, poll_interval: float | None) -> JobWait:
        """The wait for its end, whose deadline counts from the submission's own start.

        :param now: epoch seconds.
        :param timeout: seconds.
        :param poll_interval: seconds between polls; None for a schedule.
        """
        from ...provider.waiting.job_wait import JobWait
        from ...provider.waiting.schedule import PollSchedule

        return JobWait(
            self.job_id,
            started_at=now,
            deadline=self.record.started_at + timeout,
            submitted_at=self.record.submitted_at,
            schedule=PollSchedule(poll_interval),
            kind=str(self.request.kind),
        )

    @property
    def job_id(self) -> str:
        """The service's id for it."""
        return self.record.job_id or ""
