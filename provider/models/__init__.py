"""Requests and replies, one file a resource; each is loaded when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..job_states import JobState
    from .aws_connection import AwsConnection
    from .job import Job
    from .storyboard import AiVoiceOver, Audio, BrandLogo, Scene, Storyboard, TextStyles
    from .voiceover import ElevenlabsVoiceSettings, VoiceoverTrack

_FILES = {
    "AwsConnection": "aws_connection",
    "Job": "job",
    "JobState": "job",
    "AiVoiceOver": "storyboard",
    "Audio": "storyboard",
    "BrandLogo": "storyboard",
    "Scene": "storyboard",
    "Storyboard": "storyboard",
    "TextStyles": "storyboard",
    "ElevenlabsVoiceSettings": "voiceover",
    "VoiceoverTrack": "voiceover",
}

__all__ = [
    "AiVoiceOver",
    "Audio",
    "AwsConnection",
    "BrandLogo",
    "ElevenlabsVoiceSettings",
    "Job",
    "JobState",
    "Scene",
    "Storyboard",
    "TextStyles",
    "VoiceoverTrack",
]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return getattr(import_module(f".{_FILES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
