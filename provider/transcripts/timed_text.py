"""A SubRip or WebVTT transcript -> its cues."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..errors import TranscriptError
from ..extras import articles_extra
from ..text.language_code import language_code
from .cue import Cue

if TYPE_CHECKING:
    from webvtt import Caption

_SRT_TIME = r"[0-9]{1,4}:[0-9]{1,2}:[0-9]{1,2}[,.][0-9]{1,6}"
_SRT_TIMES = re.compile(rf"\s*{_SRT_TIME}\s*-->\s*{_SRT_TIME}(?![0-9])")
_VTT_TIME = r"([0-9]{1,4}:)?[0-5]?[0-9]:[0-5]?[0-9]\.[0-9]{1,3}"
_VTT_TIMES = re.compile(rf"\s*{_VTT_TIME}\s*-->\s*{_VTT_TIME}(?![0-9])")
# WebVTT allows no arrow in a cue's text, and SubRip does not care.
_ARROW = re.compile(r".*-->")
_MEANT_AS_TIMES = re.compile(r"\s*[0-9][0-9:.,]*\s*-->|.*-->\s*[0-9]+:")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SUBSTATION_TAG = re.compile(r"\{\\[^{}]*\}")
_WORD_TIME = re.compile(r"<\d\d:\d\d(:\d\d)?\.\d{3}>")
_LANGUAGE = re.compile(r"Language:\s*(\S+)", re.IGNORECASE)


def cues_of_timed_text(text: str, where: str) -> tuple[list[Cue], str | None]:
    """Return the cues of a SubRip or WebVTT transcript, and its language where it tells.

    Read by webvtt-py, which leaves broken cues out; so the lines with times are looked at before. Cues without a
    number are read too. Captions that roll up (each cue repeats the line before, as recognisers of live speech write
    them) are read once.

    :param text: decoded; it may have any line ends.
    :param where: what is read, for messages.
    :raises TranscriptError: a line with times is broken; names it.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    with articles_extra():
        import webvtt
        from webvtt.errors import MalformedCaptionError, MalformedFileError
    lines = _LINE_END.split(text.strip("\ufeff \t\r\n"))
    is_vtt = lines[0].startswith("WEBVTT")
    _check_times(text, where, is_vtt)
    if not is_vtt:
        lines = list(_numbered(lines))
    try:
        read = webvtt.from_buffer(io.StringIO("\n".join(lines)), format="vtt" if is_vtt else "srt")
    except (MalformedFileError, MalformedCaptionError):
        raise TranscriptError(
            f"{where} does not start as {'WebVTT' if is_vtt else 'SubRip'} must: its first line is {lines[0][:40]!r}."
        ) from None
    captions = read.captions
    language = next((match[1] for line in read.metadata if (match := _LANGUAGE.match(line))), None)
    texts = (
        _rolled_up(captions) if _WORD_TIME.search(text) else [_plain(caption.text) for caption in captions]
    )
    return [
        Cue(
            caption.start_time.in_milliseconds() / 1000,
            caption.end_time.in_milliseconds() / 1000,
            said,
            html.unescape(caption.voice or ""),
        )
        for caption, said in zip(captions, texts, strict=True)
    ], language_code(language)


def _check_times(text: str, where: str, is_vtt: bool) -> None:
    times, suspect = (_VTT_TIMES, _ARROW) if is_vtt else (_SRT_TIMES, _MEANT_AS_TIMES)
    for number, line in enumerate(_LINE_END.split(text), 1):
        if suspect.match(line) and not times.match(line):
            raise TranscriptError(
                f"{where}: line {number} is not a pair of times: {line.strip()[:60]!r}. It must be like "
                "'00:01:02,500 --> 00:01:04,000' in SubRip, with dots in WebVTT."
            )


def _numbered(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a SubRip file, with a number before each pair of times that has none."""
    before = ""
    for line in map(str.strip, lines):
        if _SRT_TIMES.match(line) and not before.isdigit():
            yield from ("", "0") if before else ("0",)
        yield line
        before = line or before


def _rolled_up(captions: Sequence[Caption]) -> list[str]:
    """Each caption's text without the lines that it repeats of the one before."""
    shown = [[line for line in _plain(caption.text).split("\n") if line.strip()] for caption in captions]
    return [
        " ".join(lines[1:] if lines[:1] == before[-1:] else lines) for before, lines in pairwise([[], *shown])
    ]


def _plain(text: str) -> str:
    return html.unescape(_SUBSTATION_TAG.sub("", text))
