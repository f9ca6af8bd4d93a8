"""Stops a task that makes many videos from sending more, once a failure would repeat for all of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...hooks.airflow.errors import airflow_error
from ...provider.errors import (
    AmbiguousSubmissionError,
    DeliveryError,
    RateLimitedError,
    ServiceFailureError,
    ServiceUnreachableError,
    SpendingStoppedError,
    SubmissionRecordError,
    VideoCreationError,
)
from ...provider.quoting import sentence
from ...provider.spending.failure import Failure, require_no_shared_failure_of_videos
from ...provider.submission.task_try import TaskTry
from ...provider.videos.video_outcome import VideoOutcome

OUTAGE = (AmbiguousSubmissionError, RateLimitedError, ServiceFailureError, ServiceUnreachableError)
"""Errors that every submission meets while the service is down or its answers are lost (each could leave a doubt), or
while it accepts none (each tries for minutes)."""
OUTAGE_AFTER = 3
"""How many submissions of one kind, or deliveries, must end so in a row before this try stops sending (ours)."""


class Brake:
    """Keeps track of how the videos of a task failed, and whether another one may be sent; threads share it.

    :param stop_after: how many may fail for a cause that they all share; None for any number.
    """

    def __init__(self, stop_after: int | None) -> None:
        self._stop_after = stop_after
        self._lock = threading.Lock()
        self._failures: list[Failure] = []
        self._in_a_row: Counter[str] = Counter()
        self._why: str | None = None
        self.is_closed = False
        """Whether sending has stopped."""

    def to_json(self, task_try: TaskTry) -> dict[str, Any] | None:
        """What the same try must remember of it after a deferral; None for nothing.

        :param task_try: this try.
        """
        with self._lock:
            if not self._in_a_row and not self._why:
                return None
            return {"try": task_try.number, "in_a_row": dict(self._in_a_row), "why": self._why}

    def restore(self, stored: Any, task_try: TaskTry) -> None:
        """Continue as before the deferral: a lasting outage must not leave new doubts each time a worker wakes.

        :param stored: from ``to_json``, perhaps of another try, whose outage is over.
        :param task_try: this try.
        """
        if not isinstance(stored, Mapping) or stored.get("try") != task_try.number:
            return
        in_a_row, why = stored.get("in_a_row"), stored.get("why")
        with self._lock:
            if isinstance(in_a_row, Mapping):
                self._in_a_row.update({kind: n for kind, n in in_a_row.items() if type(n) is int})
            if isinstance(why, str):
                self._close(why)

    def take_in(self, outcome: VideoOutcome) -> None:
        """Note how a video of this try ended.

        :param outcome: of the video.
        """
        if outcome.cause is None:
            return
        failure = Failure(outcome.error or "", outcome.message or "", video=outcome.name, cause=outcome.cause)
        with self._lock:
            self._failures.append(failure)

    def watching(self, kind: str) -> AbstractContextManager[None]:
        """Note how a submission in this block ends.

        :param kind: of its job: accepted storyboards say nothing about renders.
        """
        said = f"{kind} submissions in a row were not answered properly."
        return self._counting(kind, (*OUTAGE, SubmissionRecordError), said)

    def watching_delivery(self) -> AbstractContextManager[None]:
        """Note how a delivery in this block ends: if nothing can be delivered, there is no point in paying for more."""
        said = "deliveries in a row failed. The finished videos are kept at the service."
        return self._counting("delivery", (DeliveryError,), said)

    def require_open(self, operation: str) -> None:
        """Let something be sent, or not.

        :param operation: what would be done.
        :raises SpendingStoppedError: nothing is sent.
        """
        with self._lock:
            if self._why:
                raise SpendingStoppedError(
                    f"{sentence(operation)}: not sent, and not paid. {self._why} A retry of the task sends it."
                )
            if self._stop_after is None:
                return
            try:
                require_no_shared_failure_of_videos(
                    self._failures, stop_after=self._stop_after, what=operation
                )
            except SpendingStoppedError as error:
                self.is_closed = True
                # Unlike an outage, only a person can fix this.
                raise airflow_error(error) from None

    @contextmanager
    def _counting(self, what: str, bad: tuple[type[VideoCreationError], ...], said: str) -> Iterator[None]:
        try:
            yield
        except bad as error:
            with self._lock:
                self._in_a_row[what] += 1
                if isinstance(error, SubmissionRecordError):
                    self._close(f"Submissions cannot be recorded now. {error}")
                elif self._in_a_row[what] >= OUTAGE_AFTER:
                    self._close(f"{self._in_a_row[what]} {said} The last one: {error}")
            raise
        with self._lock:
            self._in_a_row.pop(what, None)

    def _close(self, why: str) -> None:
        self._why = self._why or why
        self.is_closed = True
