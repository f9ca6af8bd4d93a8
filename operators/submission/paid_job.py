"""A job of this task, as those know it who wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest


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

    @property
    def job_id(self) -> str:
        """What the service calls it."""
        return self.record.job_id or ""
