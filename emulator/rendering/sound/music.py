"""Background music of our own: soft chords, another key and progression for another video, without end."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .samples import SAMPLE_RATE, Sound

DEFAULT_VOLUME = 0.3
LOUDNESS = 0.12
"""Root mean square at volume 1: about that of speech."""

CHORD_SECONDS = 4.0

_PROGRESSIONS = (
    ((0, 4, 7), (-3, 0, 4), (-7, -3, 0), (-5, -1, 2)),
    ((0, 4, 7), (-7, -3, 0), (-3, 0, 4), (-5, -1, 2)),
    ((-3, 0, 4), (-7, -3, 0), (0, 4, 7), (-5, -1, 2)),
    ((0, 4, 7), (2, 5, 9), (-7, -3, 0), (-5, -1, 2)),
)
"""Semitones over the key's tone: major and minor chords of one key."""

_LOWEST_KEY = 52
"""As a MIDI note: E3."""


@dataclass(frozen=True)
class Music:
    """A piece of music, always the same for the same name.

    :param name: decides key and progression
    :param volume: 0 to 1
    """

    name: str
    volume: float

    def play(self, start: int, length: int) -> Sound:
        """Return samples from anywhere in the endless piece.

        :param start: number of the first sample
        :param length: how many samples
        """
        loop = _loop(self.name)
        places = np.arange(start, start + length) % len(loop)
        sound: Sound = loop[places] * np.float32(self.volume)
        return sound


@lru_cache(maxsize=4)
def _loop(name: str) -> Sound:
    """A piece once. Tones ring on over its end into its beginning, so that no click is heard there."""
    digest = hashlib.sha256(name.encode(errors="replace")).digest()
    key = _LOWEST_KEY + digest[0] % 8
    chords = _PROGRESSIONS[digest[1] % len(_PROGRESSIONS)]
    chord_length = round(CHORD_SECONDS * SAMPLE_RATE)
    loop = np.zeros(chord_length * len(chords), np.float32)
    for number, chord in enumerate(chords):
        start = number * chord_length
        _add(loop, start, _pad([key + tone for tone in (chord[0] - 12, *chord)]))
        for beat in range(4):
            tone = chord[(digest[2 + number] >> (2 * beat)) % 3]
            _add(loop, start + beat * chord_length // 4, _pluck(key + tone + 12))
    loop *= LOUDNESS / np.sqrt(np.mean(loop**2))
    return loop


def _pad(notes: list[int]) -> Sound:
    """A chord that swells and fades within two chords' time."""
    time = _seconds(2 * CHORD_SECONDS)
    swell = np.sin(np.pi * time / (2 * CHORD_SECONDS)) ** 2
    tones = np.zeros_like(time)
    for number, note in enumerate(notes):
        # Two strings a little apart beat slowly, which makes the tone soft.
        for detune in (-0.04, 0.05):
            phase = 2 * np.pi * _hertz(note + detune) * time + number
            tones += np.sin(phase) + 0.25 * np.sin(2 * phase) + 0.08 * np.sin(3 * phase)
    chord: Sound = (tones * swell).astype(np.float32)
    return chord


def _pluck(note: int) -> Sound:
    time = _seconds(2.5)
    phase = 2 * np.pi * _hertz(note) * time
    shape = np.minimum(time / 0.02, 1) * np.exp(-2.2 * time) * np.clip((2.5 - time) / 0.3, 0, 1)
    tone: Sound = (1.1 * shape * (np.sin(phase) + 0.2 * np.sin(2 * phase))).astype(np.float32)
    return tone


def _add(loop: Sound, start: int, sound: Sound) -> None:
    until_end = len(loop) - start
    loop[start : start + len(sound)] += sound[:until_end]
    loop[: max(len(sound) - until_end, 0)] += sound[until_end:]


def _seconds(length: float) -> NDArray[np.float64]:
    return np.arange(round(length * SAMPLE_RATE)) / SAMPLE_RATE


def _hertz(note: float) -> float:
    return float(440 * 2 ** ((note - 69) / 12))
