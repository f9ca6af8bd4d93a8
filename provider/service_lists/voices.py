"""Whether the service has the voice that a storyboard names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..connection.profile import ServiceProfile
from ..errors import Problem
from ..protocol.calls import Call
from ..quoting import shortened
from .listing import Listed, field_of, list_call

SPEAKER = "audio.aiVoiceOver.speaker"
"""Where a storyboard names its voice."""
USUAL_NAMES = (
    *("id", "name", "voice", "voice_id", "voice_name", "speaker", "speaker_id", "speaker_name"),
    *("display_name", "short_name", "code", "key", "slug", "label", "title"),
)
"""The fields of a listed voice, any of which a speaker may be where the connection names none (ours)."""
MAX_SHOWN = 60
"""How many characters of a name a message shows (ours)."""


@dataclass(frozen=True)
class Voices:
    """The voices that the service lists.

    :param names: all that a speaker may be.
    :param count: how many voices there are.
    :param is_whole: whether these are all of them.
    """

    names: frozenset[str]
    count: int
    is_whole: bool

    @classmethod
    def of(cls, listed: Listed, field: str | None) -> Voices:
        """The voices of a list.

        :param listed: by the service.
        :param field: of a voice, which is the speaker; None for any of the usual ones.
        """
        named = [_names(entry, field) for entry in listed.entries]
        return cls(frozenset().union(*named), sum(map(bool, named)), listed.is_whole)

    @property
    def can_refuse(self) -> bool:
        """Whether a name that is not among them is certainly not a voice of the service."""
        return self.is_whole and bool(self.names)

    def problem(self, speaker: str) -> Problem | None:
        """What is wrong with a speaker, with the nearest names; None where it is a voice, or may be one.

        :param speaker: of a storyboard.
        """
        if speaker in self.names or not self.can_refuse:
            return None
        near = " or ".join(repr(shortened(name, MAX_SHOWN)) for name in nearest(speaker, self.names))
        hint = f"; did you mean {near}?" if near else "."
        return Problem(
            SPEAKER,
            repr(shortened(speaker, MAX_SHOWN)),
            f"is not among the {self.count} voices that the service lists{hint} If a speaker is another field of that "
            "list, name it in the connection's extra reply_fields.voice",
        )


def nearest(speaker: str, names: Iterable[str]) -> list[str]:
    """The names that are most like a speaker, at most three, the nearest first.

    :param speaker: of a storyboard.
    :param names: to choose from.
    """
    by_form: dict[str, str] = {}
    for name in sorted(names):
        by_form.setdefault(name.casefold(), name)
    return [by_form[form] for form in difflib.get_close_matches(speaker[:MAX_SHOWN].casefold(), by_form, n=3)]


def list_voices(profile: ServiceProfile) -> Call:
    """List the voices, where the profile names a path for it; the interface shows none (source: ours).

    :param profile: gives the path, as ``paths.voices``.
    :raises ConfigurationError: it names none.
    """
    return list_call(profile, "voices", "list voices")


def speaker_of(body: Mapping[str, Any]) -> str | None:
    """The voice that a storyboard names; None where it names none.

    :param body: as it is sent.
    """
    speaker = field_of(body, SPEAKER)
    text = "" if speaker is None else str(speaker)
    return text if text.strip() else None


def _names(entry: Mapping[str, Any], field: str | None) -> set[str]:
    values = [field_of(entry, field)] if field else [field_of(entry, None, name) for name in USUAL_NAMES]
    texts = {str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)}
    return {text for text in texts if text.strip()}
