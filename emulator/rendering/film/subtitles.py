"""The text of a film as subtitles (.srt and .vtt) and as plain text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..text.caption_lines import captions_of
from .plan import LEAD_IN_SECONDS, FilmPlan, PlannedScene

LAST_WORDS_SECONDS = 1.0
"""The last cue of a scene stays so long after its last word has begun."""


@dataclass(frozen=True)
class Cue:
    """A piece of text and when it is shown, in seconds from the film's start."""

    start: float
    end: float
    text: str


def cues_of(plan: FilmPlan) -> list[Cue]:
    """Cut each scene's text into cues, shown while their words are spoken.

    In a silent scene each is shown for its share of the scene's letters.

    :param plan: the film
    """
    cues: list[Cue] = []
    scene_start = 0.0
    for scene in plan.scenes:
        captions = captions_of(scene.text)
        positions, seconds = _times_of_letters(scene)
        places = [*(caption.start for caption in captions[1:]), len(scene.text)]
        ends = [float(np.interp(place, positions, seconds)) for place in places]
        starts = [float(seconds[0]), *ends]
        cues += (
            Cue(scene_start + start, scene_start + end, "\n".join(caption.lines))
            for caption, start, end in zip(captions, starts, ends, strict=False)
        )
        scene_start += scene.seconds
    return cues


def _times_of_letters(scene: PlannedScene) -> tuple[list[int], list[float]]:
    """Letters whose time in the scene is known, and these times; the others lie between them."""
    if scene.speech is None or not scene.speech.words:
        return [0, len(scene.text)], [0.0, scene.seconds]
    words = scene.speech.words
    last = LEAD_IN_SECONDS + words[-1].second
    ends = min(max(LEAD_IN_SECONDS + scene.speech.seconds, last + LAST_WORDS_SECONDS), scene.seconds)
    return (
        [*(word.position for word in words), max(len(scene.text), words[-1].position + 1)],
        [*(min(LEAD_IN_SECONDS + word.second, ends) for word in words), ends],
    )


def as_srt(cues: list[Cue]) -> str:
    """Write cues in the SubRip format.

    :param cues: in order
    """
    blocks = (
        f"{number}\n{_time(cue.start, ',')} --> {_time(cue.end, ',')}\n{cue.text}\n"
        for number, cue in enumerate(cues, 1)
    )
    return "\n".join(blocks)


def as_vtt(cues: list[Cue]) -> str:
    """Write cues in the WebVTT format.

    :param cues: in order
    """
    blocks = (f"{_time(cue.start, '.')} --> {_time(cue.end, '.')}\n{_vtt_text(cue.text)}\n" for cue in cues)
    return "\n".join(("WEBVTT\n", *blocks))


def as_text(plan: FilmPlan) -> str:
    """Write what the film says, one paragraph a scene.

    :param plan: the film
    """
    return "\n\n".join(scene.text for scene in plan.scenes if scene.text) + "\n"


def _vtt_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _time(seconds: float, separator: str) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}{separator}{rest % 1000:03}"
