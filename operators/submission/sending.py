"""One request on its way to the service, with its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest
    from .record_store import RecordStore


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


class Sending:
    """One request on its way to the service; made when nothing but sending is left to do.

    :param store: keeps the records.
    :param request: what the task is asked to submit.
    :param intent: its record, which is stored here.
    :param clock: gives epoch seconds.
    :param may_exist: whether the same request was sent before, and may have been accepted.
    :raises SubmissionRecordError: the store cannot take the intent; nothing was sent.
    """

    def __init__(
        self,
        store: RecordStore,
        request: SubmissionRequest,
        intent: Submission,
        clock: Callable[[], float],
        *,
        may_exist: bool = False,
    ) -> None:
        self._store = store
        self._request = request
        self._clock = clock
        self.may_exist = may_exist
        self.intent = intent.sending(clock())
        """As it is stored."""
        store.intend(request, self.intent, may_exist=may_exist)

    def accepted(self, job_id: str, reply: Mapping[str, Any] | None = None) -> PaidJob:
        """Record that the service has accepted it.

        :param job_id: of the job, or of what was registered.
        :param reply: the whole reply, where that is the task's result.
        :raises TryReplacedError: Airflow takes nothing from this try any more; the id is logged and left.
        """
        record = self.intent.accepted(job_id, reply)
        self._store.keep(self._request, record)
        return PaidJob(self._request, record)

    def refused(self) -> None:
        """Record that the service cannot have acted."""
        self._store.keep(self._request, self.intent.refused(), attempts=1)

    @contextmanager
    def nothing_under_way(self) -> Iterator[None]:
        """In a pause before it is sent again: whoever dies in here leaves no doubt, unless there was one before.

        :raises SubmissionRecordError: the store cannot take the intent again; it must not be sent.
        """
        if self.may_exist:
            yield
            return
        self.refused()
        yield
        self.intent = self.intent.sending(self._clock())
        self._store.intend(self._request, self.intent)
