"""The token of a callback URL, kept short: services take URLs of a few hundred characters.

| part            | bytes    | holds                                                                             |
|-----------------|----------|-----------------------------------------------------------------------------------|
| form            | -        | the character ``2``, before the base64url text of the rest                        |
| ``begun_at``    | 8        | a float: exactly the record's                                                     |
| time of the run | 8        | microseconds since 1970, as most run ids have it; a mark in the id stands for it |
| texts           | any      | the other values, a line each, deflated with a dictionary of common words         |
| signature       | 16       | of an HMAC-SHA256 of the parts before it (RFC 2104 allows half of the digest)     |
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

FORM = "2"
"""The first character of such a token."""
MAX_TEXTS = 16_384
"""Bytes of the longest texts that are unpacked (ours)."""
SIGNATURE_BYTES = 16
"""Of a signature."""

_SALT = b"video_creation.webhook.2"
_TEXTS = ("kind", "stage", "conn_id", "generation", "map_index", "task_id", "run_id", "dag_id")
_NUMBERS = struct.Struct(">dq")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")
_TIME_MARK = "\0"
# Part of the form: a change of one letter makes all tokens unreadable that were given out. The most common stand last.
_DICTIONARY = (
    b"podcast.transcript.newsletter.article.weekly.daily_news.nightly.publish.deliver.generate.make.create.videos_"
    b"video.preview.storyboard_"
    b"\nbackfill__\0\nasset_triggered__\0_\nmanual__\0_\nscheduled__\0\n"
    b"storyboard\n\nvideo_creation_default\n0\n-1\n"
    b"render\n\nvideo_creation_default\n1\n-1\n"
    b"storyboard\nstoryboard\nvideo_creation_default\n2\n-1\n"
    b"render\nrender\nvideo_creation_default\n3\n-1\n"
)


def signed(values: Mapping[str, Any], secret: str) -> str:
    """The token of a submitter.

    :param values: its fields, by name.
    :param secret: signs.
    """
    run_id, run_time = _without_time(values["run_id"])
    texts = "\n".join(str({**values, "run_id": run_id}[name]) for name in _TEXTS).encode()
    deflating = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=_DICTIONARY)
    content = _NUMBERS.pack(values["begun_at"], run_time) + deflating.compress(texts) + deflating.flush()
    return FORM + urlsafe_b64encode(content + _signature(content, secret)).decode().rstrip("=")


def claimed_values(token: str) -> dict[str, Any]:
    """What a token says, **not verified**.

    :param token: the last segment of the URL that was called.
    :raises ValueError: it has another form.
    """
    content = _parts(token)[0]
    try:
        begun_at, run_time = _NUMBERS.unpack_from(content)
        inflating = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_DICTIONARY)
        texts = inflating.decompress(content[_NUMBERS.size :], MAX_TEXTS)
    except (struct.error, zlib.error):
        raise ValueError("nothing packed") from None
    if not inflating.eof or inflating.unused_data:
        raise ValueError("too long, or cut off")
    values: dict[str, Any] = dict(zip(_TEXTS, texts.decode().split("\n"), strict=True))
    numbers = {name: int(values[name]) for name in ("generation", "map_index")}
    return {**values, **numbers, "begun_at": begun_at, "run_id": _with_time(values["run_id"], run_time)}


def is_signed(token: str, secret: str) -> bool:
    """Whether a token was signed with this secret.

    :param token: the last segment of the URL that was called.
    :param secret: of the connection.
    :raises ValueError: it has another form.
    """
    content, signature = _parts(token)
    return hmac.compare_digest(signature, _signature(content, secret))


def _signature(content: bytes, secret: str) -> bytes:
    key = hmac.digest(secret.encode(), _SALT, hashlib.sha256)
    return hmac.digest(key, content, hashlib.sha256)[:SIGNATURE_BYTES]


def _parts(token: str) -> tuple[bytes, bytes]:
    """What of a token is signed, and the signature."""
    text = token.removeprefix(FORM)
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    # Base64 is read from several texts, and only one is what was given out.
    if token != FORM + urlsafe_b64encode(data).decode().rstrip("="):
        raise ValueError("another text of the same bytes")
    return data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]


def _without_time(run_id: str) -> tuple[str, int]:
    found = _TIME.search(run_id)
    if found is None:
        return run_id, 0
    try:
        since = datetime.fromisoformat(found[0]) - _EPOCH
    except ValueError:
        return run_id, 0
    marked = run_id[: found.start()] + _TIME_MARK + run_id[found.end() :]
    micros = since // timedelta(microseconds=1)
    # A time may be written in another way than it is read back, such as with six zeros.
    return (marked, micros) if _with_time(marked, micros) == run_id else (run_id, 0)


def _with_time(run_id: str, micros: int) -> str:
    if _TIME_MARK not in run_id:
        return run_id
    try:
        return run_id.replace(_TIME_MARK, (_EPOCH + timedelta(microseconds=micros)).isoformat())
    except OverflowError:
        raise ValueError("no time") from None
