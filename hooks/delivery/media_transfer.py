"""Downloads one file from a media host to the disk, and resumes where the connection broke off."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace
from functools import partial
from typing import BinaryIO
from urllib.parse import urlsplit

import requests
import urllib3.exceptions

from ...provider.connection.profile import ServiceProfile
from ...provider.delivery.progress import Progress, size_text
from ...provider.delivery.resumption import NOTHING, PAUSES, begun, request_headers, verdict
from ..transport.failures import failure_reason
from ..transport.time_limit import in_thread
from ..transport.unlogged_urls import urls_not_logged

MIN_BYTES, MIN_BYTES_PERIOD = 64 * 1024, 300.0
"""At least this many bytes must arrive in every period of this many seconds (ours)."""
EXPIRED = (401, 403, 404, 410)
"""Statuses with which a media host answers a URL that has expired (ours)."""
PASSING = (408, 425, 429, 500, 502, 503, 504)
"""Statuses after which the rest of a file is requested again (ours)."""
CHUNK = 1024 * 1024
WATCH = 1.0
"""Seconds between two checks whether enough has arrived (ours)."""


class TooSlowError(Exception):
    """Less than MIN_BYTES arrived in MIN_BYTES_PERIOD."""


class MediaTransfer:
    """One file on its way (source: ours).

    :param session: follows redirects.
    :param file: to write; it is empty.
    :param profile: gives the time-outs.
    :param clock: tells seconds.
    :param sleep: waits for a number of seconds.
    :param tell: takes lines for the log, which name no URL.
    :param renew: returns a fresh URL of the same file for one that has expired; None: nobody can.
    """

    def __init__(
        self,
        session: requests.Session,
        file: BinaryIO,
        profile: ServiceProfile,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        tell: Callable[[str], None],
        renew: Callable[[], str] | None = None,
    ) -> None:
        self._session = session
        self._file = file
        self._timeout = (profile.connect_timeout, profile.read_timeout)
        self._clock = clock
        self._sleep = sleep
        self._tell = tell
        self._renew = renew
        self._partial = NOTHING
        self._furthest = 0
        self._since, self._arrived = clock(), 0
        self._progress = Progress(self._since)

    def run(self, url: str) -> int:
        """Fetch the file.

        A download that breaks off is resumed if the host names the version of the file, so that both parts belong
        together. Otherwise, and before the first byte, the first error ends it.

        :param url: of the file.
        :return: 200 for the whole file, otherwise the status of the reply that ended it.
        :raises TooSlowError: less than 64 KiB arrived in 5 minutes.
        :raises requests.RequestException: there was no reply.
        :raises urllib3.exceptions.HTTPError: the connection broke off.
        """
        resumptions, renewed_at = 0, -1
        while True:
            before = self._furthest
            failure: Exception | None = None
            try:
                status = self._watched(url)
                reason = f"{urlsplit(url).netloc.rpartition('@')[2]} answered {status}"
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                status, failure, reason = 0, error, failure_reason(error, url)
            if status == 200:
                return status
            if status in EXPIRED and self._renew and renewed_at < self._furthest:
                renewed_at = self._furthest
                url = self._renew()
                continue
            if self._furthest - before >= MIN_BYTES:
                resumptions = 0
            is_passing = failure is not None or status in PASSING
            if not is_passing or not self._partial.resumable or resumptions == len(PAUSES):
                if failure:
                    raise failure
                return status
            self._tell(f"{reason}: resuming after {size_text(self._partial.size)}")
            self._sleep(PAUSES[resumptions])
            resumptions += 1

    def _watched(self, url: str) -> int:
        """One request in a thread of its own, since a host that sends headers or chunk sizes very slowly could hold it
        forever.

        Once abandoned, it ends at the first byte that it would write, since the file is closed by then.
        """
        pending = in_thread(partial(self._ask, url), "video-creation-download")
        while not wait([pending], WATCH).done:
            if self._clock() - self._since > MIN_BYTES_PERIOD:
                raise TooSlowError
        return pending.result()

    def _ask(self, url: str) -> int:
        """One request; 200 for the whole file."""
        headers = request_headers(self._partial)
        with (
            urls_not_logged(),
            self._session.get(url, headers=headers, timeout=self._timeout, stream=True) as response,
        ):
            brings = verdict(response.status_code, response.headers, self._partial)
            if brings == "complete":
                return 200
            if brings == "refused":
                return response.status_code
            if brings == "whole":
                self._begin_again()
                self._partial = begun(response.headers)
            if brings != "changed":
                self._read(response)
                return 200
        self._begin_again()
        return self._ask(url)

    def _read(self, response: requests.Response) -> None:
        # Unlike iter_content, read1 returns what has come instead of waiting for a whole chunk.
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            self._take(chunk)
        if self._partial.total not in (None, self._partial.size):
            raise urllib3.exceptions.ProtocolError("the length is not the announced one")

    def _begin_again(self) -> None:
        if self._partial.size:
            self._tell("the media host cannot resume it: starting over")
            self._file.seek(0)
            self._file.truncate()
        self._partial = NOTHING

    def _take(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self._partial = replace(self._partial, size=self._partial.size + len(chunk))
        self._furthest = max(self._furthest, self._partial.size)
        self._arrived += len(chunk)
        now = self._clock()
        if self._arrived >= MIN_BYTES:
            self._since, self._arrived = now, 0
        elif now - self._since > MIN_BYTES_PERIOD:
            raise TooSlowError
        if line := self._progress.line(self._partial.size, self._partial.total, now):
            self._tell(line)
