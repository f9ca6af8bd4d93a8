"""How many requests a process sends to one service, so that none is refused with 429; pure, with the time passed in."""

from __future__ import annotations

from math import inf

from ..errors import ConfigurationError

MINUTE = 60.0
"""Seconds over which the service counts."""
BURST_SHARE = 0.05
"""This share of a minute's requests may go at once after a rest. The even pace is slower by as much, so that no minute,
wherever the service lets it begin, sees more than the limit (ours)."""
CUT = 0.7
"""What a 429 leaves of the rate (ours)."""
GAIN = 0.015
"""This share of the full rate comes back in each minute after a cut (ours)."""
MIN_SHARE = 0.02
"""The rate is never cut below this share of the full one (ours)."""
PAUSE = 5.0
"""Seconds for which nothing is sent after a 429 that says no time (ours)."""


class RequestBudget:
    """Says when the next request may go (source: ours).

    Requests go at an even pace, a few of them at once after a rest. A 429 pauses all of them and cuts the rate, once a
    minute at most; then the same amount comes back in each minute until the rate is full again. So processes that share
    a service's limit come to equal shares without talking to each other (additive increase, multiplicative decrease:
    Chiu and Jain, 1989).

    :param requests_per_minute: that the service allows.
    :raises ConfigurationError: they are not above 0, or not finite.
    """

    def __init__(self, requests_per_minute: float) -> None:
        if not 0 < requests_per_minute < inf:
            raise ConfigurationError(f"requests_per_minute must be above 0, not {requests_per_minute!r}.")
        self._burst = max(1.0, requests_per_minute * BURST_SHARE)
        # Of very few requests a minute, a burst of one would leave nothing for the pace.
        self._full_rate = max(requests_per_minute - self._burst, requests_per_minute / 2) / MINUTE
        self._rate_after_cut = self._full_rate
        self._cut_at = -inf
        self._not_before = -inf
        # When the burst is whole again: each request puts it off by an interval.
        self._whole_at = -inf

    def rate(self, now: float) -> float:
        """Requests a second that are allowed at a time.

        :param now: epoch seconds.
        """
        gained = GAIN * self._full_rate * max(now - self._cut_at, 0.0) / MINUTE
        return min(self._rate_after_cut + gained, self._full_rate)

    def next_at(self, now: float) -> float:
        """When the next request may go; ``now`` when it may go at once.

        :param now: epoch seconds.
        """
        # Epoch seconds are rounded to less than a microsecond.
        free = self._whole_at - (self._burst - 1) / self.rate(now) - 1e-6
        return max(now, free, self._not_before)

    def left(self, now: float) -> float:
        """How many requests may go at once: none in a pause, the whole burst after a rest.

        :param now: epoch seconds.
        """
        if now < self._not_before:
            return 0.0
        return max(self._burst - max(self._whole_at - now, 0.0) * self.rate(now), 0.0)

    def take(self, now: float) -> None:
        """Take in that a request goes now.

        :param now: epoch seconds.
        """
        self._whole_at = max(self._whole_at, now) + 1 / self.rate(now)

    def limited(self, now: float, retry_after: float | None = None) -> None:
        """Take in a 429.

        :param now: epoch seconds.
        :param retry_after: seconds that the service asks to wait, already capped; None when it says none.
        """
        if now - self._cut_at > MINUTE:
            self._rate_after_cut = max(self.rate(now) * CUT, self._full_rate * MIN_SHARE)
            self._cut_at = now
        pause = PAUSE if retry_after is None else max(retry_after, 0.0)
        self._not_before = max(self._not_before, now + pause)
        # No burst at the end of the pause: others wait for the same moment.
        burst = (self._burst - 1) / self.rate(self._not_before)
        self._whole_at = max(self._whole_at, self._not_before + burst)
