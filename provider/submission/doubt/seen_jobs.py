"""What was read of the service's list of jobs, and how far back it reaches.

A list reaches back where it is whole, or sorted from new to old with a job that is older than the submission.
Times are compared by the service's own clock, which the answer's Date header tells. A time without a zone may be 14
hours off either way. So may one with a zone where the service writes its local time as UTC: only a job that was made
just before the answer, by its own time, shows that the times go by that clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from .listed_jobs import JobPage, ListedJob

BEFORE = 240.0
"""Seconds before the submission began in which its job may say that it was made, of a slow clock (ours)."""
ZONES = 14 * 3600.0
"""Seconds by which a time without a zone, or with a wrong one, may be off."""
JUST_AFTER = 60.0
"""Seconds after the answer at which a job may say that it was made, of a fast clock (ours)."""


@dataclass(frozen=True)
class SeenJobs:
    """What was read of the list.

    :param jobs: each once.
    :param is_whole: whether no page follows.
    :param ahead: seconds by which the service's clock is ahead of ours; None where it is not known.
    :param served_at: epoch seconds by the service's clock at which it answered; None where it is not known.
    """

    jobs: tuple[ListedJob, ...] = ()
    is_whole: bool = False
    ahead: float | None = None
    served_at: float | None = None

    def with_page(self, page: JobPage, now: float) -> SeenJobs:
        """What is known after one page more.

        :param page: that was read.
        :param now: epoch seconds at which its answer came.
        """
        known = {job.job_id for job in self.jobs if job.job_id}
        fresh = tuple(job for job in page.jobs if job.job_id not in known)
        is_first = not self.jobs
        ahead = None if page.served_at is None else page.served_at - now
        jobs = self.jobs + fresh
        return SeenJobs(
            jobs,
            # A page that shows only what was seen already is no next page.
            page.is_last and (bool(fresh) or is_first or not page.jobs) and (page.total or 0) <= len(jobs),
            ahead if is_first or ahead is None else self.ahead,
            page.served_at,
        )

    @cached_property
    def shows_its_clock(self) -> bool:
        """Whether a job's time shows that the list's times go by the clock of its answers."""
        if self.served_at is None:
            return False
        first, last = self.served_at - BEFORE, self.served_at + JUST_AFTER
        return any(job.at is not None and job.has_zone and first <= job.at <= last for job in self.jobs)

    def reaches_back_to(self, began_at: float) -> bool:
        """Whether no job can be missing that was made since then.

        :param began_at: epoch seconds, by our clock.
        """
        if self.is_whole:
            return True
        times = [job.at for job in self.jobs if job.at is not None]
        if self.ahead is None or not times or len(times) < len(self.jobs):
            return False
        # One job, or several of one second, may be in any order.
        is_newest_first = times[0] > times[-1] and all(earlier <= later for later, earlier in pairwise(times))
        before = began_at + self.ahead - BEFORE
        return is_newest_first and is_before(self.jobs[-1], before, is_sure=self.shows_its_clock)

    def with_kinds(self, kinds: Mapping[str, str]) -> SeenJobs:
        """The same, with the kinds of some jobs, which were read one by one.

        :param kinds: job id -> kind.
        """
        told = (replace(job, kind=kinds.get(job.job_id or "", job.kind)) for job in self.jobs)
        return replace(self, jobs=tuple(told))


def is_before(job: ListedJob, at: float, *, is_sure: bool = True) -> bool:
    """Whether a job is sure to have been made before a time.

    :param job: as the list shows it.
    :param at: epoch seconds, by the service's clock.
    :param is_sure: whether the list's times go by that clock where they name a zone.
    """
    off = 0.0 if job.has_zone and is_sure else ZONES
    return job.at is not None and job.at + off < at
