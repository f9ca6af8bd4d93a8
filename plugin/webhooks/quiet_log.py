"""A log that a flood of calls cannot fill."""

from __future__ import annotations

import logging
from collections.abc import Callable

EVERY_SECONDS = 60.0
"""How often the same message is logged at most (ours)."""
MAX_CHARACTERS = 1000
"""The longest that is said at once (ours)."""


class QuietLog:
    """Says the same thing once a minute, with how often it happened meanwhile.

    :param log: where it is said.
    :param clock: gives seconds that never go back.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float]) -> None:
        self._log = log
        self._clock = clock
        self._said: dict[str, float] = {}
        self._unsaid: dict[str, int] = {}

    def warning(self, topic: str, message: str) -> None:
        """Say something, or count it.

        :param topic: one of a few; what has the same topic is the same.
        :param message: what happened; made one line, since it may contain the id of a job, which can be any text.
        """
        now = self._clock()
        if topic in self._said and now < self._said[topic] + EVERY_SECONDS:
            self._unsaid[topic] = self._unsaid.get(topic, 0) + 1
            return
        self._said[topic] = now
        before = self._unsaid.pop(topic, 0)
        line = "".join(c if c.isprintable() else " " for c in message[:MAX_CHARACTERS])
        self._log.warning(
            "%s%s", line, f" ({before} more such calls since this was last logged)" if before else ""
        )
