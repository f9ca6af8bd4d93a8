"""Fetching what a storyboard names: pictures, videos, the logo and fonts; only these, limited in size and time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from ...outgoing import open_session
from ..picture.background_picture import MAX_SIDE, open_picture
from ..picture.background_video import BackgroundVideo
from ..text.typeface import Typeface
from .private_media import object_url, read_object, stored_object

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger(__name__)

Background = Image.Image | BackgroundVideo
Media = Mapping[str, Background | Typeface]
"""Address -> what was found there."""

TIMEOUT_SECONDS = 10.0
MAX_BYTES = 20 * 1024 * 1024
MAX_FONT_BYTES = 5 * 1024 * 1024

MAX_OPENED_AT_ONCE = 2
"""Files of a job; a large picture takes several hundred MB while it is opened."""

REPLACEMENTS = {
    "Background": "replaced by a colour",
    "Logo": "left out",
    "Font": "replaced by one of the same family",
}


class UnusableMediaError(Exception):
    """A file that cannot be fetched or read; the message says why."""


@dataclass(frozen=True)
class MediaSources:
    """Where media may come from.

    :param allow_private_networks: whether an address may lead to a host that is not public
    :param folder: stands in for private storage: its subfolders are the buckets
    :param s3_endpoint: stands in for private storage: an address that answers `GET /<bucket>/<key>` without a signature
    """

    allow_private_networks: bool = False
    folder: Path | None = None
    s3_endpoint: str | None = None


async def fetch_media(
    backgrounds: Iterable[str],
    logos: Iterable[str],
    fonts: Iterable[str],
    sources: MediaSources,
    picture_side: int = MAX_SIDE,
) -> dict[str, Background | Typeface]:
    """Fetch files in parallel, each once. One that cannot be fetched or read is left out, and the log says why.

    :param backgrounds: addresses of pictures and videos
    :param logos: addresses of pictures
    :param fonts: addresses of .ttf or .otf fonts
    :param sources: where they may come from
    :param picture_side: pixels of the film's longer side; larger pictures are kept smaller
    :return: address -> picture, video or font
    """
    wanted = (
        dict.fromkeys(fonts, "Font") | dict.fromkeys(logos, "Logo") | dict.fromkeys(backgrounds, "Background")
    )
    if not wanted:
        return {}
    async with open_session(
        TIMEOUT_SECONDS, allow_private_networks=sources.allow_private_networks
    ) as session:
        fetcher = _Fetcher(session, sources, picture_side)
        found = await asyncio.gather(*(fetcher.fetch(url, use) for url, use in sorted(wanted.items())))
    return {url: medium for url, medium in zip(sorted(wanted), found, strict=True) if medium is not None}


class _Fetcher:
    def __init__(self, session: aiohttp.ClientSession, sources: MediaSources, picture_side: int) -> None:
        self._session = session
        self._sources = sources
        self._picture_side = picture_side
        self._openings = asyncio.Semaphore(MAX_OPENED_AT_ONCE)

    async def fetch(self, url: str, use: str) -> Background | Typeface | None:
        try:
            content, is_video = await self._read(url, MAX_FONT_BYTES if use == "Font" else MAX_BYTES)
            opens: Callable[[bytes], Background | Typeface] = partial(open_picture, side=self._picture_side)
            if use == "Font":
                opens = Typeface
            elif is_video and use == "Background":
                opens = BackgroundVideo
            async with self._openings:
                return await asyncio.to_thread(opens, content)
        except Exception as error:
            # Whatever a foreign server or file does wrong, the scene is drawn without it.
            reason = (
                "no answer in time" if isinstance(error, TimeoutError) else f"{error}" or type(error).__name__
            )
            log.warning("%s %s is %s: %s", use, url.partition("?")[0], REPLACEMENTS[use], reason)
            return None

    async def _read(self, url: str, most_bytes: int) -> tuple[bytes, bool]:
        """What is there, and whether it is a video."""
        stored = stored_object(url)
        if stored and self._sources.folder:
            content = await asyncio.to_thread(read_object, self._sources.folder, stored, most_bytes)
            return content, _is_video(content, "")
        if stored and self._sources.s3_endpoint:
            # The endpoint was named by whoever started the emulator, so it may be anywhere, but not redirect.
            async with open_session(TIMEOUT_SECONDS, allow_private_networks=True) as session:
                address = object_url(self._sources.s3_endpoint, stored)
                return await _download(session, address, most_bytes, max_redirects=0)
        if url.startswith("s3://"):
            raise UnusableMediaError("--media-folder or --s3-endpoint says where to read private media from")
        return await _download(self._session, url, most_bytes, max_redirects=3)


async def _download(
    session: aiohttp.ClientSession, url: str, most_bytes: int, max_redirects: int
) -> tuple[bytes, bool]:
    async with session.get(
        url, allow_redirects=max_redirects > 0, max_redirects=max(max_redirects, 1)
    ) as reply:
        if reply.status != 200:
            raise UnusableMediaError(f"status {reply.status}")
        content = bytearray()
        async for chunk in reply.content.iter_chunked(65_536):
            content += chunk
            if len(content) > most_bytes:
                raise UnusableMediaError(f"larger than {most_bytes} bytes")
        return bytes(content), _is_video(bytes(content[:16]), reply.content_type)


def _is_video(content: bytes, content_type: str) -> bool:
    """Whether a file is a video: said by its server, or by its first bytes (.mp4, .mov, .webm, .mkv)."""
    is_container = content[4:8] == b"ftyp" or content[:4] == b"\x1a\x45\xdf\xa3"
    # Pictures of the .avif and .heic kind are containers too.
    is_picture = content[8:12] in (b"avif", b"avis", b"heic", b"heix", b"mif1")
    return content_type.startswith("video/") or (is_container and not is_picture)
