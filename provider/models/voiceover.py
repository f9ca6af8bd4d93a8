"""The voiceover track (source: the interface, "Voiceover track")."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from .field_types import NotBlank, Number, WireText
from .media import WebUrl
from .request_model import RequestModel

SpeechService = Literal["aws", "google", "elevenlabs"]
Engine = Literal[
    "neural", "standard", "WaveNet", "Neural2", "eleven_monolingual_v1", "eleven_multilingual_v2"
]

ENGINES: dict[str, tuple[str, ...]] = {
    "aws": ("neural", "standard"),
    "google": ("standard", "WaveNet", "Neural2"),
    "elevenlabs": ("eleven_monolingual_v1", "eleven_multilingual_v2"),
}
"""Which engines a speech service has (source: the interface, "Validation rules for a voiceover track")."""


class ElevenlabsVoiceSettings(RequestModel):
    """Settings of an elevenlabs voice (source: the interface, "Voiceover track").

    :param similarity_boost: required.
    :param stability: required.
    :param use_speaker_boost: optional.
    """

    subject: ClassVar[str] = "voice settings"

    similarity_boost: Number
    stability: Number
    use_speaker_boost: bool | None = None


class VoiceoverTrack(RequestModel):
    """The request that adds a voice to the service's library (source: the interface, "Voiceover track").

    :param name: unique name of the voiceover.
    :param description: description.
    :param service: ``aws``, ``google`` or ``elevenlabs``.
    :param engine: one of the engines that ``service`` has.
    :param language: language code of the voice, such as ``en-US``.
    :param public_user_id: the speech provider's public user id; elevenlabs only.
    :param voice_id: a voice name for google and aws, the voice's unique id for elevenlabs.
    :param accent: accent of the voice.
    :param age: age group, typically Child, Teen, Adult or Senior.
    :param gender: typically Male, Female or Neutral.
    :param sample: URL of an audio sample.
    :param elevenlabs_voice_settings: elevenlabs only.
    """

    subject: ClassVar[str] = "voiceover track"

    name: NotBlank
    description: WireText | None = None
    service: SpeechService
    engine: Engine
    language: NotBlank
    public_user_id: NotBlank | None = None
    voice_id: NotBlank
    accent: NotBlank
    age: NotBlank
    gender: NotBlank
    sample: Annotated[WebUrl | None, Field(repr=False)] = None
    elevenlabs_voice_settings: ElevenlabsVoiceSettings | None = None

    @field_validator("engine")
    @classmethod
    def _is_an_engine_of_the_service(cls, engine: str, checked: ValidationInfo) -> str:
        service = checked.data.get("service")
        if service and engine not in ENGINES[service]:
            raise ValueError(f"must be {' or '.join(map(repr, ENGINES[service]))} for service {service!r}")
        return engine

    @field_validator("public_user_id", "elevenlabs_voice_settings")
    @classmethod
    def _is_for_elevenlabs(cls, value: Any, checked: ValidationInfo) -> Any:
        service = checked.data.get("service")
        if value is not None and service and service != "elevenlabs":
            raise ValueError(f"is only for service 'elevenlabs', not for {service!r}")
        return value
