"""When somebody who is busy wants to be asked again."""

from __future__ import annotations

import email.utils
from datetime import UTC


def retry_after_seconds(value: str, now: float | None) -> float | None:
    """Seconds that a ``Retry-After`` asks to wait; None when it says nothing (source: RFC 9110, 10.2.3).

    :param value: of the header: seconds or a date; empty without one.
    :param now: epoch seconds, needed for a date.
    """
    try:
        seconds = float(value)
    except ValueError:
        return None if now is None else _seconds_until(value, now)
    return seconds if seconds >= 0 else None


def _seconds_until(date: str, now: float) -> float | None:
    try:
        parsed = email.utils.parsedate_to_datetime(date.strip())
        return max(parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp() - now, 0.0)
    except (ValueError, TypeError, OverflowError):
        return None
