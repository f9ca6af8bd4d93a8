"""How long a storyboard's video will be, about: an estimate made before anything is paid for.

| scene                     | seconds                                                                      |
|---------------------------|------------------------------------------------------------------------------|
| with a voice              | the words at the language's rate and the voice's speed, its ``<break>``s, a pause |
| with text, without a voice| as long as it takes to say the text at normal speed, a pause                 |
| without text              | SECONDS_WITHOUT_TEXT                                                         |
| each of them              | at least MIN_SCENE, and at least ``minimumDuration``                    |
| all of them together      | at most MAX_VIDEO                                                        |

The rate is that of ``provider.speech_rate``. Not known, so not counted: how fast a certain voice is, ``<prosody>``,
and how long a background video is. A scene that tells neither way counts as one with a voice.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ..speech_rate import seconds_to_say, speed_of

if TYPE_CHECKING:
    from ..models.storyboard import Scene, Storyboard

PAUSE_AFTER_SCENE = 1.0
"""Seconds in which a scene begins and ends without a word (ours)."""
MIN_SCENE = 2.0
"""Seconds (ours)."""
MAX_VIDEO = 86_400.0
"""Seconds; what would be longer is a mistake, and might be no number that JSON knows (ours)."""
SECONDS_WITHOUT_TEXT = 5.0
"""Of a scene that only shows its background (ours)."""
BREAK_STRENGTHS = {"none": 0.0, "x-weak": 0.0, "weak": 0.25, "medium": 0.5, "strong": 1.0, "x-strong": 1.5}
"""Seconds of a ``<break>`` that names a strength and no time; without both it is medium (ours)."""

_BREAK = re.compile(r"<break\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(time|strength)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
_TIME = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s)")


def estimated_seconds(storyboard: Storyboard) -> float:
    """Return about how many seconds the video of a storyboard lasts, by the table above (source: ours).

    :param storyboard: the checked request.
    """
    voice = storyboard.audio.ai_voice_over if storyboard.audio else None
    speed = speed_of(voice.speed if voice else None)
    in_all = sum(_scene_seconds(scene, storyboard.language, speed) for scene in storyboard.scenes)
    return min(in_all, MAX_VIDEO)


def _scene_seconds(scene: Scene, language: str | None, speed: float) -> float:
    least = max(scene.minimum_duration or 0.0, MIN_SCENE)
    if not (scene.text and scene.text.strip()):
        return max(SECONDS_WITHOUT_TEXT, least)
    text, pauses = spoken_part(scene.text)
    if scene.voice_over is False:
        return max(seconds_to_say(text, language) + PAUSE_AFTER_SCENE, least)
    return max(seconds_to_say(text, language, speed) + pauses + PAUSE_AFTER_SCENE, least)


def spoken_part(text: str) -> tuple[str, float]:
    """Return what is said of a scene's text, without SSML tags, and the seconds of its breaks (source: ours).

    :param text: of a scene; SSML in it is well-formed, as the model has checked.
    """
    pauses = sum(_break_seconds(tag) for tag in _BREAK.findall(text))
    try:
        root = ElementTree.fromstring(f"<speak>{text}</speak>")  # noqa: S314 - a DTD cannot stand inside an element
    except ElementTree.ParseError:
        # A plain text with a stray & or <, or a prefix such as amazon: that its provider knows.
        return html.unescape(re.sub(r"</?[A-Za-z][^>]*>", " ", text)), pauses
    return " ".join(root.itertext()), pauses


def _break_seconds(tag: str) -> float:
    attributes = {name.lower(): value.strip().lower() for name, value in _ATTRIBUTE.findall(tag)}
    if time := _TIME.fullmatch(attributes.get("time", "")):
        return float(time[1]) / (1000 if time[2] == "ms" else 1)
    return BREAK_STRENGTHS.get(attributes.get("strength", "medium"), BREAK_STRENGTHS["medium"])
