"""Voice-over: what is said in a scene, how, and when each of its words is heard."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from functools import cache

import numpy as np

from . import espeak
from .samples import SAMPLE_RATE, SILENCE, Samples
from .spoken_text import SpokenText

log = logging.getLogger(__name__)

NORMAL_WORDS_PER_MINUTE = 165
SLOWEST, FASTEST = 50.0, 200.0
"""Percent of the normal speed."""

MAX_SECONDS = 3600.0
"""Of one text; longer than any film may be."""

_VARIANTS = ("m1", "m2", "m3", "m4", "m5", "f1", "f2", "f3", "f4", "f5")
_PITCHES = (42, 46, 50, 54, 58)


@dataclass(frozen=True)
class Voice:
    """How a text is spoken.

    :param language: language code such as `en-US`
    :param speaker: a name; each has a voice of its own, always the same. Empty for the language's own voice
    :param speed: percent of the normal speed, `SLOWEST` to `FASTEST`
    :param gain: factor on the amplitude, 0 to 2; left to the mix, which keeps it from clipping
    """

    language: str = "en-US"
    speaker: str = ""
    speed: float = 100.0
    gain: float = 1.0

    @property
    def variant(self) -> str:
        """The variant of espeak-ng's voices that stands in for the speaker, such as `f2`."""
        return _VARIANTS[self._number % len(_VARIANTS)] if self.speaker else ""

    @property
    def pitch(self) -> int:
        """The pitch at which the speaker speaks, 0 to 100."""
        number = self._number // len(_VARIANTS)
        return _PITCHES[number % len(_PITCHES)] if self.speaker else espeak.NORMAL_PITCH

    @property
    def _number(self) -> int:
        return int.from_bytes(hashlib.sha256(self.speaker.encode(errors="replace")).digest()[:8])


@dataclass(frozen=True)
class SpokenWord:
    """When a word is heard.

    :param position: of its first letter in the text that a viewer reads
    :param second: after the speech's beginning
    """

    position: int
    second: float


@dataclass(frozen=True)
class Speech:
    """What is said in a scene. The sound itself is not kept: it is spoken again, and the same, when it is needed.

    :param seconds: how long it takes; 0 for silence
    :param words: in order
    """

    text: SpokenText
    voice: Voice
    seconds: float
    words: tuple[SpokenWord, ...] = ()

    def samples(self) -> Samples:
        """Return mono samples at `SAMPLE_RATE`, without the voice's gain."""
        return _spoken(self.text, self.voice)[0] if self.seconds else SILENCE


def plan_speech(text: SpokenText, voice: Voice) -> Speech:
    """Speak a text to learn how long that takes; without espeak-ng it is silent, said once in the log.

    :param text: what is said
    :param voice: how it is said
    """
    samples, heard = _spoken(text, voice)
    words: list[SpokenWord] = []
    for index, second in heard:
        position = text.visible_position(index)
        # Numbers and abbreviations are several words in one place, of which the first counts.
        if not words or (position > words[-1].position and second >= words[-1].second):
            words.append(SpokenWord(position, second))
    return Speech(text, voice, len(samples) / SAMPLE_RATE, tuple(words))


def is_spoken(language: str) -> bool:
    """Tell whether there is a voice for a language; without espeak-ng there is none.

    :param language: language code such as `en-US`
    """
    return has_espeak() and espeak.speaks(language)


def _spoken(text: SpokenText, voice: Voice) -> tuple[Samples, list[tuple[int, float]]]:
    if not text.said.strip() or not has_espeak():
        return SILENCE, []
    sound, words = espeak.synthesize(
        text.said,
        is_ssml=text.is_ssml,
        language=voice.language,
        variant=voice.variant,
        words_per_minute=int(NORMAL_WORDS_PER_MINUTE * min(max(voice.speed, SLOWEST), FASTEST) / 100),
        pitch=voice.pitch,
        most_seconds=MAX_SECONDS,
    )
    return np.frombuffer(sound, np.int16), words


@cache
def has_espeak() -> bool:
    """Tell whether espeak-ng is installed; without it videos are silent, which is said once in the log."""
    try:
        return espeak.speaks("en-US")
    except (ImportError, OSError, RuntimeError) as error:
        log.warning(
            "Videos are silent, since espeak-ng cannot be loaded (%s). For speech: pip install espeakng-loader",
            error,
        )
        return False
