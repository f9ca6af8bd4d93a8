"""Fetches a file of a finished video; media URLs carry their own authorization, so no token is sent."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions

from ...provider.connection.profile import ServiceProfile
from ...provider.delivery.media_kind import HEAD, VIDEO, MediaKind
from ...provider.errors import (
    NotFoundError,
    PermissionDeniedError,
    ServiceUnreachableError,
    UnreadableReplyError,
)
from ...provider.models.media import is_web_url
from ...provider.quoting import sentence
from ..transport.failures import failure_reason
from ..transport.requests_transport import open_session
from .media_transfer import EXPIRED, MIN_BYTES, MIN_BYTES_PERIOD, MediaTransfer, TooSlowError
from .mp4_structure import mp4_state


def download(
    url: str,
    target: Path,
    profile: ServiceProfile,
    *,
    job_id: str,
    kind: MediaKind = VIDEO,
    title: str | None = None,
    renew: Callable[[], str] | None = None,
    tell: Callable[[str], None] = lambda line: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Fetch a media URL into a file and check that it is a whole .mp4, subtitles, or a picture (source: ours).

    A download that breaks off is resumed where it stopped, if the host names the file's version. A media host that
    sends less than 64 KiB in 5 minutes is given up, however long the video.

    :param url: of the file; relative ones are taken below the base URL. Messages name its host only.
    :param target: the file to write.
    :param profile: gives time-outs, proxies and TLS settings.
    :param job_id: the job, for messages.
    :param kind: what it should be.
    :param title: of it, for messages, such as ``video 'news'``; the kind's by default.
    :param renew: returns a fresh URL for one that has expired; without it that is a NotFoundError.
    :param tell: takes lines for the log.
    :param clock: tells seconds.
    :param sleep: waits for a number of seconds.
    :return: the number of bytes.
    :raises ConfigurationError: the CA file of extra ``verify`` cannot be used.
    :raises NotFoundError: the URL is not valid (any more), nor is a fresh one where there is ``renew``.
    :raises PermissionDeniedError: the media host refuses a fresh URL too.
    :raises ServiceUnreachableError: the media host failed, is too slow, or the file did not arrive whole.
    :raises UnreadableReplyError: what came is not such a file.
    :raises OSError: the file cannot be written.
    """
    title = title or kind.title
    about: dict[str, Any] = {"operation": _operation(kind), "job_id": job_id}
    current, is_fresh = "", False

    def address(named: str) -> str:
        nonlocal current
        with suppress(ValueError):
            named = urljoin(f"{profile.base_url}/", named)
        if not is_web_url(named.replace(" ", "%20")):
            raise UnreadableReplyError(
                f"The address that the service gives for the {title} of job {job_id} is not a web address (it begins "
                "with "
                f"{_scheme(named)!r}). Nothing was fetched. Check the job at the service.",
                **about,
            )
        current = named
        return named

    def fresh_address() -> str:
        nonlocal is_fresh
        assert renew
        is_fresh = True
        return address(renew())

    address(url)
    try:
        with (
            open_session(profile, follow_redirects=True) as session,
            target.open("wb") as file,
        ):
            transfer = MediaTransfer(
                session,
                file,
                profile,
                clock=clock,
                sleep=sleep,
                tell=lambda line: tell(f"{sentence(title)} of job {job_id}: {line}"),
                renew=fresh_address if renew else None,
            )
            status = transfer.run(current)
    except TooSlowError:
        raise ServiceUnreachableError(
            f"The {title} of job {job_id} arrives too slowly: {_host(current)} sent less than "
            f"{MIN_BYTES // 1024} KiB in {MIN_BYTES_PERIOD / 60:.0f} minutes. Try again later.",
            **about,
        ) from None
    # The errors that requests raises for a redirect's address, its own or the standard library's.
    except ValueError:
        raise UnreadableReplyError(
            f"The {title} of job {job_id} redirects to something that is not a web address. Nothing was kept. Check "
            "the job at the service.",
            **about,
        ) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise ServiceUnreachableError(
            f"The {title} of job {job_id} did not arrive whole: {failure_reason(error, current)}. Try again later.",
            **about,
        ) from None
    host = _host(current)
    if status in EXPIRED and is_fresh:
        raise _fresh_url_refused(host, title, job_id, status, about)
    if status in EXPIRED:
        raise NotFoundError(
            f"{host} does not return the {title} of job {job_id}, or no longer does ({status}). Media URLs expire: "
            "read the job again.",
            status=status,
            **about,
        )
    if status != 200:
        raise ServiceUnreachableError(
            f"The {title} of job {job_id} cannot be fetched: {host} answered {status}. Try again later.",
            status=status,
            **about,
        )
    state = _state(target, kind)
    if state == "foreign":
        raise UnreadableReplyError(
            f"What {host} returns as the {title} of job {job_id} is {_foreign(kind)}. Nothing was kept. Check the job "
            "at the service.",
            **about,
        )
    if state == "cut":
        raise ServiceUnreachableError(
            f"The {title} of job {job_id} did not arrive whole: {host} sent only its beginning. Try again later.",
            **about,
        )
    return target.stat().st_size


def _fresh_url_refused(
    host: str, title: str, job_id: str, status: int, about: dict[str, Any]
) -> NotFoundError | PermissionDeniedError:
    asked = "The job was read again for a fresh link, and that one"
    again = "clear this task to fetch it again, which costs nothing."
    if status in (401, 403):
        return PermissionDeniedError(
            f"{host} refuses the {title} of job {job_id} ({status}). {asked} is refused too. "
            "Check whether this worker may reach that host (firewall, proxy, allowed addresses) and whether its "
            f"clock is right; if so, ask the service's support. The job is finished: {again}",
            status=status,
            **about,
        )
    return NotFoundError(
        f"{host} does not have the {title} of job {job_id} ({status}). {asked} fails too. "
        f"Check the job at the service, which may have removed the file. If it is there, {again}",
        status=status,
        **about,
    )


def _operation(kind: MediaKind) -> str:
    return f"download {kind.name}"


DOWNLOAD_VIDEO = _operation(VIDEO)
"""The ``operation`` of the errors that say how fetching a video failed (ours)."""


def _state(file: Path, kind: MediaKind) -> Literal["whole", "cut", "foreign"]:
    if kind is VIDEO:
        return mp4_state(file)
    with file.open("rb") as content:
        return "whole" if kind.ending(content.read(HEAD)) else "foreign"


def _foreign(kind: MediaKind) -> str:
    return "not an .mp4 file" if kind is VIDEO else f"not a {kind.title}, or is empty"


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _scheme(url: str) -> str:
    """The part of a URL that may be shown: the rest may be signed."""
    found = re.match(r"[a-z][a-z0-9+.-]{0,20}:", url, re.IGNORECASE)
    return found.group() if found else ""
