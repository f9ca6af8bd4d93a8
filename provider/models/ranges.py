"""Values outside of what comparable services take: sent as they are, but worth a warning (ours)."""

from __future__ import annotations

from .storyboard import Storyboard

SPEED = (50.0, 200.0)
"""Percent of the normal speaking speed, which is 100."""
AMPLIFY_LEVEL = (-1.0, 1.0)
"""Loudness of the voice; 0 is normal."""
MUSIC_VOLUME = (0.0, 1.0)
"""Loudness of the background music, as a fraction."""


def range_warnings(storyboard: Storyboard) -> list[str]:
    """What looks out of range in a storyboard, for a log; nothing is refused for it.

    :param storyboard: the checked request.
    """
    audio = storyboard.audio
    voice = audio.ai_voice_over if audio else None
    values = (
        ("audio.aiVoiceOver.speed", voice and voice.speed, SPEED),
        ("audio.aiVoiceOver.amplifyLevel", voice and voice.amplify_level, AMPLIFY_LEVEL),
        ("audio.backGroundMusicVolume", audio and audio.back_ground_music_volume, MUSIC_VOLUME),
    )
    return [
        f"{path} is {value}, but comparable services accept {least:g} to {most:g}. It is sent unchanged."
        for path, value, (least, most) in values
        if _is_outside(value, least, most)
    ]


def _is_outside(value: object, least: float, most: float) -> bool:
    try:
        number = float(str(value))
    except ValueError:
        return False
    return not least <= number <= most
