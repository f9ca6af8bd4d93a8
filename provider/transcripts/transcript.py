"""A transcript's bytes -> what was said when."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from email.message import Message

from ..errors import TranscriptError
from ..quoting import quotable
from ..speech_rate import seconds_to_say
from ..text.scenes import one_line
from .cue import Cue
from .json_transcript import cues_of_json
from .timed_text import cues_of_timed_text

MAX_TRANSCRIPT = 10 * 1024 * 1024
MAX_SECONDS = 24 * 3600.0

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Transcript:
    """What was said in a recording.

    :param cues: at least one, by their start; they may overlap.
    :param language: such as ``en`` or ``pt-BR``, None where it is not known.
    """

    cues: tuple[Cue, ...]
    language: str | None = None

    @property
    def end(self) -> float:
        """Seconds from the recording's start to the end of what is said."""
        return max(cue.end for cue in self.cues)


def parse_transcript(
    body: bytes,
    *,
    name: str,
    content_type: str = "",
    encoding: str | None = None,
    language: str | None = None,
) -> Transcript:
    """Return the cues of a SubRip (.srt), WebVTT (.vtt) or JSON transcript; its content tells which it is.

    JSON is an object with ``segments``, or a list of them, with ``startTime``, ``endTime``, ``body`` and ``speaker``
    (source: the podcast namespace's transcripts) or ``start``, ``end`` and ``text`` (as speech recognisers write).
    Cues are put in order of their start, styling and positions are taken out, empty cues are left out. A cue without
    a length lasts as long as its text takes to say. Nothing that was said is dropped silently: what is broken is an
    error (source: ours).

    :param body: the transcript as it is stored; at most 10 MiB.
    :param name: its address, for messages.
    :param content_type: the HTTP header of that name, for the charset.
    :param encoding: the charset where the file is not UTF-8 and neither a byte order mark nor the header tells.
    :param language: where the transcript itself does not tell.
    :return: the cues, in order.
    :raises TranscriptError: it is broken, empty, too large, without times or no transcript; names the line or
        segment.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    where = quotable(name) or "The transcript"
    if len(body) > MAX_TRANSCRIPT:
        raise TranscriptError(
            f"{where} is larger than {MAX_TRANSCRIPT >> 20} MiB: check that it is a transcript."
        )
    text = _decoded(body, where, content_type, encoding)
    start = text.lstrip()
    if start.startswith(("{", "[")) and "-->" not in start.partition("\n")[0]:
        cues, own_language = cues_of_json(text, where)
    elif start.startswith("WEBVTT") or "-->" in text:
        cues, own_language = cues_of_timed_text(text, where)
    else:
        raise TranscriptError(
            f"{where} is not a transcript with times: it starts with {start[:40]!r}. Give an .srt, a .vtt or a .json "
            "file; texts without times and pages cannot be used."
        )
    language = own_language or language
    return Transcript(_with_lengths(_in_order(cues, where), language, where), language)


def _decoded(body: bytes, where: str, content_type: str, encoding: str | None) -> str:
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return _text(body[len(mark) :], charset, where)
    header = Message()
    header["content-type"] = content_type
    # Servers say a charset for all files of a kind, whatever is in them: UTF-8 shows by itself.
    try:
        return body.decode()
    except UnicodeDecodeError:
        return _text(body, encoding or header.get_content_charset() or "utf-8", where)


def _text(body: bytes, charset: str, where: str) -> str:
    try:
        return body.decode(charset)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise TranscriptError(
            f"{where} is not written in {charset} (line {line}): save it as UTF-8, or give its charset with "
            "encoding=, such as 'cp1252'."
        ) from None
    except (LookupError, ValueError):
        raise TranscriptError(
            f"{where} is declared as {charset!r}, which is not a charset for text: give another with encoding=."
        ) from None


def _in_order(cues: Iterable[Cue], where: str) -> tuple[Cue, ...]:
    """The cues that say something, by their start."""
    kept = []
    for cue in cues:
        if not (math.isfinite(cue.start) and math.isfinite(cue.end)) or cue.end > MAX_SECONDS:
            raise TranscriptError(
                f"{where} has a cue from {cue.start:.6g} s to {cue.end:.6g} s; at most {MAX_SECONDS / 3600:.0f} "
                "hours can be used: check its times."
            )
        if cue.start < 0 or cue.end < cue.start:
            raise TranscriptError(
                f"{where} has a cue from {cue.start:.6g} s to {cue.end:.6g} s, which ends before it starts, or "
                "starts before the recording: correct its times."
            )
        text = one_line(cue.text)
        speaker = one_line(cue.speaker or "") or None
        if text:
            kept.append(replace(cue, text=text, speaker=speaker))
    if not kept:
        raise TranscriptError(f"{where} is empty: it has no cue with text.")
    return tuple(sorted(kept, key=lambda cue: cue.start))


def _with_lengths(cues: tuple[Cue, ...], language: str | None, where: str) -> tuple[Cue, ...]:
    """The cues, each that ends where it starts with the time that its text takes to say."""
    if len(cues) > 1 and cues[0].start == cues[-1].start and all(cue.end == cue.start for cue in cues):
        raise TranscriptError(
            f"{where} does not say when anything is said: no cue has a length, and all start at {cues[0].start:.6g} s. "
            "Make the transcript again, with times."
        )
    return tuple(
        replace(cue, end=cue.start + seconds_to_say(cue.text, language)) if cue.end == cue.start else cue
        for cue in cues
    )
