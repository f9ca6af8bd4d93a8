"""Fetches a finished video to a local file; media URLs carry their own right, so no token is sent."""

from __future__ import annotations

from pathlib import Path
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
    """Fetch a media URL into a file and check that it is an .mp4.

    :param url: of the video; relative ones are taken below the base URL. Never logged with its query.
    :param target: the file to write.
    :param profile: gives time-outs, proxies and TLS settings.
    :param job_id: the job, for messages.
    :return: the number of bytes.
    :raises NotFoundError: the URL is not valid (any more); read the job again for a fresh one.
    :raises ServiceUnreachableError: the media host failed, or the file did not arrive whole.
    :raises UnreadableReplyError: what came is no .mp4.
    """
    url = urljoin(f"{profile.base_url}/", url)
    parts = urlsplit(url)
    where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    timeout = (profile.connect_timeout, profile.read_timeout)
    try:
        with open_session(profile) as session, session.get(url, timeout=timeout, stream=True) as response:
            if response.status_code in EXPIRED:
                raise NotFoundError(
                    f"The video of job {job_id} is not at {where} (any more) ({response.status_code}): "
                    "media URLs expire; read the job again.",
                    operation="download video",
                    status=response.status_code,
                    job_id=job_id,
                )
            if not response.ok:
                raise ServiceUnreachableError(
                    f"The video of job {job_id} cannot be fetched from {where}: the media host answered "
                    f"{response.status_code}. Try again later.",
                    operation="download video",
                    status=response.status_code,
                    job_id=job_id,
                )
            with target.open("wb") as file:
                for chunk in response.iter_content(1024 * 1024):
                    file.write(chunk)
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise ServiceUnreachableError(
            f"The video of job {job_id} did not arrive whole from {where}: {failure_reason(error, url)}. "
            "Try again later.",
            operation="download video",
            job_id=job_id,
        ) from None
    with target.open("rb") as file:
        head = file.read(12)
    if head[4:8] != b"ftyp":
        raise UnreadableReplyError(
            f"What {where} holds for job {job_id} is no .mp4 file; nothing was kept. "
            "Look at the job at the service.",
            operation="download video",
            job_id=job_id,
        )
    return target.stat().st_size
