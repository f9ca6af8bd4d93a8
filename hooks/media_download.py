"""Fetches a finished video to a local file; media URLs carry their own right, so no token is sent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions

from ..provider.protocol.errors import NotFoundError, ServiceUnreachableError, UnreadableReplyError
from ..provider.protocol.profile import ServiceProfile
from .requests_transport import open_session
from .transport_failures import failure_reason

EXPIRED = (401, 403, 404, 410)
"""Statuses with which a media host answers a URL whose right has ended (ours)."""


def download(url: str, target: Path, profile: ServiceProfile, *, job_id: str) -> int:
    """Fetch a media URL into a file and check that it is a whole .mp4.

    :param url: of the video; relative ones are taken below the base URL. Messages name its host only.
    :param target: the file to write.
    :param profile: gives time-outs, proxies and TLS settings.
    :param job_id: the job, for messages.
    :return: the number of bytes.
    :raises NotFoundError: the URL is not valid (any more); read the job again for a fresh one.
    :raises ServiceUnreachableError: the media host failed, or the file did not arrive whole.
    :raises UnreadableReplyError: what came is no .mp4.
    :raises OSError: the file cannot be written.
    """
    url = urljoin(f"{profile.base_url}/", url)
    host = urlsplit(url).netloc.rpartition("@")[2]
    about: dict[str, Any] = {"operation": "download video", "job_id": job_id}
    try:
        with open_session(profile) as session, target.open("wb") as file, _urls_not_logged():
            status = _fetch(session, url, file, profile)
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
    if not 200 <= status < 300:
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
    if boxes[-1].end > target.stat().st_size:
        raise ServiceUnreachableError(
            f"The video of job {job_id} did not arrive whole: {host} sent only its beginning. Try again later.",
            **about,
        )
    return target.stat().st_size


def _fetch(session: requests.Session, url: str, file: BinaryIO, profile: ServiceProfile) -> int:
    timeout = (profile.connect_timeout, profile.read_timeout)
    with session.get(url, timeout=timeout, stream=True) as response:
        if response.ok:
            for chunk in response.iter_content(1024 * 1024):
                file.write(chunk)
        return response.status_code


@contextmanager
def _urls_not_logged() -> Iterator[None]:
    """The connection pool logs whole URLs: at debug level each, at warning level those with odd headers."""
    pool = logging.getLogger("urllib3.connectionpool")

    def drop(record: logging.LogRecord) -> bool:
        return False

    pool.addFilter(drop)
    try:
        yield
    finally:
        pool.removeFilter(drop)


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
