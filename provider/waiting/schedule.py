"""When a worker asks for a job again; pure, with the time passed in.

The triggerer learns from the jobs that it sees (``job_durations``), and takes this after a poll that failed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ConfigurationError

SHARE_OF_AGE = 0.1
"""Without other knowledge the next poll comes after this share of the time waited so far (ours)."""
MIN_INTERVAL, MAX_INTERVAL = 2.0, 30.0
"""Seconds between two polls, at least and at most (ours)."""
MIN_INTERVAL_WITH_CALLBACKS = 60.0
"""Seconds between two polls in the triggerer at least, while a callback would tell the job's end (ours)."""
LOOKS_AFTER_CALLBACK = (1.0, 2.0, 4.0)
"""Seconds to the next polls of a job that the service has called back about, and says that it runs (ours)."""


@dataclass(frozen=True)
class PollSchedule:
    """How long to wait between two polls of a job (source: ours).

    The interval grows with the time waited, so that short jobs are seen soon and long ones cost few
    requests: a job is noticed after at most a tenth of its duration more, or 30 s.

    :param fixed_interval: seconds; sets a plain fixed interval instead.
    :raises ConfigurationError: the fixed interval is not above 0.
    """

    fixed_interval: float | None = None

    def __post_init__(self) -> None:
        if self.fixed_interval is not None and not self.fixed_interval > 0:
            raise ConfigurationError(f"poll_interval must be above 0 seconds, not {self.fixed_interval!r}.")

    def seconds_to_next(self, waited: float) -> float:
        """Seconds from one poll to the next.

        :param waited: seconds since the wait began.
        """
        if self.fixed_interval is not None:
            return self.fixed_interval
        return min(max(waited * SHARE_OF_AGE, MIN_INTERVAL), MAX_INTERVAL)
