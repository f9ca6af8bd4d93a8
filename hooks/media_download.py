"""Fetches a finished video to a local file; media URLs carry their own right, so no token is sent."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions

from ..provider.models.media import is_web_url
from ..provider.protocol.errors import NotFoundError, ServiceUnreachableError, UnreadableReplyError
from ..provider.protocol.profile import ServiceProfile
from .requests_transport import open_session
from .transport_failures import failure_reason
from .unlogged_urls import urls_not_logged

LEAST_BYTES, LEAST_PERIOD = 64 * 1024, 300.0
"""So many bytes have to arrive within so many seconds, again and again until the end (ours)."""
EXPIRED = (401, 403, 404, 410)
"""Statuses with which a media host answers a URL whose right has ended (ours)."""


def download(
    url: str,
    target: Path,
    profile: ServiceProfile,
    *,
    job_id: str,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Fetch a media URL into a file and check that it is a whole .mp4 (source: ours).

    A media host of which less than 64 KiB arrive in 5 minutes is given up, however long the video.

    :param url: of the video; relative ones are taken below the base URL. Messages name its host only.
    :param target: the file to write.
    :param profile: gives time-outs, proxies and TLS settings.
    :param job_id: the job, for messages.
    :param clock: tells seconds.
    :return: the number of bytes.
    :raises ConfigurationError: the CA file of extra ``verify`` cannot be used.
    :raises NotFoundError: the URL is not valid (any more); read the job again for a fresh one.
    :raises ServiceUnreachableError: the media host failed, is too slow, or the file did not arrive whole.
    :raises UnreadableReplyError: what came is no .mp4.
    :raises OSError: the file cannot be written.
    """
    about: dict[str, Any] = {"operation": "download video", "job_id": job_id}
    with suppress(ValueError):
        url = urljoin(f"{profile.base_url}/", url)
    if not is_web_url(url.replace(" ", "%20")):
        raise UnreadableReplyError(
            f"What the service names as the video of job {job_id} is no web address (it begins with "
            f"{_scheme(url)!r}); nothing was fetched. Look at the job at the service.",
            **about,
        )
    host = urlsplit(url).netloc.rpartition("@")[2]
    try:
        with (
            open_session(profile, follow_redirects=True) as session,
            target.open("wb") as file,
            urls_not_logged(),
        ):
            status = _fetch(session, url, file, profile, clock)
    except _TooSlowError:
        raise ServiceUnreachableError(
            f"The video of job {job_id} arrives too slowly: {host} sent less than {LEAST_BYTES // 1024} KiB in "
            f"{LEAST_PERIOD / 60:.0f} minutes. Try again later.",
            **about,
        ) from None
    # What requests raises for an address that it is redirected to, its own errors or the standard library's.
    except ValueError:
        raise UnreadableReplyError(
            f"What the service names as the video of job {job_id} leads to what is no web address; nothing was "
            "kept. Look at the job at the service.",
            **about,
        ) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise ServiceUnreachableError(
            f"The video of job {job_id} did not arrive whole: {failure_reason(error, url)}. Try again later.",
            **about,
        ) from None
    if status in EXPIRED:
        raise NotFoundError(
            f"{host} does not give the video of job {job_id} (any more) ({status}): "
            "media URLs expire; read the job again.",
            status=status,
            **about,
        )
    if status != 200:
        raise ServiceUnreachableError(
            f"The video of job {job_id} cannot be fetched: {host} answered {status}. Try again later.",
            status=status,
            **about,
        )
    boxes = _boxes(target)
    if not boxes or boxes[0].kind != b"ftyp":
        raise UnreadableReplyError(
            f"What {host} holds as the video of job {job_id} is no .mp4 file; nothing was kept. "
            "Look at the job at the service.",
            **about,
        )
    kinds = {box.kind for box in boxes}
    if boxes[-1].end > target.stat().st_size or b"moov" not in kinds or not kinds & {b"mdat", b"moof"}:
        raise ServiceUnreachableError(
            f"The video of job {job_id} did not arrive whole: {host} sent only its beginning. Try again later.",
            **about,
        )
    return target.stat().st_size


def _scheme(url: str) -> str:
    """The part of a URL that may be told: the rest may be signed."""
    found = re.match(r"[a-z][a-z0-9+.-]{0,20}:", url, re.IGNORECASE)
    return found.group() if found else ""


class _TooSlowError(Exception):
    """Less than LEAST_BYTES arrived in LEAST_PERIOD."""


def _fetch(
    session: requests.Session, url: str, file: BinaryIO, profile: ServiceProfile, clock: Callable[[], float]
) -> int:
    timeout = (profile.connect_timeout, profile.read_timeout)
    with session.get(url, timeout=timeout, stream=True) as response:
        if response.ok:
            since, arrived = clock(), 0
            # Unlike iter_content, read1 hands over what has come instead of waiting for a whole chunk.
            while chunk := response.raw.read1(1024 * 1024, decode_content=True):
                file.write(chunk)
                arrived += len(chunk)
                if arrived >= LEAST_BYTES:
                    since, arrived = clock(), 0
                elif clock() - since > LEAST_PERIOD:
                    raise _TooSlowError
        return response.status_code


class _Box(NamedTuple):
    kind: bytes
    end: int


def _boxes(path: Path) -> list[_Box]:
    """The boxes that an .mp4 file consists of (source: ISO/IEC 14496-12, "Object structure")."""
    boxes: list[_Box] = []
    size_of_file = path.stat().st_size
    position = 0
    with path.open("rb") as file:
        while position + 8 <= size_of_file:
            file.seek(position)
            header = file.read(16)
            size = int.from_bytes(header[:4], "big")
            if size == 1:
                size = int.from_bytes(header[8:16], "big")
            elif size == 0:
                size = size_of_file - position
            if size < 8:
                break
            position += size
            boxes.append(_Box(header[4:8], position))
    return boxes
