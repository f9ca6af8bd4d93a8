"""SIGINT, SIGTERM and SIGHUP as KeyboardInterrupt, but not while a process is being started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _Interruption:
    held = False
    pending = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        if not self.held:
            raise KeyboardInterrupt
        self.pending = True


_interruption = _Interruption()


def listen() -> None:
    """Make these signals end the demo in order, even if a shell has set it to ignore Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interruption.handle)


@contextmanager
def held() -> Iterator[None]:
    """Delay an interruption until the end of the block."""
    _interruption.held = True
    try:
        yield
    finally:
        _interruption.held = False
    if _interruption.pending:
        raise KeyboardInterrupt
