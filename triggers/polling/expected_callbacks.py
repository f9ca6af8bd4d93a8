"""The waits of one connection that a callback of the service may end sooner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ...provider.connection.profile import ServiceProfile
from ...provider.waiting.schedule import MIN_INTERVAL_WITH_CALLBACKS
from .callback_reader import CallbackReader, Sleep
from .lessons import Lessons
from .ticket import Ticket

MAX_MISSED = 3
"""Jobs in a row that end without the expected callback, before callbacks are no longer relied on (ours)."""


class ExpectedCallbacks:
    """Knows the reader of a connection's callbacks, and the waits that expect one.

    Where callbacks are lost, or the service was never asked for them, jobs are polled as without callbacks, until one
    comes.

    :param learned: what was learned of the connection's service.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    :param wake: called once for a wait whose job was called back.
    """

    def __init__(
        self,
        learned: Lessons,
        clock: Callable[[], float],
        sleep: Sleep,
        wake: Callable[[Ticket], None],
    ) -> None:
        self._learned = learned
        self._clock = clock
        self._sleep = sleep
        self._wake = wake
        self._conn_id: str | None = None
        self._reader: CallbackReader | None = None

    def read_as(self, profile: ServiceProfile, tickets: Iterable[Ticket]) -> None:
        """Use the connection as it is now.

        :param profile: of the connection.
        :param tickets: all its waits.
        """
        conn_id = profile.airflow_api_conn_id if profile.takes_webhooks else None
        if conn_id != self._conn_id:
            for ticket in tickets:
                ticket.expect_no_callback()
            self._conn_id = conn_id
        for ticket in tickets:
            self.expect(ticket)

    def expect(self, ticket: Ticket) -> None:
        """Let a callback wake a wait, if it expects one and the connection takes any.

        :param ticket: the wait.
        """
        if ticket.webhook and self._conn_id is not None and not ticket.expects_callback:
            self._reader = CallbackReader.here(self._conn_id, self._clock, self._sleep)
            ticket.expect_callback(self._reader, partial(self._called_back, ticket))

    def least_interval(self, ticket: Ticket) -> float:
        """The fewest seconds between two polls of a wait: callbacks make polls rare while they can be read.

        A poll interval that somebody chose is kept anyway, and an old job's first poll comes at once.

        :param ticket: the wait.
        """
        can_come = ticket.expects_callback and self._reader is not None and self._reader.healthy
        relied_upon = can_come and self._learned.missed_callbacks < MAX_MISSED
        return MIN_INTERVAL_WITH_CALLBACKS if relied_upon and ticket.polls_by_schedule else 0.0

    def ended(self, ticket: Ticket) -> None:
        """Note that a poll has found the end of a job.

        :param ticket: the wait.
        """
        # The callback of an end that the first poll finds may have come long before.
        if not ticket.expects_callback or ticket.called_back_at is not None or ticket.wait.ran_at is None:
            return
        self._learned.missed_callbacks += 1
        if self._learned.missed_callbacks == MAX_MISSED:
            ticket.say(
                f"{MAX_MISSED} jobs in a row have ended without a callback from the service, so jobs of this "
                "connection are polled as without callbacks until one comes. Check that the service can reach the "
                "connection's callback_base_url, and see the API server's log. See docs/operate/webhooks.md."
            )

    async def closed(self) -> None:
        """Wait until the reader's session is closed, if nobody uses it any more."""
        if self._reader:
            await self._reader.closed()

    def _called_back(self, ticket: Ticket, at: float) -> None:
        self._learned.missed_callbacks = 0
        if ticket.called_back_at is None and not ticket.done.done():
            ticket.called_back(at)
            self._wake(ticket)
