"""The rules by which an article becomes scenes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ..models.field_types import Number, WholeNumber
from ..models.storyboard import AiVoiceOver
from ..quoting import shortened
from .scene_fields import Background, ClosingScene, SceneFields, VideoFields

_Seconds = Annotated[Number, Field(gt=0, lt=24 * 3600)]


def _scene(value: Any) -> Any:
    return {} if value is True else None if value is False else value


def _closing_scene(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else None if value is False else value


def _backgrounds(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise ValueError("must be a list")
    return [{"backgroundUri": item} if isinstance(item, str) else item for item in value]


def _languages(value: Any) -> Any:
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"has the language {name!r}: write it in quotes, such as 'no'")
            if not re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*", name):
                raise ValueError(
                    f"has the language {shortened(name, 40)!r}: write it as 'en' or 'pt-BR'; "
                    "the voice for all other languages is storyboard.audio.aiVoiceOver"
                )
    return value


class TemplateRules(BaseModel):
    """What all videos share, and the rules for their scenes; ``StoryboardTemplate`` describes them."""

    # A template's names are their own aliases: problems are reported with them.
    model_config = ConfigDict(alias_generator=str, extra="forbid", frozen=True)

    storyboard: VideoFields = VideoFields()
    words_per_scene: Annotated[WholeNumber, Field(ge=1)] | None = None
    seconds_per_scene: _Seconds | None = None
    max_scenes: Annotated[WholeNumber, Field(ge=1)] | None = None
    max_seconds: _Seconds | None = None
    title_scene: Annotated[
        SceneFields | None, BeforeValidator(_scene, json_schema_input_type=bool | SceneFields)
    ] = SceneFields()
    closing_scene: Annotated[
        ClosingScene | None,
        BeforeValidator(_closing_scene, json_schema_input_type=str | Literal[False] | ClosingScene),
    ] = None
    every_scene: SceneFields = SceneFields()
    lead_picture: Literal["every", "first", "none"] = "every"
    backgrounds: Annotated[
        tuple[Background, ...],
        BeforeValidator(_backgrounds, json_schema_input_type=tuple[str | Background, ...]),
    ] = ()
    voices: Annotated[
        dict[str, AiVoiceOver],
        BeforeValidator(_languages, json_schema_input_type=dict[str, AiVoiceOver]),
    ] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _rules_agree(self) -> Self:
        if self.words_per_scene and self.seconds_per_scene:
            raise ValueError("has both words_per_scene and seconds_per_scene: give one of them")
        own = bool(self.title_scene) + bool(self.closing_scene)
        if self.max_scenes and self.max_scenes < own:
            raise ValueError(f"has {own} scenes of its own, and max_scenes is {self.max_scenes}")
        return self
