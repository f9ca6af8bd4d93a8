"""From a storyboard to a film on paper: what each scene shows and says, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...contract.storyboard import Scene, StoryboardRequest
from ..colours import Shades, shades_of_scene
from ..picture.background_video import WHOLE_VIDEO, VideoPart, part_of
from ..picture.brand_logo import Logo, logo_of
from ..sound.music import Music
from ..sound.speech import Speech, Voice, plan_speech
from ..sound.ssml import read_text, visible_text
from ..sound.voice_over import music_of, not_heard, voice_of
from ..text.keywords import keywords_of
from ..text.text_style import TextStyle, style_of_scene
from .reading_time import SHORTEST_SCENE_SECONDS, reading_seconds
from .scene_split import split_text

FRAMES_PER_SECOND = 25
LEAD_IN_SECONDS = 0.4
PAUSE_SECONDS = 0.6
MAX_FILM_SECONDS = 3600.0
SMALLEST_PICTURE = 16
MAX_PICTURE = 3998
"""Pixels of a side: what a request may ask for, made even."""


class FilmTooLongError(Exception):
    """The film would be longer than `MAX_FILM_SECONDS`."""


@dataclass(frozen=True)
class PlannedScene:
    """A scene, ready to be drawn and heard.

    :param frames: how long it is shown, in frames at `FRAMES_PER_SECOND`
    :param speech: begins `LEAD_IN_SECONDS` after the scene; None for a silent scene
    :param picture_url: of the background, a picture or a video
    :param video_part: what is shown of it, when it is a video
    :param video_seconds_before: of that, seconds which the parts of the same scene before this one have shown
    :param keywords: words of the text that are highlighted
    """

    text: str
    style: TextStyle
    shades: Shades
    frames: int
    speech: Speech | None = None
    picture_url: str | None = None
    video_part: VideoPart = WHOLE_VIDEO
    video_seconds_before: float = 0.0
    keywords: frozenset[str] = frozenset()

    @property
    def seconds(self) -> float:
        """How long the scene is shown."""
        return self.frames / FRAMES_PER_SECOND


@dataclass(frozen=True)
class FilmPlan:
    """A film, ready to be made.

    :param width: pixels, even
    :param height: pixels, even
    :param logo: in front of every scene
    :param notes: what the storyboard asks for and the emulator does not draw or speak
    :param music: goes with the whole film
    """

    width: int
    height: int
    scenes: tuple[PlannedScene, ...]
    logo: Logo | None = None
    notes: tuple[str, ...] = field(default=())
    music: Music | None = None

    @property
    def seconds(self) -> float:
        """Length of the film."""
        return sum(scene.frames for scene in self.scenes) / FRAMES_PER_SECOND

    @property
    def picture_urls(self) -> list[str]:
        """Addresses of the background pictures and videos."""
        return [scene.picture_url for scene in self.scenes if scene.picture_url]

    @property
    def font_urls(self) -> list[str]:
        """Addresses of fonts."""
        return [scene.style.font_url for scene in self.scenes if scene.style.font_url]


def plan_film(storyboard: StoryboardRequest) -> FilmPlan:
    """Plan the film of a storyboard; speech is spoken already, since its length decides a scene's duration.

    A storyboard without scenes becomes one scene with the video's name.

    :param storyboard: as the contract has let it through
    :raises FilmTooLongError: when the film would be longer than an hour
    """
    width, height = picture_size(storyboard.videoWidth, storyboard.videoHeight)
    voice = voice_of(storyboard)
    scenes: list[PlannedScene] = []
    for index, asked in enumerate(storyboard.scenes or [Scene(text=storyboard.videoName)]):
        for planned in _plan_scene(storyboard, asked, index, voice):
            scenes.append(planned)
            if sum(scene.seconds for scene in scenes) > MAX_FILM_SECONDS:
                raise FilmTooLongError(
                    f"The film would be longer than {MAX_FILM_SECONDS:.0f} s: shorten its scenes."
                )
    logo = logo_of(storyboard.brandLogo)
    return FilmPlan(width, height, tuple(scenes), logo, tuple(not_heard(storyboard)), music_of(storyboard))


def picture_size(width: str | None, height: str | None) -> tuple[int, int]:
    """Decide the picture's size: even numbers, 1280 x 720 by default, 16:9 when only one side is given and that fits.

    :param width: videoWidth of the request
    :param height: videoHeight of the request
    """
    if width is None and height is None:
        return 1280, 720
    wide = int(width) if width else round(int(height or 0) * 16 / 9)
    high = int(height) if height else round(wide * 9 / 16)
    return _side(wide), _side(high)


def _side(pixels: int) -> int:
    return min(max(pixels - pixels % 2, SMALLEST_PICTURE), MAX_PICTURE)


def _plan_scene(
    storyboard: StoryboardRequest, scene: Scene, index: int, voice: Voice
) -> Iterator[PlannedScene]:
    """Plan the parts of a scene, one after the other, over the same background."""
    if reading_seconds(visible_text(scene.text or "")) > MAX_FILM_SECONDS:
        # Said before it is spoken, which would take as long.
        raise FilmTooLongError(f"The text of scene {index + 1} is too long for a film: shorten it.")
    parts = split_text(
        scene.text or "",
        on_new_line=scene.splitTextOnNewLine is True,
        on_period=scene.splitTextOnPeriod is True,
        language=storyboard.language or "en-US",
    )
    before = 0.0
    for written in parts:
        part = _plan_part(storyboard, scene, index, voice, written, before)
        before += part.seconds
        yield part


def _plan_part(
    storyboard: StoryboardRequest, scene: Scene, index: int, voice: Voice, written: str, before: float
) -> PlannedScene:
    said = read_text(written)
    text = said.visible
    speech = None if scene.voiceOver is False else plan_speech(said, voice)
    spoken_seconds = LEAD_IN_SECONDS + speech.seconds + PAUSE_SECONDS if speech and speech.seconds else 0.0
    seconds = max(scene.minimumDuration or 0.0, spoken_seconds, reading_seconds(text), SHORTEST_SCENE_SECONDS)
    uri, _, fragment = (scene.backgroundUri or "").partition("#")
    return PlannedScene(
        text=text,
        style=style_of_scene(storyboard.textStyles, scene),
        shades=shades_of_scene(storyboard.videoName, index),
        frames=-int(-seconds * FRAMES_PER_SECOND // 1),
        speech=speech,
        picture_url=uri or None,
        video_part=part_of(
            fragment, loops=scene.loopBackgroundVideo is True, muted=scene.muteBackgroundVideo is True
        ),
        video_seconds_before=before,
        keywords=keywords_of(text) if storyboard.autoHighlightKeywords else frozenset(),
    )
