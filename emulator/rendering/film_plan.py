"""From a storyboard to a film on paper: what each scene shows and says, and for how long."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urldefrag

from ..contract.storyboard import Scene, StoryboardRequest
from .background_video import WHOLE_VIDEO, VideoPart, part_of
from .colours import Shades, shades_of_scene
from .speech import SAMPLE_RATE, SILENCE, Samples, Voice, speak
from .ssml import visible_text, well_formed_ssml
from .text_style import TextStyle, style_of_scene

FRAMES_PER_SECOND = 25
LEAD_IN_SECONDS = 0.4
PAUSE_SECONDS = 0.6
READING_LETTERS_PER_SECOND = 18.0
SHORTEST_SCENE_SECONDS = 2.0
LONGEST_FILM_SECONDS = 3600.0
SMALLEST_PICTURE = 16


class FilmTooLongError(Exception):
    """The film would be longer than `LONGEST_FILM_SECONDS`."""


@dataclass(frozen=True)
class PlannedScene:
    """A scene, ready to be drawn and heard.

    :param frames: how long it is shown, in frames at `FRAMES_PER_SECOND`
    :param speech: mono samples, which begin `LEAD_IN_SECONDS` after the scene; empty for a silent scene
    :param picture_url: of the background, a picture or a video
    :param video_part: what is shown of it, when it is a video
    """

    text: str
    style: TextStyle
    shades: Shades
    frames: int
    speech: Samples
    picture_url: str | None = None
    video_part: VideoPart = WHOLE_VIDEO

    @property
    def seconds(self) -> float:
        """How long the scene is shown."""
        return self.frames / FRAMES_PER_SECOND


@dataclass(frozen=True)
class FilmPlan:
    """A film, ready to be made.

    :param width: pixels, even
    :param height: pixels, even
    :param notes: what the storyboard asks for and the emulator does not draw
    """

    width: int
    height: int
    scenes: tuple[PlannedScene, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def seconds(self) -> float:
        """Length of the film."""
        return sum(scene.frames for scene in self.scenes) / FRAMES_PER_SECOND

    @property
    def picture_urls(self) -> list[str]:
        """Addresses of the background pictures and videos."""
        return [scene.picture_url for scene in self.scenes if scene.picture_url]


def plan_film(storyboard: StoryboardRequest) -> FilmPlan:
    """Plan the film of a storyboard; speech is spoken already, since its length decides a scene's duration.

    A storyboard without scenes becomes one scene with the video's name.

    :param storyboard: as the contract has let it through
    :raises FilmTooLongError: when the film would be longer than an hour
    """
    width, height = picture_size(storyboard.videoWidth, storyboard.videoHeight)
    voice = _voice(storyboard)
    scenes: list[PlannedScene] = []
    for index, scene in enumerate(storyboard.scenes or [Scene(text=storyboard.videoName)]):
        scenes.append(_plan_scene(storyboard, scene, index, voice))
        if sum(planned.seconds for planned in scenes) > LONGEST_FILM_SECONDS:
            raise FilmTooLongError(
                f"The film would be longer than {LONGEST_FILM_SECONDS:.0f} s; cut its scenes."
            )
    return FilmPlan(width, height, tuple(scenes), tuple(_not_drawn(storyboard)))


def picture_size(width: str | None, height: str | None) -> tuple[int, int]:
    """Decide the picture's size: even numbers, 1280 x 720 by default, 16:9 when only one side is given.

    :param width: videoWidth of the request
    :param height: videoHeight of the request
    """
    if width is None and height is None:
        return 1280, 720
    wide = int(width) if width else round(int(height or 0) * 16 / 9)
    high = int(height) if height else round(wide * 9 / 16)
    return max(wide - wide % 2, SMALLEST_PICTURE), max(high - high % 2, SMALLEST_PICTURE)


def _plan_scene(storyboard: StoryboardRequest, scene: Scene, index: int, voice: Voice) -> PlannedScene:
    written = scene.text or ""
    text = visible_text(written)
    reading_seconds = 1.0 + len(text) / READING_LETTERS_PER_SECOND
    if reading_seconds > LONGEST_FILM_SECONDS:
        # Said before it is spoken, which would take as long.
        raise FilmTooLongError(f"The text of scene {index + 1} is too long for a film; cut it.")
    speech = SILENCE
    if scene.voiceOver is not False:
        ssml = well_formed_ssml(written)
        speech = speak(ssml, voice, is_ssml=True) if ssml else speak(text, voice)
    spoken_seconds = LEAD_IN_SECONDS + len(speech) / SAMPLE_RATE + PAUSE_SECONDS if len(speech) else 0.0
    seconds = max(scene.minimumDuration or 0.0, spoken_seconds, reading_seconds, SHORTEST_SCENE_SECONDS)
    uri, fragment = urldefrag(scene.backgroundUri or "")
    return PlannedScene(
        text=text,
        style=style_of_scene(storyboard.textStyles, scene),
        shades=shades_of_scene(storyboard.videoName, index),
        frames=-int(-seconds * FRAMES_PER_SECOND // 1),
        speech=speech,
        picture_url=uri if uri.startswith("http") else None,
        video_part=part_of(
            fragment, loops=scene.loopBackgroundVideo is True, muted=scene.muteBackgroundVideo is True
        ),
    )


def _voice(storyboard: StoryboardRequest) -> Voice:
    asked = storyboard.audio.aiVoiceOver if storyboard.audio else None
    speed = _number(asked.speed if asked else None)
    level = _number(asked.amplifyLevel if asked else None)
    return Voice(
        language=storyboard.language or "en-US",
        speed=100.0 if speed is None else speed,
        gain=1.0 + min(max(level or 0.0, -1.0), 1.0),
    )


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,6})?", text) else None


def _not_drawn(storyboard: StoryboardRequest) -> list[str]:
    """Name, for the log, what was asked for and is left out."""
    audio, scenes = storyboard.audio, storyboard.scenes or []
    styles = [style for style in (storyboard.textStyles, *scenes, *(s.textStyles for s in scenes)) if style]
    asked_for = {
        "brandLogo": bool(storyboard.brandLogo and storyboard.brandLogo.url),
        "autoHighlightKeywords": bool(storyboard.autoHighlightKeywords),
        "audio.autoBackgroundMusic": bool(audio and audio.autoBackgroundMusic),
        "audio.aiVoiceOver.speaker": bool(audio and audio.aiVoiceOver and audio.aiVoiceOver.speaker),
        "splitTextOnNewLine": any(scene.splitTextOnNewLine for scene in scenes),
        "splitTextOnPeriod": any(scene.splitTextOnPeriod for scene in scenes),
        "s3:// backgrounds": any((scene.backgroundUri or "").startswith("s3:") for scene in scenes),
        "fontUrl": any(style.fontUrl for style in styles),
        "fontFamily (all is drawn in Noto Sans)": any(style.fontFamily for style in styles),
        "keywordColor": any(style.keywordColor for style in styles),
        "textShadowColor": any(style.textShadowColor for style in styles),
    }
    return [name for name, is_asked_for in asked_for.items() if is_asked_for]
