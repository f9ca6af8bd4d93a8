"""A JSON transcript -> its cues."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ..errors import TranscriptError
from ..text.language_code import language_code
from .cue import Cue

_DECIMAL = re.compile(r"\s*\d{1,9}(\.\d{1,9})?\s*")


def cues_of_json(text: str, where: str) -> tuple[list[Cue], str | None]:
    """Return a JSON transcript's cues, and its language where it tells.

    A segment without an end lasts until the next one starts; where none starts later its end is its start.

    :param text: an object with ``segments``, or a list of segments.
    :param where: what is read, for messages.
    :raises TranscriptError: it is no such JSON; names the line or the segment.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(
            f"{where} is broken JSON in line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    # Nested too deep, or a number with too many digits.
    except (RecursionError, ValueError):
        raise TranscriptError(f"{where} is JSON that cannot be read: check the file.") from None
    language = language_code(_text_of(document, "language")) if isinstance(document, dict) else None
    segments = document.get("segments") if isinstance(document, dict) else document
    if not isinstance(segments, list):
        raise TranscriptError(
            f"{where} has no list 'segments': a JSON transcript is {{\"segments\": [...]}}, each with startTime, "
            "endTime and body, or with start, end and text."
        )
    pieces = [_piece(segment, f"{where}: segment {number}") for number, segment in enumerate(segments, 1)]
    starts = [*(piece[0] for piece in pieces), None]
    return [
        Cue(start, _end(start, end, following), text, speaker)
        for (start, end, text, speaker), following in zip(pieces, starts[1:], strict=True)
    ], language


def _piece(segment: Any, where: str) -> tuple[float, float | None, str, str | None]:
    if not isinstance(segment, dict):
        raise TranscriptError(f"{where} is not an object: it needs startTime, endTime and body.")
    start = _seconds(segment, ("startTime", "start"), where)
    if start is None:
        raise TranscriptError(f"{where} has no startTime (or start), in seconds.")
    text = segment.get("body", segment.get("text"))
    if not isinstance(text, str):
        raise TranscriptError(f"{where} has no body (or text).")
    return start, _seconds(segment, ("endTime", "end"), where), text, _text_of(segment, "speaker")


def _seconds(segment: Mapping[str, Any], names: tuple[str, str], where: str) -> float | None:
    name = next((name for name in names if segment.get(name) is not None), None)
    if name is None:
        return None
    value = segment[name]
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TranscriptError(f"{where} has {name}={str(value)[:40]!r}: it must be a number of seconds.")
    try:
        return float(value)
    except OverflowError:
        raise TranscriptError(f"{where} has a {name} that is too large.") from None


def _end(start: float, end: float | None, following: float | None) -> float:
    if end is not None:
        return end
    return start if following is None else max(start, following)


def _text_of(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) else None
