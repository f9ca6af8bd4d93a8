"""Where films are made: rendering on a few threads, so that the event loop answers polls meanwhile.

The encoder and the speech engine let go of Python's lock while they work, so threads serve as well as processes
and start at once.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from ..contract.storyboard import StoryboardRequest

if TYPE_CHECKING:
    from ..rendering.background_picture import Background
    from ..rendering.film_plan import FilmPlan

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Preview:
    """What a storyboard job yields: the film's length in seconds, and what the preview page shows of each scene."""

    seconds: float
    scenes: list[dict[str, Any]]


class StoppedError(Exception):
    """The emulator stops, and with it a film in the making."""


class Studio:
    """Makes previews and films in folders.

    :param threads: how many are made side by side
    :param allow_private_networks: whether pictures may come from addresses that are not public
    """

    def __init__(self, threads: int, *, allow_private_networks: bool) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="studio")
        self._allow_private_networks = allow_private_networks
        self._stopping = Event()

    def close(self) -> None:
        """Give up what is in the making and end the threads."""
        self._stopping.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def make_preview(self, storyboard: dict[str, Any], folder: Path) -> Preview:
        """Plan a film and draw a small picture of each scene.

        :param storyboard: the accepted request
        :param folder: appears with all its files, or not at all
        """
        plan = await self._plan(storyboard)
        pictures = await self._fetch(plan)
        return await self._run(_draw_preview, plan, pictures, folder, self._stopping)

    async def make_film(
        self, storyboard: dict[str, Any], folder: Path, report_progress: Callable[[float], None]
    ) -> float:
        """Make the .mp4 and what belongs to it; return its length in seconds.

        :param storyboard: the accepted request
        :param folder: appears with all its files, or not at all
        :param report_progress: told the part that is done, 0 to 1; called from a thread
        """
        plan = await self._plan(storyboard)
        if plan.notes:
            log.warning("%s: not drawn yet: %s", storyboard["videoName"], ", ".join(plan.notes))
        pictures = await self._fetch(plan)

        def report(part: float) -> None:
            if self._stopping.is_set():
                raise StoppedError
            report_progress(part)

        await self._run(_make_film, plan, pictures, folder, report)
        return plan.seconds

    async def _plan(self, storyboard: dict[str, Any]) -> FilmPlan:
        return await self._run(_plan_film, storyboard)

    async def _fetch(self, plan: FilmPlan) -> dict[str, Background]:
        if not plan.picture_urls:
            return {}
        from ..rendering.background_picture import fetch_pictures

        return await fetch_pictures(plan.picture_urls, allow_private_networks=self._allow_private_networks)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


# The pictures, video and speech libraries take half a second to import: not before the first film needs them.


def _plan_film(storyboard: dict[str, Any]) -> FilmPlan:
    from ..rendering.film_plan import plan_film

    return plan_film(StoryboardRequest.model_validate(storyboard))


def _draw_preview(plan: FilmPlan, pictures: dict[str, Background], folder: Path, stopping: Event) -> Preview:
    from ..rendering.film import draw_planned_scene, save_thumbnail

    scenes = []
    unfinished = _empty_folder(folder)
    for number, scene in enumerate(plan.scenes, 1):
        if stopping.is_set():
            raise StoppedError
        picture_file = f"scene-{number}.jpg"
        save_thumbnail(draw_planned_scene(plan, scene, pictures), unfinished / picture_file)
        scenes.append(
            {
                "text": scene.text,
                "seconds": scene.seconds,
                "picture": picture_file,
                "background": _background_name(scene.picture_url, pictures),
            }
        )
    unfinished.rename(folder)
    return Preview(plan.seconds, scenes)


def _make_film(
    plan: FilmPlan, pictures: dict[str, Background], folder: Path, report: Callable[[float], None]
) -> None:
    from ..rendering.film import make_film

    unfinished = _empty_folder(folder)
    make_film(plan, pictures, unfinished, report)
    unfinished.rename(folder)


def _background_name(url: str | None, pictures: dict[str, Background]) -> str:
    if url is None:
        return "colour"
    return "picture" if url in pictures else "colour, since the picture could not be fetched"


def _empty_folder(folder: Path) -> Path:
    """An empty folder beside the final one, for what is being made; what an earlier try left goes away."""
    shutil.rmtree(folder, ignore_errors=True)
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    return unfinished
