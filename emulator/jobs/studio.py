"""Where films are made: rendering on a few threads, so that the event loop answers polls meanwhile.

The encoder and the speech engine let go of Python's lock while they work, so threads serve as well as processes
and start at once.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from ..contract.storyboard import StoryboardRequest
from ..media_files import AUDIO_FILE

if TYPE_CHECKING:
    from ..rendering.film.media import Media
    from ..rendering.film.plan import FilmPlan

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Preview:
    """What a storyboard job yields.

    :param seconds: length of the film
    :param scenes: what the preview page shows of each
    :param notes: what was asked for and is left out or replaced
    """

    seconds: float
    scenes: list[dict[str, Any]]
    notes: list[str]


class StoppedError(Exception):
    """A film in the making is given up: nobody wants it any more, or the emulator stops."""


class Studio:
    """Makes previews and films in folders.

    :param threads: how many are made side by side
    :param allow_private_networks: whether media may come from addresses that are not public
    :param media_folder: stands in for private storage: its subfolders are the buckets
    :param s3_endpoint: stands in for private storage: answers `GET /<bucket>/<key>` without a signature
    """

    def __init__(
        self,
        threads: int,
        *,
        allow_private_networks: bool,
        media_folder: Path | None = None,
        s3_endpoint: str | None = None,
    ) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="studio")
        self._allow_private_networks = allow_private_networks
        self._media_folder = media_folder
        self._s3_endpoint = s3_endpoint
        self._stopping = Event()

    def close(self) -> None:
        """Give up what is in the making and end the threads."""
        self._stopping.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def make_preview(
        self, storyboard: dict[str, Any], folder: Path, report_progress: Callable[[float], None]
    ) -> Preview:
        """Plan a film, draw a small picture of each scene, and make the sound.

        :param storyboard: the accepted request
        :param folder: appears with all its files, or not at all
        :param report_progress: as of `make_film`
        """
        plan = await self._plan(storyboard)
        media = await self._fetch(plan)
        return await self._run(_make_preview, plan, media, folder, self._until_stopped(report_progress))

    async def make_film(
        self, storyboard: dict[str, Any], folder: Path, report_progress: Callable[[float], None]
    ) -> float:
        """Make the .mp4 and what belongs to it; return its length in seconds.

        :param storyboard: the accepted request
        :param folder: appears with all its files, or not at all
        :param report_progress: told the part that is done, 0 to 1; called from a thread; may raise to give up
        """
        plan = await self._plan(storyboard)
        media = await self._fetch(plan)
        notes = await self._run(_notes_on, plan, media)
        if notes:
            log.warning("%s: left out or replaced: %s", storyboard["videoName"], "; ".join(notes))
        await self._run(_make_film, plan, media, folder, self._until_stopped(report_progress))
        return plan.seconds

    def _until_stopped(self, report_progress: Callable[[float], None]) -> Callable[[float], None]:
        def report(part: float) -> None:
            if self._stopping.is_set():
                raise StoppedError
            report_progress(part)

        return report

    async def _plan(self, storyboard: dict[str, Any]) -> FilmPlan:
        return await self._run(_plan_film, storyboard)

    async def _fetch(self, plan: FilmPlan) -> Media:
        logos = [plan.logo.url] if plan.logo else []
        if not (plan.picture_urls or plan.font_urls or logos):
            return {}
        from ..rendering.film.media import MediaSources, fetch_media

        sources = MediaSources(self._allow_private_networks, self._media_folder, self._s3_endpoint)
        side = max(plan.width, plan.height)
        return await fetch_media(plan.picture_urls, logos, plan.font_urls, sources, side)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


# The pictures, video and speech libraries take half a second to import: not before the first film needs them.


def _plan_film(storyboard: dict[str, Any]) -> FilmPlan:
    from ..rendering.film.plan import plan_film

    return plan_film(StoryboardRequest.model_validate(storyboard))


def _make_preview(plan: FilmPlan, media: Media, folder: Path, report: Callable[[float], None]) -> Preview:
    from ..rendering.film.film import save_thumbnail
    from ..rendering.film.scene_painter import ScenePainter
    from ..rendering.film.soundtrack import make_sound_file

    scenes = []
    painter = ScenePainter(plan, media)
    with _appearing(folder) as unfinished:
        for number, scene in enumerate(plan.scenes, 1):
            picture_file = f"scene-{number}.jpg"
            save_thumbnail(painter.still(scene), unfinished / picture_file)
            scenes.append(
                {
                    "text": scene.text,
                    "seconds": scene.seconds,
                    "picture": picture_file,
                    "background": _background_name(scene.picture_url, media),
                }
            )
            report(0.5 * number / len(plan.scenes))
        make_sound_file(plan, media, unfinished / AUDIO_FILE, lambda part: report(0.5 + 0.5 * part))
    notes = _notes_on(plan, media)
    if painter.cuts_texts:
        notes.append("the end of a text that does not fit the picture")
    return Preview(plan.seconds, scenes, notes)


def _notes_on(plan: FilmPlan, media: Media) -> list[str]:
    from ..rendering.film.drawing_notes import notes_on_drawing

    return [*plan.notes, *notes_on_drawing(plan, media)]


def _make_film(plan: FilmPlan, media: Media, folder: Path, report: Callable[[float], None]) -> None:
    from ..rendering.film.film import make_film

    with _appearing(folder) as unfinished:
        make_film(plan, media, unfinished, report)


def _background_name(url: str | None, media: Media) -> str:
    from ..rendering.picture.background_video import BackgroundVideo

    if url is None:
        return "colour"
    if url not in media:
        return "colour, since the background cannot be fetched"
    return "video" if isinstance(media[url], BackgroundVideo) else "picture"


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """An empty folder beside the final one, which takes its place in the end, or goes away if that is not reached."""
    shutil.rmtree(folder, ignore_errors=True)
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    unfinished.rename(folder)
