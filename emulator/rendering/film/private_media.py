"""Private media: which stored object an address names, and reading it from a folder that stands in for the storage."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

_HOST = re.compile(r"(?P<bucket>[a-z0-9.-]{3,63})\.s3[.-](?:[a-z0-9-]+\.)?amazonaws\.com")


class StoredObject(NamedTuple):
    """An object in a bucket."""

    bucket: str
    key: str


class UnreadableObjectError(Exception):
    """An object that cannot be read; the message says why."""


def stored_object(address: str) -> StoredObject | None:
    """Read `s3://<bucket>/<key>` and `https://<bucket>.s3.<region>.amazonaws.com/<key>`. Source: the interface,
    "Scene object".

    :param address: of a background
    :return: nothing for any other address
    """
    if address.startswith("s3://"):
        bucket, _, key = address.removeprefix("s3://").partition("/")
        return StoredObject(bucket, key)
    parts = urlsplit(address)
    host = _HOST.fullmatch(parts.hostname or "")
    key = unquote(parts.path).lstrip("/")
    return StoredObject(host["bucket"], key) if host and key else None


def object_url(endpoint: str, stored: StoredObject) -> str:
    """Return the address of an object at an endpoint, with the bucket in the path.

    :param endpoint: such as `http://127.0.0.1:5000`
    :param stored: the object
    :raises UnreadableObjectError: when the key has a segment `.` or `..`, which would lead out of the bucket
    """
    if {".", ".."} & {stored.bucket, *stored.key.split("/")}:
        raise UnreadableObjectError(f"{stored.bucket}/{stored.key} has a segment that is . or ..")
    return f"{endpoint.rstrip('/')}/{quote(stored.bucket)}/{quote(stored.key)}"


def read_object(folder: Path, stored: StoredObject, most_bytes: int) -> bytes:
    """Read an object from a folder whose subfolders are the buckets.

    :param folder: stands in for the storage
    :param stored: the object
    :param most_bytes: a larger one is refused
    :raises UnreadableObjectError: when there is no such file, it is too large, or it lies outside its bucket
    """
    bucket = folder.resolve() / stored.bucket
    try:
        path = (bucket / stored.key).resolve()
        if not path.is_relative_to(bucket) or not path.is_file():
            raise UnreadableObjectError(f"there is no file {stored.bucket}/{stored.key} in {folder}")
        if path.stat().st_size > most_bytes:
            raise UnreadableObjectError(f"larger than {most_bytes} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableObjectError(f"{stored.bucket}/{stored.key} cannot be read: {error}") from None
