"""Sound as numbers: mono, at one rate, everywhere in the emulator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 22_050
"""Samples a second: espeak-ng's."""

Samples = NDArray[np.int16]
"""Sound as it comes and goes."""

Sound = NDArray[np.float32]
"""Sound while it is mixed, full scale being 1."""

SILENCE: Samples = np.zeros(0, np.int16)
