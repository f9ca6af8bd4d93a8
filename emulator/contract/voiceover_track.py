"""The request and the reply of "Add a voiceover track"; which fields are allowed depends on `service`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .wire_types import LanguageCode, Name, Number, WebUrl, WireModel

ELEVENLABS_ONLY = "is valid only when service is elevenlabs"


class ElevenlabsVoiceSettings(WireModel):
    """How an elevenlabs voice is spoken. Source: the interface, "Voiceover track"."""

    similarityBoost: Number
    stability: Number
    useSpeakerBoost: bool | None = None


class _VoiceoverTrack(WireModel):
    name: Name
    description: str | None = None
    language: LanguageCode
    voiceId: Name
    accent: Name
    age: Name
    gender: Name
    sample: WebUrl | None = None


class _LibraryVoice(_VoiceoverTrack):
    publicUserId: None = Field(default=None, description=ELEVENLABS_ONLY)
    elevenlabsVoiceSettings: None = Field(default=None, description=ELEVENLABS_ONLY)


class AwsVoice(_LibraryVoice):
    """A voice of `aws`. Source: the interface, "Validation rules for a voiceover track", rule 1."""

    service: Literal["aws"]
    engine: Literal["neural", "standard"]


class GoogleVoice(_LibraryVoice):
    """A voice of `google`. Source: the interface, "Validation rules for a voiceover track", rule 2."""

    service: Literal["google"]
    engine: Literal["standard", "WaveNet", "Neural2"]


class ElevenlabsVoice(_VoiceoverTrack):
    """A voice of `elevenlabs`. Source: the interface, "Validation rules for a voiceover track", rules 3-5."""

    service: Literal["elevenlabs"]
    engine: Literal["eleven_monolingual_v1", "eleven_multilingual_v2"]
    publicUserId: str | None = None
    elevenlabsVoiceSettings: ElevenlabsVoiceSettings | None = None


VoiceoverTrackRequest = AwsVoice | GoogleVoice | ElevenlabsVoice
"""A union discriminated by `service`."""


class VoiceoverTrackReply(WireModel):
    """The track in the library. Source: the interface, "Voiceover track", response fields."""

    id: int
    name: str
    accent: str
    gender: str
    language: str
    sample: str | None = None
    service: Literal["aws", "google", "elevenlabs"]
    engine: str
    category: Literal["premium", "standard"]
    ssmlSupportCategory: Literal["A", "B", "C", "D"]
    ssmlHelp: str


class VoiceoverTrackList(WireModel):
    """All tracks. Source: ours; comparable services have it."""

    data: list[VoiceoverTrackReply]
