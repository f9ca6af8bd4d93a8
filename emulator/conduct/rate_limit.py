"""A rate limit as services have it: a token bucket, and `Retry-After` in one of its forms."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Literal

RetryAfterForm = Literal["seconds", "date", "absent", "absurd"]

ABSURD_SECONDS = 10**9


class TokenBucket:
    """Lets `per_minute` calls a minute through, `burst` of them at once.

    :param per_minute: tokens added a minute, evenly
    :param burst: tokens that the bucket holds; it begins full
    :param clock: seconds that never go back
    """

    def __init__(self, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._tokens = float(burst)
        self._filled_at = clock()

    def take(self) -> float:
        """Take a token; return 0, or the seconds until there is one."""
        now = self._clock()
        self._tokens = min(self._tokens + (now - self._filled_at) * self._per_second, self._burst)
        self._filled_at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._per_second


def retry_after(seconds: float, form: RetryAfterForm, now: datetime | None = None) -> dict[str, str]:
    """Write the header which tells a caller when to come again.

    :param seconds: until there is a token
    :param form: whole seconds, a date, not at all, or a number that nobody would wait for
    :param now: with its time zone
    """
    if form == "absent":
        return {}
    if form == "absurd":
        return {"Retry-After": str(ABSURD_SECONDS)}
    whole = math.ceil(seconds)
    if form == "seconds":
        return {"Retry-After": str(whole)}
    # A date has whole seconds: one more, so that it is never too early.
    then = (now or datetime.now(UTC)) + timedelta(seconds=whole + 1)
    return {"Retry-After": format_datetime(then.replace(microsecond=0), usegmt=True)}
