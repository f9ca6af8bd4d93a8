"""What a storyboard asks for of voice and music, and what of that is not heard. Source: the interface, "Audio object".

The values of speed and amplifyLevel are ours: percent of the normal speed, and -1 (silent) to 1 (twice as loud).
"""

from __future__ import annotations

import re

from ...contract.storyboard import StoryboardRequest
from .music import DEFAULT_VOLUME, Music
from .speech import FASTEST, SLOWEST, Voice, has_espeak, is_spoken
from .ssml import read_text

_NUMBER = re.compile(r"[+-]?\d{1,6}(\.\d{1,6})?")


def voice_of(storyboard: StoryboardRequest) -> Voice:
    """Return how the storyboard's text is spoken; a value that is no number counts as absent.

    :param storyboard: as the contract has let it through
    """
    asked = storyboard.audio.aiVoiceOver if storyboard.audio else None
    speed = _number(asked.speed if asked else None)
    level = _number(asked.amplifyLevel if asked else None)
    return Voice(
        language=storyboard.language or "en-US",
        speaker=(asked.speaker if asked else None) or "",
        speed=min(max(100.0 if speed is None else speed, SLOWEST), FASTEST),
        gain=1.0 + min(max(level or 0.0, -1.0), 1.0),
    )


def music_of(storyboard: StoryboardRequest) -> Music | None:
    """Return the music that goes with the film, or None.

    :param storyboard: as the contract has let it through
    """
    audio = storyboard.audio
    if audio is None or not audio.autoBackgroundMusic:
        return None
    volume = audio.backGroundMusicVolume
    return Music(storyboard.videoName, DEFAULT_VOLUME if volume is None else volume)


def not_heard(storyboard: StoryboardRequest) -> list[str]:
    """Name, for the log, what was asked for and is left out or replaced.

    :param storyboard: as the contract has let it through
    """
    asked = storyboard.audio.aiVoiceOver if storyboard.audio else None
    spoken = [scene.text or "" for scene in storyboard.scenes or [] if scene.voiceOver is not False]
    notes: list[str] = []
    if asked:
        notes += _unusual("audio.aiVoiceOver.speed", asked.speed, SLOWEST, FASTEST)
        notes += _unusual("audio.aiVoiceOver.amplifyLevel", asked.amplifyLevel, -1, 1)
    if spoken and storyboard.language and has_espeak() and not is_spoken(storyboard.language):
        notes.append(f"language {storyboard.language} (spoken in English)")
    left_out = sorted(set().union(*(read_text(text).left_out for text in spoken)))
    if left_out:
        notes.append(f"SSML (its text is spoken as it is): {', '.join(left_out)}")
    return notes


def _number(text: str | None) -> float | None:
    return float(text) if text and _NUMBER.fullmatch(text) else None


def _unusual(name: str, text: str | None, least: float, most: float) -> list[str]:
    value = _number(text)
    if text and value is None:
        return [f"{name} {text[:40]!r} (not a number)"]
    if value is not None and not least <= value <= most:
        return [f"{name} {value:g} (heard as {least:g} to {most:g})"]
    return []
