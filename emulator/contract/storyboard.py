"""The request of "Create a storyboard" and what it is made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from .wire_types import (
    Colour,
    FileName,
    FontSize,
    HexColour,
    HorizontalAlignment,
    MediaUri,
    Name,
    Number,
    NumberText,
    Percentage,
    Pixels,
    VerticalAlignment,
    WebUrl,
    Weight,
    WireModel,
)

MAX_SCENE = 3600.0
"""Upper limit of `minimumDuration` in seconds; ours, so that no request fills the disk."""


class AiVoiceOver(WireModel):
    """The speaking voice; its values are not shown in the interface. Source: the interface, "Audio object"."""

    speaker: str | None = None
    speed: NumberText | None = None
    amplifyLevel: NumberText | None = None


class Audio(WireModel):
    """Voice-over and music. Source: the interface, "Audio object"."""

    aiVoiceOver: AiVoiceOver | None = None
    autoBackgroundMusic: bool | None = None
    backGroundMusicVolume: Annotated[Number, Field(ge=0, le=1)] | None = None


class BrandLogo(WireModel):
    """A logo drawn on every scene. Source: the interface, "Brand Logo object"."""

    url: WebUrl | None = None
    verticalAlignment: VerticalAlignment = "top"
    horizontalAlignment: HorizontalAlignment = "right"
    width: Percentage = "10%"


class TextStyles(WireModel):
    """The style of text; a value which is absent takes the default. Source: the interface, "Text Styles object"."""

    fontUrl: WebUrl | None = None
    fontFamily: Name | None = None
    fontWeight: Weight | None = None
    textColor: Colour | None = None
    fontSize: FontSize | None = None
    keywordColor: Colour | None = None
    textBackgroundColor: Colour | None = None
    textShadowColor: HexColour | None = None
    verticalAlignment: VerticalAlignment | None = None
    horizontalAlignment: HorizontalAlignment | None = None


class Scene(TextStyles):
    """One scene. Source: the interface, "Scene object".

    Text style values "may be overridden per scene": the interface does not show where they stand, so both
    the scene itself and an object `textStyles` in it are read; the scene itself wins. `awsConnectionId` is ours.
    """

    text: str | None = None
    voiceOver: bool | None = None
    splitTextOnNewLine: bool | None = None
    splitTextOnPeriod: bool | None = None
    backgroundUri: MediaUri | None = None
    awsConnectionId: Name | None = None
    backgroundType: Name | None = None
    loopBackgroundVideo: bool | None = None
    muteBackgroundVideo: bool | None = None
    minimumDuration: Annotated[Number, Field(ge=0, le=MAX_SCENE)] | None = None
    textStyles: TextStyles | None = None


PRIVATE_MEDIA_RULE: dict[str, JsonValue] = {
    "if": {
        "required": ["scenes"],
        "properties": {
            "scenes": {
                "type": "array",
                "contains": {
                    "type": "object",
                    "required": ["backgroundUri"],
                    "properties": {"backgroundUri": {"type": "string", "pattern": "^s3://"}},
                    "not": {
                        "required": ["awsConnectionId"],
                        "properties": {"awsConnectionId": {"type": "string"}},
                    },
                },
            }
        },
    },
    "then": {"required": ["awsConnectionId"], "properties": {"awsConnectionId": {"type": "string"}}},
}
"""Scenes with private media need a connection: the storyboard's (source: the interface, "Rules for the connection",
rule 3) or their own (ours)."""


class StoryboardRequest(WireModel, json_schema_extra=PRIVATE_MEDIA_RULE):
    """The body of the storyboard operation. Source: the interface, "Storyboard request"."""

    videoName: FileName
    videoDescription: str | None = None
    language: Name | None = None
    webhook: WebUrl | None = None
    awsConnectionId: Name | None = None
    brandLogo: BrandLogo | None = None
    autoHighlightKeywords: bool | None = None
    audio: Audio | None = None
    scenes: list[Scene] | None = None
    textStyles: TextStyles | None = None
    videoWidth: Pixels | None = None
    videoHeight: Pixels | None = None
