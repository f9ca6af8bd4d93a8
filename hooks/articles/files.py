"""Finds and reads articles that are files in any storage that Airflow can read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from ...provider.articles.feed import FeedEntry
from ...provider.articles.file_kinds import CONTENT_TYPES, ending, endings_at, refused_kind
from ...provider.errors import ArticleError, ArticleUnreachableError, ConfigurationError, VideoCreationError
from ...provider.quoting import quotable
from ..airflow.storage import storage_path
from ..transport.time_limit import OutOfTimeError, within
from .fetch import MAX_ANSWER, TOTAL_TIMEOUT, Answer

_VERSIONS = ("ETag", "etag", "content_md5", "LastModified", "last_modified", "updated", "mtime")
_DATES = ("LastModified", "last_modified", "updated", "mtime", "created")


def list_files(places: Sequence[str]) -> tuple[FeedEntry, ...]:
    """Return the articles at some places, by date, each file once (source: ours).

    An entry's date is when the file was last changed; its guid changes with the file.

    :param places: URLs or paths for ObjectStoragePath, such as ``s3://conn_id@bucket/articles/``: folders (with
        a slash at the end, or without), files, or patterns with ``*``, ``**``, ``?``. Markdown is read where the
        place ends with ``.md``.
    :raises ConfigurationError: the storage cannot be used, or a place names files of a kind that cannot be read.
    :raises ArticleUnreachableError: the storage cannot be reached, or a place cannot be listed.
    """
    found: dict[str, FeedEntry] = {}
    for place in places:
        for path, details in _listing(place):
            url = _url(place, path)
            found.setdefault(url, _entry(url, details))
    earliest = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(found.values(), key=lambda entry: (entry.published or earliest, entry.url)))


def read_file(url: str) -> Answer:
    """Return the content of a file (source: ours).

    :param url: a URL or path for ObjectStoragePath, such as an entry's of ``list_files``.
    :raises ArticleError: it does not exist, is not a file, cannot be read, or is larger than 10 MiB.
    :raises ArticleUnreachableError: the storage did not return it within 60 s.
    :raises ConfigurationError: the storage cannot be used.
    """
    try:
        body = within(TOTAL_TIMEOUT, partial(_content, url), "stored file")
    except VideoCreationError:
        raise
    except FileNotFoundError:
        raise ArticleError(
            f"{without_connection(url)} does not exist. Put the file there, or correct its address."
        ) from None
    except OutOfTimeError:
        raise ArticleUnreachableError(
            f"{without_connection(url)} was not read within {TOTAL_TIMEOUT} s: try again."
        ) from None
    # Every file system has its own errors.
    except Exception as error:
        no_retry_mends = isinstance(error, PermissionError | IsADirectoryError)
        raise (ArticleError if no_retry_mends else ArticleUnreachableError)(
            f"{without_connection(url)} cannot be read ({type(error).__name__}: {quotable(str(error))}). Check the "
            "connection and its permissions."
        ) from None
    if len(body) > MAX_ANSWER:
        size = f"{MAX_ANSWER >> 20} MiB"
        raise ArticleError(
            f"{without_connection(url)} is larger than {size}: check that it is the right file."
        )
    return Answer(body, url, CONTENT_TYPES.get(ending(url), "text/html"))


def without_connection(url: str) -> str:
    """Return an object's URL without the id of an Airflow connection.

    :param url: such as ``s3://conn_id@bucket/a.html``.
    """
    scheme, separator, rest = url.partition("://")
    container, slash, key = rest.partition("/")
    return f"{scheme}{separator}{container.rpartition('@')[2]}{slash}{key}" if separator else url


def _opened(place: str) -> Any:
    named = f"The storage of {without_connection(place)!r}"
    return storage_path(place, named=named, away=ArticleUnreachableError)


def _listing(place: str) -> list[tuple[str, Mapping[str, Any]]]:
    if refused := refused_kind(place):
        raise ConfigurationError(f"files= has {without_connection(place)!r}, which {refused}.")
    path = _opened(place)
    try:
        fs, where = path.fs, path.path
        if any(sign in where for sign in "*?["):
            details = fs.glob(where, detail=True)
        elif fs.isdir(where):
            details = {info["name"]: info for info in fs.ls(where, detail=True)}
        else:
            details = {where: fs.info(where)}
    except FileNotFoundError:
        raise ConfigurationError(
            f"There is no {without_connection(place)}: give a folder, a file or a pattern that exists."
        ) from None
    except Exception as error:
        raise ArticleUnreachableError(
            f"{without_connection(place)} cannot be listed ({type(error).__name__}: {quotable(str(error))}). Check "
            "the connection and its permissions."
        ) from None
    return [
        (name, info)
        for name, info in details.items()
        if info.get("type") != "directory" and ending(name) in endings_at(place)
    ]


def _url(place: str, path: str) -> str:
    """A file's URL, with the connection of the place where it was found."""
    scheme, separator, rest = place.partition("://")
    if not separator or scheme == "file":
        return f"file://{path}"
    container = rest.partition("/")[0]
    connection = container.rpartition("@")[0]
    return f"{scheme}://{connection + '@' if connection else ''}{path.lstrip('/')}"


def _entry(url: str, details: Mapping[str, Any]) -> FeedEntry:
    version = next((str(details[name]) for name in _VERSIONS if details.get(name)), "")
    name = f"{without_connection(url)} {version} {details.get('size') or ''}"
    return FeedEntry(
        url=url,
        published=next((date for name in _DATES if (date := _moment(details.get(name)))), None),
        guid=hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32],
    )


def _moment(date: Any) -> datetime | None:
    try:
        if isinstance(date, str):
            date = datetime.fromisoformat(date)
        elif isinstance(date, int | float):
            return datetime.fromtimestamp(date, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not isinstance(date, datetime):
        return None
    return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)


def _content(url: str) -> bytes:
    with _opened(url).open("rb") as file:
        content: bytes = file.read(MAX_ANSWER + 1)
    return content
