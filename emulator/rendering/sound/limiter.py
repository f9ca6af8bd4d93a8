"""Keeps the sum of several sounds from clipping, by turning it down for a moment instead of cutting its peaks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .samples import Sound

CEILING = 0.89
"""Largest amplitude, full scale being 1: leaves room for what resampling and encoding add."""

RISE_PER_WINDOW = 0.05


class Limiter:
    """Turns sound down before a peak and slowly up again after it; gives what it got, one window later.

    :param window: samples within which the gain moves from one value to the next
    """

    def __init__(self, window: int) -> None:
        self._window = window
        self._held: Sound = np.zeros(0, np.float32)
        self._gain = 1.0

    def limit(self, sound: Sound) -> Sound:
        """Take sound in, and give what can be decided on.

        :param sound: a whole number of windows
        """
        windows = np.concatenate([self._held, sound]).reshape(-1, self._window)
        self._held = windows[-1:].ravel()
        return self._turn_down(windows)

    def finish(self) -> Sound:
        """Give what was held back."""
        silence = np.zeros(self._window, np.float32)
        return self._turn_down(np.stack([self._held, silence])) if len(self._held) else self._held

    def _turn_down(self, windows: Sound) -> Sound:
        """All windows but the last, which only says how far the gain must have come down by then."""
        peaks = np.abs(windows).max(axis=1)
        allowed = np.minimum(1, CEILING / np.maximum(peaks, CEILING))
        gains = [min(self._gain, float(allowed[0]))]
        for now, then in pairwise(allowed):
            gains.append(min(float(now), float(then), gains[-1] + RISE_PER_WINDOW))
        self._gain = gains[-1]
        between = np.arange(self._window, dtype=np.float32) / self._window
        starts, ends = np.array(gains[:-1], np.float32), np.array(gains[1:], np.float32)
        curve = starts[:, None] + (ends - starts)[:, None] * between
        turned_down: Sound = (windows[:-1] * curve).ravel().astype(np.float32)
        return turned_down
