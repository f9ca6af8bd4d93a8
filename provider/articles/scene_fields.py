"""The parts of a storyboard that a template sets: the interface's own fields, without those that come from the
article."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, model_validator

from ..models.media import FileName, MediaUri, SceneText
from ..models.storyboard import Scene, Storyboard
from .placeholders import check_placeholders

_SCENE_TEXT: TypeAdapter[str] = TypeAdapter(SceneText)


def _from_article(value: Any) -> Any:
    raise ValueError("comes from the article: leave it out of the template")


def _closing_text(text: str) -> str:
    check_placeholders(text)
    if not text.strip():
        raise ValueError("must not be empty")
    try:
        for line in text.splitlines():
            _SCENE_TEXT.validate_python(line)
    except ValueError:
        raise ValueError(
            "must close every tag on its own line: a line without its value is left out"
        ) from None
    return text


class VideoFields(Storyboard):
    """What all videos share: the fields of a storyboard except its name and scenes."""

    video_name: Annotated[FileName, BeforeValidator(_from_article)] = ""
    scenes: Annotated[tuple[Scene, ...], BeforeValidator(_from_article)] = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields that the template sets, with the interface's names."""
        fields = super().to_dict()
        return {name: value for name, value in fields.items() if name not in ("videoName", "scenes")}


class SceneFields(Scene):
    """What a template sets on scenes: the fields of a scene except its text."""

    text: Annotated[str | None, BeforeValidator(_from_article)] = None

    @model_validator(mode="after")
    def _shows_something(self) -> SceneFields:
        return self


class Background(SceneFields):
    """A picture or a video behind a scene."""

    subject: ClassVar[str] = "background"

    background_uri: MediaUri


class ClosingScene(SceneFields):
    """A last scene, with a text from the template.

    :param text: SSML or plain text, with the placeholders of ``provider.articles.placeholders``.
    """

    text: Annotated[SceneText, AfterValidator(_closing_text)]
