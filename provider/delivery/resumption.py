"""How a download that broke off resumes where it stopped, with proof that the rest belongs to its beginning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

Verdict = Literal["whole", "rest", "complete", "changed", "refused"]
"""What a reply brings: the file from its beginning, the missing rest, nothing since all is there; what is there
belongs to another file; or none of these."""

PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each request for the rest; when all are used up without 64 KiB more, the download fails (ours)."""

_STRONG_AGE = timedelta(seconds=60)
_CONTENT_RANGE = re.compile(r"bytes (?:([0-9]+)-[0-9]+|\*)/([0-9]+|\*)")
_DIGITS = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Partial:
    """What has arrived of a file.

    :param size: bytes.
    :param total: bytes of the whole file, where the host has said so.
    :param validator: what names this version of the file, an ETag or a date; None: nothing does, so that a download
        that breaks off cannot be resumed.
    """

    size: int = 0
    total: int | None = None
    validator: str | None = None

    @property
    def resumable(self) -> bool:
        """Whether a request for the rest is safe."""
        return self.size > 0 and self.validator is not None


NOTHING = Partial()


def begun(headers: Mapping[str, str]) -> Partial:
    """The file whose first bytes follow a reply's headers (source: RFC 9110, "Validator Fields").

    A weak ETag names no bytes, and a date only if it is a minute older than the reply.

    :param headers: of a reply with status 200.
    """
    found = _lower(headers)
    if found.get("content-encoding", "identity") != "identity":
        return NOTHING
    length = found.get("content-length", "")
    etag, modified, date = found.get("etag", ""), found.get("last-modified", ""), found.get("date", "")
    validator = None
    if etag.startswith('"'):
        validator = etag
    elif (changed := _date(modified)) and (sent := _date(date)) and sent - changed >= _STRONG_AGE:
        validator = modified
    return Partial(0, int(length) if _DIGITS.fullmatch(length) else None, validator)


def request_headers(partial: Partial) -> dict[str, str]:
    """The headers that ask for what is missing: the rest if the file is still the same, else all of it.

    :param partial: what has arrived.
    """
    # What is compressed on its way has other positions than the file.
    headers = {"Accept-Encoding": "identity"}
    if partial.resumable:
        assert partial.validator
        headers |= {"Range": f"bytes={partial.size}-", "If-Range": partial.validator}
    return headers


def verdict(status: int, headers: Mapping[str, str], partial: Partial) -> Verdict:
    """What a reply brings (source: RFC 9110, "Range Requests").

    :param status: of the reply.
    :param headers: of the reply.
    :param partial: what had arrived when the request was sent.
    """
    if status == 200:
        return "whole"
    if status not in (206, 416) or not partial.resumable:
        return "refused"
    found = _lower(headers)
    match = _CONTENT_RANGE.fullmatch(found.get("content-range", "").strip())
    first, total = (match[1], match[2]) if match else (None, None)
    if status == 416:
        return "complete" if first is None and total == str(partial.size) else "changed"
    same_total = partial.total is None or total in ("*", str(partial.total))
    # Caches are known that ignore If-Range.
    name = "etag" if str(partial.validator).startswith('"') else "last-modified"
    same_file = found.get(name, partial.validator) == partial.validator
    plain = found.get("content-encoding", "identity") == "identity"
    return "rest" if first == str(partial.size) and same_total and same_file and plain else "changed"


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
