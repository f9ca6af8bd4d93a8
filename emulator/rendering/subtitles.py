"""The text of a film as subtitles (.srt and .vtt) and as plain text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from .film_plan import FilmPlan

LETTERS_PER_CUE = 84
LETTERS_PER_LINE = 42


@dataclass(frozen=True)
class Cue:
    """A piece of text and when it is shown, in seconds from the film's start."""

    start: float
    end: float
    text: str


def cues_of(plan: FilmPlan) -> list[Cue]:
    """Cut each scene's text into cues, each as long as its share of the scene's letters.

    :param plan: the film
    """
    cues: list[Cue] = []
    scene_start = 0.0
    for scene in plan.scenes:
        pieces = textwrap.wrap(" ".join(scene.text.split()), LETTERS_PER_CUE)
        letters = sum(map(len, pieces))
        start = scene_start
        for piece in pieces:
            end = start + scene.seconds * len(piece) / letters
            cues.append(Cue(start, end, "\n".join(textwrap.wrap(piece, LETTERS_PER_LINE))))
            start = end
        scene_start += scene.seconds
    return cues


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
