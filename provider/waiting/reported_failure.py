"""When a failure is believed that a 200 reports without the state ``failed``.

Such a reply may be about the call, not about the job: one odd answer of a gateway must not make a task submit, and pay
for, the job again. So the job is read again, and a failure is believed once READS reads in a row, over at least
SECONDS, have said the same. Numbers in its words do not count: they may be times or request ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import ReportedFailureError
from ..failure_words import plain
from ..models.job import Job

READS = 3
"""How many reads in a row must say the same (ours)."""
SECONDS = 30.0
"""Seconds over which they must say it (ours)."""
READ_AGAIN_AFTER = SECONDS / (READS - 1)
"""Seconds until the next read of a job whose failure is not believed yet (ours)."""
_NUMBER = re.compile(r"\b[0-9a-f]*\d[0-9a-f]*\b")


@dataclass
class ReportedFailure:
    """What the reads of one job say of its failure, where they name no state."""

    _says: str = field(default="", init=False)
    _since: float = field(default=0.0, init=False)
    _reads: int = field(default=0, init=False)

    @property
    def since(self) -> float:
        """Epoch seconds of the first of the reads that say the same."""
        return self._since

    @property
    def is_pending(self) -> bool:
        """Whether the last read reported a failure."""
        return self._reads > 0

    def take_in(self, error: ReportedFailureError, job_id: str, now: float) -> Job | None:
        """Take in a read that reports a failure.

        :param error: what it says.
        :param job_id: the job.
        :param now: epoch seconds.
        :return: the failed job, once it is believed.
        """
        says = _NUMBER.sub("", plain(f"{error.code} {error.service_message}"))
        if not self._reads or says != self._says:
            self._says, self._since, self._reads = says, now, 0
        self._reads += 1
        if self._reads < READS or now - self._since < SECONDS:
            return None
        return Job(job_id=job_id, state="failed", error_code=error.code, error_message=error.service_message)

    def forget(self) -> None:
        """Take in a read that says anything else."""
        self._reads = 0
