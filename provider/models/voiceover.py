"""The voiceover track (source: the interface, "Voiceover track")."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from .aws_connection import NotBlank
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

    similarity_boost: float
    stability: float
    use_speaker_boost: bool | None = None


class VoiceoverTrack(RequestModel):
    """The request that adds a voice to the service's library (source: the interface, "Voiceover track").

    :param name: unique name of the voiceover.
    :param description: description.
    :param engine: one of the engines that ``service`` has.
    :param service: ``aws``, ``google`` or ``elevenlabs``.
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
    description: str | None = None
    engine: Engine
    service: SpeechService
    language: NotBlank
    public_user_id: NotBlank | None = None
    voice_id: NotBlank
    accent: NotBlank
    age: NotBlank
    gender: NotBlank
    sample: WebUrl | None = None
    elevenlabs_voice_settings: ElevenlabsVoiceSettings | None = None

    @model_validator(mode="after")
    def _fits_its_service(self) -> VoiceoverTrack:
        wrong = []
        if self.engine not in ENGINES[self.service]:
            allowed = " or ".join(ENGINES[self.service])
            wrong.append(f"service {self.service!r} needs engine {allowed}, not {self.engine!r}")
        if self.service != "elevenlabs":
            for name, value in (
                ("publicUserId", self.public_user_id),
                ("elevenlabsVoiceSettings", self.elevenlabs_voice_settings),
            ):
                if value is not None:
                    wrong.append(f"{name} is only for service 'elevenlabs', not {self.service!r}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
