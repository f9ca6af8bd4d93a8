"""Waits for a condition, generously: the machine may be slow, and nothing is judged by time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 180.0
"""Seconds after which a condition counts as never met."""
PAUSE = 0.3
"""Seconds between two looks."""


class NeverHappenedError(Exception):
    """A condition was not met in time; the message names it."""


def until(
    what: str,
    condition: Callable[[], Found],
    *,
    patience: float = PATIENCE,
    now: Callable[[], str] = lambda: "",
) -> Found:
    """Wait until a condition is true, and return what it gave.

    :param what: is awaited, for the message.
    :param condition: gives something true when it is met; a refused connection counts as not yet.
    :param patience: seconds.
    :param now: tells how things stand, for the message.
    :raises NeverHappenedError: it was not met in time.
    """
    give_up = time.monotonic() + patience
    while True:
        last = ""
        try:
            if found := condition():
                return found
        except OSError as error:
            last = str(error)
        if time.monotonic() > give_up:
            raise NeverHappenedError(
                f"{what} did not happen within {patience:.0f} s ({last or now() or 'no error'})"
            )
        time.sleep(PAUSE)
