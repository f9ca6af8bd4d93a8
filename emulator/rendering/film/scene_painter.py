"""The pictures of a film's scenes: the foreground and the background, each drawn once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from PIL import Image, ImageOps

from ..picture.backdrop import draw_gradient, fill
from ..picture.background_video import BackgroundVideo, as_picture
from ..picture.brand_logo import put_logo
from ..picture.scene_front import draw_front
from ..text.font_families import family_drawn_for, typeface_of_family
from ..text.font_stack import FontStack
from ..text.text_style import TextStyle
from ..text.typeface import Typeface
from .media import Media
from .plan import FRAMES_PER_SECOND, FilmPlan, PlannedScene


class ScenePainter:
    """Paints the scenes of one film, in their order.

    :param plan: what to show
    :param media: address -> picture, video or font; a scene whose background is missing gets a colour
    """

    def __init__(self, plan: FilmPlan, media: Media) -> None:
        self._plan = plan
        self._media = media
        self._behind: tuple[object, Image.Image] | None = None
        self._passing: Iterator[Image.Image] | None = None
        self.cuts_texts = False
        """Whether the end of some text is missing, since it did not fit."""

    def still(self, scene: PlannedScene) -> Image.Image:
        """Paint one picture of a scene; of a video behind it, the moment at which the scene begins.

        :param scene: of the plan
        """
        video = self._video(scene)
        if video:
            poster = video.poster(video.moment(scene.video_part, scene.video_seconds_before))
            behind = fill(poster, self._plan.width, self._plan.height)
        else:
            behind = self._still_behind(scene)
        return _put(self._front(scene), behind)

    def pictures(self, scene: PlannedScene) -> Iterator[Image.Image]:
        """Paint a scene picture by picture, without end; where nothing changes, the same object.

        :param scene: of the plan; one that goes on with the video of the scene before is asked for after it
        """
        video = self._video(scene)
        if video is None:
            self._passing = None
            return repeat(self.still(scene))
        if not scene.video_seconds_before or self._passing is None:
            self._passing = self._pass(video, scene)
        return self._in_front_of(self._passing, self._front(scene))

    def _in_front_of(self, passing: Iterator[Image.Image], front: Image.Image) -> Iterator[Image.Image]:
        before = painted = None
        for behind in passing:
            if behind is not before or painted is None:
                painted, before = _put(front, behind), behind
            yield painted

    def _pass(self, video: BackgroundVideo, scene: PlannedScene) -> Iterator[Image.Image]:
        """What passes behind the scene."""
        before = behind = None
        size = (self._plan.width, self._plan.height)
        for frame in video.pictures(scene.video_part, FRAMES_PER_SECOND):
            if frame is not before or behind is None:
                behind = ImageOps.fit(as_picture(frame), size, Image.Resampling.BILINEAR)
                before = frame
            yield behind

    def _front(self, scene: PlannedScene) -> Image.Image:
        plan = self._plan
        front = draw_front(
            scene.text,
            scene.style,
            plan.width,
            plan.height,
            fonts_of(scene.style, self._media),
            scene.keywords,
            self._note_cut,
        )
        logo = self._media.get(plan.logo.url) if plan.logo else None
        if plan.logo and isinstance(logo, Image.Image):
            put_logo(front, plan.logo, logo)
        return front

    def _note_cut(self) -> None:
        self.cuts_texts = True

    def _still_behind(self, scene: PlannedScene) -> Image.Image:
        """The backdrop; the last one is kept, since the parts of a split scene share it."""
        key = (scene.picture_url, scene.shades)
        if self._behind is None or self._behind[0] != key:
            picture = self._media.get(scene.picture_url) if scene.picture_url else None
            size = (self._plan.width, self._plan.height)
            backdrop = (
                fill(picture, *size)
                if isinstance(picture, Image.Image)
                else draw_gradient(*size, scene.shades)
            )
            self._behind = (key, backdrop)
        return self._behind[1]

    def _video(self, scene: PlannedScene) -> BackgroundVideo | None:
        video = self._media.get(scene.picture_url) if scene.picture_url else None
        return video if isinstance(video, BackgroundVideo) else None


def fonts_of(style: TextStyle, media: Media) -> FontStack:
    """Choose the fonts of a style: the one that was fetched for it, otherwise those of its family.

    :param style: a scene's
    :param media: address -> font, among others
    """
    fetched = media.get(style.font_url) if style.font_url else None
    first = (
        fetched
        if isinstance(fetched, Typeface)
        else typeface_of_family(family_drawn_for(style.family), style.weight)
    )
    return FontStack(first, style.weight)


def _put(front: Image.Image, behind: Image.Image) -> Image.Image:
    picture = behind.copy()
    picture.paste(front, mask=front)
    return picture
