"""A job while it is in progress."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from .job import Job
from .studio import StoppedError


@dataclass
class Work:
    """A job in progress.

    :param started_at: epoch seconds; absent while it waits for its slot
    :param drawn: the part of the film that is done, 0 to 1
    :param polls: since it started
    :param over: set when the job has ended, or is forgotten
    """

    job: Job
    started_at: float | None = None
    drawn: float = 0.0
    polls: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, part: float) -> None:
        """Note progress; a film that nobody waits for any more is given up.

        :param part: that is drawn, 0 to 1
        :raises StoppedError: when the job is over
        """
        if self.over.is_set():
            raise StoppedError
        self.drawn = min(part, 0.99)

    def progress(self, now: float) -> int:
        """How much is done, in percent.

        :param now: epoch seconds
        """
        if self.started_at is None:
            return 0
        job = self.job
        waited = (now - self.started_at) / job.least_seconds if job.least_seconds else 1.0
        polled = self.polls / job.least_polls if job.least_polls else 1.0
        return min(int(100 * min(self.drawn, waited, polled)), 99)
