"""Fetching the backgrounds that a storyboard names: only these, limited in size and time, public addresses only."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PIL import Image

from ..jobs.outgoing import open_session
from .background_video import BackgroundVideo

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger(__name__)

Background = Image.Image | BackgroundVideo

TIMEOUT_SECONDS = 10.0
MOST_BYTES = 20 * 1024 * 1024
MOST_PIXELS = 50_000_000


class UnusablePictureError(Exception):
    """A background picture that cannot be had; the message says why."""


async def fetch_pictures(urls: Iterable[str], *, allow_private_networks: bool) -> dict[str, Background]:
    """Fetch pictures and videos side by side. One that cannot be had is left out, and the log says why.

    :param urls: http and https addresses
    :param allow_private_networks: whether an address may lead to a host that is not public
    :return: address -> picture or video
    """
    wanted = sorted(set(urls))
    if not wanted:
        return {}
    async with open_session(TIMEOUT_SECONDS, allow_private_networks=allow_private_networks) as session:
        pictures = await asyncio.gather(*(_fetch(session, url) for url in wanted))
    return {url: picture for url, picture in zip(wanted, pictures, strict=True) if picture is not None}


async def _fetch(session: aiohttp.ClientSession, url: str) -> Background | None:
    try:
        content, is_video = await _download(session, url)
        return await asyncio.to_thread(BackgroundVideo if is_video else _open, content)
    except Exception as error:
        # Whatever a foreign server or file does wrong, the scene is drawn on a colour.
        reason = (
            "no answer in time" if isinstance(error, TimeoutError) else f"{error}" or type(error).__name__
        )
        log.warning("Background %s is replaced by a colour: %s", url.partition("?")[0], reason)
        return None


async def _download(session: aiohttp.ClientSession, url: str) -> tuple[bytes, bool]:
    """What is there, and whether it is a video."""
    async with session.get(url, max_redirects=3) as reply:
        if reply.status != 200:
            raise UnusablePictureError(f"status {reply.status}")
        content = bytearray()
        async for chunk in reply.content.iter_chunked(65_536):
            content += chunk
            if len(content) > MOST_BYTES:
                raise UnusablePictureError(f"larger than {MOST_BYTES} bytes")
        return bytes(content), reply.content_type.startswith("video/") or content[4:8] == b"ftyp"


def _open(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    if picture.width * picture.height > MOST_PIXELS:
        raise UnusablePictureError(f"{picture.width} x {picture.height} pixels are too many")
    return picture.convert("RGB")
