"""The files that a finished render offers: what they are called and how they are known."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Subtitles = Literal["srt", "vtt"]

HEAD = 64 * 1024
"""How many of a file's first bytes show what it is (ours)."""


@dataclass(frozen=True)
class MediaKind:
    """A kind of file (source: ours).

    :param name: its key in the sidecar.
    :param title: for messages.
    :param job_field: the field of ``Job`` with its URL.
    :param ending: tells the ending of a file's name by its first ``HEAD`` bytes; None: it is not such a file.
    """

    name: str
    title: str
    job_field: str
    ending: Callable[[bytes], str | None]


def _text(head: bytes) -> str:
    is_wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return head.decode("utf-16" if is_wide else "utf-8-sig", "replace").lstrip()


def _srt(head: bytes) -> str | None:
    text = _text(head)
    return ".srt" if "-->" in text and not text.startswith("<") else None


def _vtt(head: bytes) -> str | None:
    return ".vtt" if _text(head).startswith("WEBVTT") else None


def _picture(head: bytes) -> str | None:
    if head.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return ".webp"
    return None


def _mp4(head: bytes) -> str | None:
    return ".mp4" if head[4:8] == b"ftyp" else None


VIDEO = MediaKind("video", "video", "video_url", _mp4)
SUBTITLES: dict[Subtitles, MediaKind] = {
    "srt": MediaKind("srt", "subtitle file (.srt)", "srt_url", _srt),
    "vtt": MediaKind("vtt", "subtitle file (.vtt)", "vtt_url", _vtt),
}
THUMBNAIL = MediaKind("thumbnail", "thumbnail", "thumbnail_url", _picture)


def beside(destination: str, ending: str) -> str:
    """Where a file that belongs to a video is: beside it, with another ending (source: ours).

    :param destination: of the video.
    :param ending: such as ``.srt``.
    """
    stem = destination[: -len(".mp4")] if destination.lower().endswith(".mp4") else destination
    return f"{stem}{ending}"
