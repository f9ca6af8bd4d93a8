"""How far a download is, in as few log lines as possible."""

from __future__ import annotations

FIRST_AFTER, AT_LATEST, STEP = 10.0, 60.0, 0.1
"""A line is at least 10 s after the one before; it comes with each tenth of the file, or after a minute (ours)."""


def size_text(size: int) -> str:
    """A number of bytes as people say it: ``0 bytes``, ``412 kB``, ``3.4 MB``, ``1.20 GB`` (source: ours).

    :param size: bytes.
    """
    if size < 1000:
        return f"{size} bytes"
    if size < 999_500:
        return f"{size / 1e3:.0f} kB"
    if size < 999_950_000:
        return f"{size / 1e6:.1f} MB"
    return f"{size / 1e9:.2f} GB"


class Progress:
    """Says when a line about a download is due, and what it says (source: ours).

    :param now: seconds, on the clock that ``line`` is told.
    """

    def __init__(self, now: float) -> None:
        self._told_at = now
        self._told_size = 0

    def line(self, size: int, total: int | None, now: float) -> str | None:
        """The line that is due, None for none.

        :param size: bytes that are there.
        :param total: bytes of the whole file, None where it is not known.
        :param now: seconds.
        """
        passed = now - self._told_at
        is_step = total is not None and size - self._told_size >= STEP * total
        if passed < FIRST_AFTER or (passed < AT_LATEST and not is_step):
            return None
        self._told_at, self._told_size = now, size
        if not total:
            return f"{size_text(size)} have arrived"
        return f"{size_text(size)} of {size_text(total)} ({100 * size // total} %) have arrived"
