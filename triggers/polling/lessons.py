"""What a triggerer has learned about a connection's service."""

from __future__ import annotations

from ...provider.connection.profile import ServiceProfile
from ...provider.waiting.job_durations import JobDurations
from ...provider.waiting.request_budget import RequestBudget


class Lessons:
    """What a process has learned about a connection, and keeps while nobody waits."""

    def __init__(self) -> None:
        self.durations = JobDurations()
        self.budget: RequestBudget | None = None
        self.missed_callbacks = 0
        """Jobs in a row whose end a poll found although a callback was expected."""
        self._allowed = 0.0

    def budget_of(self, profile: ServiceProfile) -> RequestBudget:
        """The request budget that the connection allows.

        :param profile: of the connection.
        """
        if self.budget is None or profile.requests_per_minute != self._allowed:
            self._allowed = profile.requests_per_minute
            self.budget = RequestBudget(self._allowed)
        return self.budget

    def limited(self, now: float, retry_after: float | None) -> None:
        """Note a 429, whichever profile the poll belonged to.

        :param now: epoch seconds.
        :param retry_after: seconds that the service asks to wait; None if it names none.
        """
        if self.budget is not None:
            self.budget.limited(now, retry_after)
