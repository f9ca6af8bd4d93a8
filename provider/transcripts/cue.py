"""A piece of what is said in a recording."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cue:
    """A piece of text, on one line, and when it is said.

    :param start: seconds from the recording's start.
    :param end: seconds from there, not before ``start``; from ``parse_transcript`` after it.
    :param text: plain text: no tags, no entities.
    :param speaker: who says it, None where the transcript does not tell.
    """

    start: float
    end: float
    text: str
    speaker: str | None = None
