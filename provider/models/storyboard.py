"""The storyboard request and its parts (source: the interface, "Storyboard request")."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from .field_types import NotBlank, Number, TextOrNumber, WholeNumber, WireText
from .media import (
    Color,
    FileName,
    FontUrl,
    HexColor,
    MediaUri,
    Percentage,
    Pixels,
    SceneText,
    WebUrl,
    is_bucket_url,
)
from .request_model import RequestModel

VerticalAlignment = Literal["top", "center", "bottom"]
HorizontalAlignment = Literal["left", "center", "right"]


class AiVoiceOver(RequestModel):
    """The synthetic voice (source: the interface, "Audio object").

    :param speaker: the voice's name; sent as given.
    :param speed: 100 is normal; comparable services take 50 to 200.
    :param amplify_level: loudness, 0 is normal; comparable services take -1 to 1.
    """

    subject: ClassVar[str] = "voice-over"

    speaker: WireText | None = None
    speed: TextOrNumber | None = None
    amplify_level: TextOrNumber | None = None


class Audio(RequestModel):
    """Voice-over and music (source: the interface, "Audio object").

    :param ai_voice_over: the synthetic voice.
    :param auto_background_music: automatic background music on or off.
    :param back_ground_music_volume: a fraction; comparable services take 0 to 1.
    """

    subject: ClassVar[str] = "audio"

    ai_voice_over: AiVoiceOver | None = None
    auto_background_music: bool | None = None
    back_ground_music_volume: Number | None = None


class BrandLogo(RequestModel):
    """A logo on every scene (source: the interface, "Brand Logo object").

    :param url: public URL of the logo.
    :param vertical_alignment: ``top`` (the service's default), ``center`` or ``bottom``.
    :param horizontal_alignment: ``left``, ``center`` or ``right`` (the service's default).
    :param width: a percentage of the picture, the service's default is 10%; the height follows.
    """

    subject: ClassVar[str] = "brand logo"

    url: Annotated[WebUrl | None, Field(repr=False)] = None
    vertical_alignment: VerticalAlignment | None = None
    horizontal_alignment: HorizontalAlignment | None = None
    width: Percentage | None = None


class _TextStyleFields(RequestModel):
    """What a storyboard sets for every scene, and a scene for itself.

    :param font_url: URL of a .ttf file.
    :param font_family: the service's default is Arial; sent as given.
    :param font_weight: the service's default is normal; sent as given.
    :param text_color: hex or ``rgba(r,g,b,a)``; the service's default is #FFFFFF.
    :param font_size: a whole number; the service's default is 24.
    :param keyword_color: colour of highlighted keywords.
    :param text_background_color: hex or ``rgba(r,g,b,a)``; the service's default is #111111.
    :param text_shadow_color: hex.
    :param vertical_alignment: ``top``, ``center`` or ``bottom`` (the service's default).
    :param horizontal_alignment: ``left`` (the service's default), ``center`` or ``right``.
    """

    subject: ClassVar[str] = "text styles"

    font_url: Annotated[FontUrl | None, Field(repr=False)] = None
    font_family: WireText | None = None
    font_weight: TextOrNumber | None = None
    text_color: Color | None = None
    font_size: Annotated[WholeNumber, Field(gt=0)] | None = None
    keyword_color: Color | None = None
    text_background_color: Color | None = None
    text_shadow_color: HexColor | None = None
    vertical_alignment: VerticalAlignment | None = None
    horizontal_alignment: HorizontalAlignment | None = None


class TextStyles(_TextStyleFields):
    """How subtitles look (source: the interface, "Text Styles object").

    Its fields are those of ``_TextStyleFields``, which a scene has too.
    """


class Scene(_TextStyleFields):
    """One scene (source: the interface, "Scene object").

    Text styles override the storyboard's. The interface does not show where they stand: what is set on the
    scene itself is sent there, and what is set in ``text_styles`` is sent as an object ``textStyles``.

    :param text: what is shown and spoken; may contain SSML, which must be well-formed.
    :param voice_over: whether the text is spoken.
    :param split_text_on_new_line: split the text at new lines.
    :param split_text_on_period: split the text at periods.
    :param background_uri: ``s3://bucket/key``, a bucket's https URL, or another http(s) URL.
    :param aws_connection_id: the ``connectionId`` that may read this scene's private media, where it is not the
        storyboard's; the interface does not show it here.
    :param background_type: ``video`` and what else your service takes; sent as given.
    :param loop_background_video: loop the background video.
    :param mute_background_video: mute the background video.
    :param minimum_duration: seconds, at least this long.
    :param text_styles: text styles of this scene, as an object of their own.
    """

    subject: ClassVar[str] = "scene"

    text: SceneText | None = None
    voice_over: bool | None = None
    split_text_on_new_line: bool | None = None
    split_text_on_period: bool | None = None
    background_uri: Annotated[MediaUri | None, Field(repr=False)] = None
    aws_connection_id: NotBlank | None = None
    background_type: WireText | None = None
    loop_background_video: bool | None = None
    mute_background_video: bool | None = None
    minimum_duration: Annotated[Number, Field(ge=0)] | None = None
    text_styles: TextStyles | None = None

    @model_validator(mode="after")
    def _shows_something(self) -> Scene:
        if not (self.text and self.text.strip()) and not self.background_uri and not self.extra_fields:
            raise ValueError("has neither text nor backgroundUri, so there is nothing to show")
        return self


def _is_list(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise ValueError("must be a list")
    return value


class Storyboard(RequestModel):
    """The request that starts a storyboard job (source: the interface, "Storyboard request").

    :param video_name: name of the output file; must be usable as a file name.
    :param video_description: description of the video.
    :param language: sent as given.
    :param webhook: callback URL for the job's completion.
    :param aws_connection_id: the ``connectionId`` that may read the private media of the scenes.
    :param brand_logo: a logo on every scene.
    :param auto_highlight_keywords: highlight keywords in the subtitles.
    :param audio: voice-over and music.
    :param scenes: at least one scene.
    :param text_styles: how subtitles look, in every scene.
    :param video_width: pixels.
    :param video_height: pixels.
    """

    subject: ClassVar[str] = "storyboard"

    video_name: FileName
    video_description: WireText | None = None
    language: WireText | None = None
    webhook: Annotated[WebUrl | None, Field(repr=False)] = None
    aws_connection_id: NotBlank | None = None
    brand_logo: BrandLogo | None = None
    auto_highlight_keywords: bool | None = None
    audio: Audio | None = None
    scenes: Annotated[tuple[Scene, ...], BeforeValidator(_is_list), Field(min_length=1)]
    text_styles: TextStyles | None = None
    video_width: Pixels | None = None
    video_height: Pixels | None = None

    def bucket_scenes(self) -> tuple[list[int], list[int]]:
        """The indexes of scenes with ``s3://`` media, and of those with a bucket's https URL.

        Those that name a connection of their own are left aside.
        """
        uris = [
            (index, scene.background_uri or "")
            for index, scene in enumerate(self.scenes)
            if not scene.aws_connection_id
        ]
        return (
            [index for index, uri in uris if uri.startswith("s3://")],
            [index for index, uri in uris if is_bucket_url(uri)],
        )
