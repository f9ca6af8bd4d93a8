"""What can be looked up before paying: voices, fonts, the quota, the list of jobs.

Source: ours; the interface has none of it, but comparable services do.
"""

from __future__ import annotations

from typing import Literal

from .wire_types import WireModel


class Voice(WireModel):
    """A voice: `name` is what `speaker` takes."""

    id: str
    name: str
    language: str
    gender: str


class VoiceList(WireModel):
    """All voices."""

    data: list[Voice]


class Font(WireModel):
    """A family: `name` is what `fontFamily` takes."""

    name: str


class FontList(WireModel):
    """All families."""

    data: list[Font]


class QuotaMinutes(WireModel):
    """Minutes of video that were bought, used and are left."""

    minutes_total: float
    minutes_used: float
    minutes_left: float


class QuotaReply(WireModel):
    """The quota."""

    data: QuotaMinutes


class ListedJob(WireModel):
    """A job in the list."""

    job_id: str
    kind: Literal["storyboard", "render"]
    status: Literal["in-progress", "completed", "failed", "cleaned"]
    videoName: str
    videoDescription: str | None = None
    created_at: str


class JobList(WireModel):
    """A page of the list of jobs, newest first; `next_cursor` leads to older ones."""

    data: list[ListedJob]
    next_cursor: str | None


BUILT_IN_VOICES = tuple(
    Voice(id=name, name=name, language=language, gender=gender)
    for name, language, gender in (
        ("Matthew", "en-US", "Male"),
        ("Joanna", "en-US", "Female"),
        ("Joan", "en-US", "Female"),
        ("Amy", "en-GB", "Female"),
        ("Brian", "en-GB", "Male"),
        ("Hans", "de-DE", "Male"),
        ("Vicki", "de-DE", "Female"),
        ("Lea", "fr-FR", "Female"),
        ("Mathieu", "fr-FR", "Male"),
        ("Lucia", "es-ES", "Female"),
        ("Ola", "pl-PL", "Female"),
    )
)
"""The voices that are listed without a track; the emulator speaks as any other name, too."""
