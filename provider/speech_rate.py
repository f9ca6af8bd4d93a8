"""How long a text takes to be spoken, by language; an estimate, since voices differ.

A word is what is between spaces; where none are written, two wide characters (Chinese, Japanese, Korean).
"""

from __future__ import annotations

import re
import unicodedata

NORMAL_SPEED = 100.0
"""``aiVoiceOver.speed`` at which a voice speaks as its maker meant it (source: DESIGN.md, "How replies are read")."""
OTHER_LANGUAGES = 130
"""Words a minute where the language is not in the table (ours)."""
_MAX_WORDS = 10**9

_WORDS_A_MINUTE = {
    "de": 135,
    "en": 150,
    "es": 150,
    "fr": 165,
    "it": 140,
    "ja": 150,
    "ko": 125,
    "nl": 140,
    "pl": 100,
    "pt": 140,
    "ru": 120,
    "sv": 130,
    "tr": 95,
    "zh": 125,
}
"""Of a calm narrator, pauses included (ours): English as a reader of news; Japanese and Chinese at 300 and 250
characters; the others in the proportions in which espeak-ng spoke one text in all of them, rounded to five."""


def words_a_minute(language: str | None) -> int:
    """Return how many words a voice speaks in a minute at normal speed (source: ours).

    :param language: such as ``en`` or ``pt-BR``; None: English.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    return _WORDS_A_MINUTE.get(code, OTHER_LANGUAGES)


def spoken_words(text: str) -> float:
    """Return a text's length in words; two wide characters are one (source: ours).

    :param text: plain text, without SSML.
    """
    wide = [unicodedata.east_asian_width(character) in "WF" for character in text]
    narrow = "".join(" " if is_wide else character for character, is_wide in zip(text, wide, strict=True))
    return len(narrow.split()) + sum(wide) / 2


def seconds_to_say(text: str, language: str | None, speed: float = NORMAL_SPEED) -> float:
    """Return about how many seconds a voice speaks a text (source: ours).

    :param text: plain text, without SSML.
    :param language: such as ``en`` or ``pt-BR``; None: English.
    :param speed: percent of the normal speed, above 0, as ``aiVoiceOver.speed``.
    :return: seconds, from 0.
    :raises ValueError: the speed is not above 0.
    """
    return spoken_words(text) * 60 / _rate(language, speed)


def words_in(seconds: float, language: str | None, speed: float = NORMAL_SPEED) -> int:
    """Return how many words a voice speaks in so many seconds, from 1 to 1,000,000,000 (source: ours).

    :param seconds: of speech.
    :param language: such as ``en`` or ``pt-BR``; None: English.
    :param speed: percent of the normal speed, above 0, as ``aiVoiceOver.speed``.
    :raises ValueError: the speed is not above 0.
    """
    return max(1, int(min(seconds * _rate(language, speed) / 60, _MAX_WORDS)))


def speed_of(given: str | float | None) -> float:
    """Return ``aiVoiceOver.speed`` as a number, the normal speed where it is none (source: ours).

    :param given: percent of the normal speed, as it is sent.
    """
    try:
        speed = float(given or NORMAL_SPEED)
    except (ValueError, OverflowError):
        return NORMAL_SPEED
    return speed if 0 < speed < float("inf") else NORMAL_SPEED


def _rate(language: str | None, speed: float) -> float:
    if not speed > 0:
        raise ValueError(f"speed is {speed}: it must be above 0; {NORMAL_SPEED:.0f} is normal.")
    return words_a_minute(language) * speed / NORMAL_SPEED
