"""Where a file is delivered to: the worker's disk, or any storage of ObjectStoragePath; whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from ...provider.errors import DeliveryError
from ..airflow.storage import PACKAGES, storage_path
from .own_folder import OwnName, own_folder

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import ObjectStoragePath


def _nothing() -> None:
    """Do nothing."""


class Place(Protocol):
    """The place where one file is delivered (source: ours). Every storage raises its own errors."""

    def put(self, arrived: Path, replacing: Callable[[], None] = _nothing) -> None:
        """Put a file there, which appears whole or not at all.

        :param arrived: the file, on the worker's disk.
        :param replacing: called when all of it is in the storage, before it is moved into place; or right after that if
            the storage does both in one step, as object stores do.
        """

    def mark(self) -> object:
        """A mark that changes when the file is replaced: the same mark proves the same file, another one proves
        nothing."""

    def size(self) -> int:
        """How many bytes are there."""

    def open(self) -> IO[bytes]:
        """What is there, to be read."""

    def remove(self) -> None:
        """Remove what is there."""


def place_of(destination: str, own: OwnName, task_id: str, argument: str = "destination") -> Place:
    """The place that a path or URL names (source: ours).

    :param destination: absolute path or URL.
    :param own: the owner of the temporary folders beside it.
    :param task_id: for messages.
    :param argument: the task's argument that names it, for messages.
    :raises ConfigurationError: no such storage can be used from here.
    :raises DeliveryError: the storage cannot be reached now.
    """
    if local := _local_path(destination):
        return _LocalPlace(local, own)
    named = f"The {argument} {destination!r} of task {task_id!r}"
    return _RemotePlace(storage_path(destination, named=named, away=DeliveryError), own)


def require_writable(destination: str, own: OwnName, task_id: str) -> None:
    """Find out whether a folder on the worker's disk is writable, before anything is paid for (source: ours).

    An object store is not tried: a test file there could trigger whatever watches the bucket.

    :param destination: absolute path or URL of a file.
    :param own: the prefix of the names of temporary folders beside it.
    :param task_id: for messages.
    :raises DeliveryError: it is not.
    """
    if (local := _local_path(destination)) is None:
        return
    try:
        local.parent.mkdir(parents=True, exist_ok=True)
        with own_folder(local.parent, own.and_for("test")):
            pass
    except OSError as error:
        raise DeliveryError(
            f"Task {task_id!r} cannot write to its destination {str(local.parent)!r}: {error.strerror or error}. "
            "Nothing was sent, and nothing was paid. Correct destination= or its permissions, and clear the task."
        ) from error


def holds(place: Place, size: int, sha256: str) -> bool:
    """Whether exactly such a file is there; one that cannot be read does not count (source: ours).

    :param place: where.
    :param size: bytes.
    :param sha256: of its content, in hexadecimal digits.
    """
    with suppress(Exception):
        if place.size() == size:
            with place.open() as file:
                return sha256_of(file) == sha256
    return False


def sha256_of(file: IO[bytes]) -> str:
    """The checksum of a file's content (source: ours).

    :param file: at its beginning.
    """
    digest = hashlib.sha256()
    while chunk := file.read(1024 * 1024):
        digest.update(chunk)
    return digest.hexdigest()


def read_at_most(place: Place, size: int) -> bytes | None:
    """The content that is there; None if there is none, it is larger, or it cannot be read (source: ours).

    :param place: where.
    :param size: bytes.
    """
    with suppress(Exception):
        if place.size() <= size:
            with place.open() as file:
                return file.read()
    return None


def _local_path(destination: str) -> Path | None:
    """A path on the worker's disk, None for anything else; Airflow 3.1 would take a relative one from the root."""
    scheme, separator, rest = destination.partition("://")
    if not separator:
        return Path(destination)
    return Path(rest.removeprefix("localhost")) if scheme == "file" else None


class _LocalPlace:
    def __init__(self, path: Path, own: OwnName) -> None:
        self._path = path
        self._own = own

    def put(self, arrived: Path, replacing: Callable[[], None] = _nothing) -> None:
        """Copy beside the target, then rename: on one file system that happens whole or not at all."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with own_folder(self._path.parent, self._own.and_for("copy")) as beside:
            partial = beside / "partial"
            shutil.copyfile(arrived, partial)
            # If something fails, it must fail while nothing is lost.
            if self._path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            replacing()
            partial.replace(self._path)

    def mark(self) -> object:
        found = self._path.stat()
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def size(self) -> int:
        return self._path.stat().st_size

    def open(self) -> IO[bytes]:
        return self._path.open("rb")

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)


class _RemotePlace:
    def __init__(self, path: ObjectStoragePath, own: OwnName) -> None:
        self._path: Any = path
        self._own = own

    @cached_property
    def _fs(self) -> Any:
        return self._path.fs

    def put(self, arrived: Path, replacing: Callable[[], None] = _nothing) -> None:
        """Upload directly if the storage shows only whole uploads, or cannot rename; otherwise upload beside it, then
        rename."""
        if self._renames():
            self._upload_and_rename(arrived, replacing)
            return
        was_there = True
        with suppress(Exception):
            was_there = self._fs.exists(self._path.path)
        try:
            self._fs.put_file(str(arrived), self._path.path)
        except BaseException:
            if not was_there:
                self._discard(self._path.path)
            raise
        replacing()

    def mark(self) -> object:
        self._fs.invalidate_cache()
        return self._fs.ukey(self._path.path)

    def size(self) -> int:
        return int(self._fs.size(self._path.path))

    def open(self) -> IO[bytes]:
        return cast(IO[bytes], self._fs.open(self._path.path, "rb"))

    def remove(self) -> None:
        if self._fs.exists(self._path.path):
            self._fs.rm_file(self._path.path)

    def _renames(self) -> bool:
        """Whether it is not an object store, and its file system renames without copying."""
        from fsspec import AbstractFileSystem  # type: ignore[import-untyped]

        is_store = self._path.protocol in PACKAGES
        return not is_store and type(self._fs).mv is not AbstractFileSystem.mv

    def _upload_and_rename(self, arrived: Path, replacing: Callable[[], None]) -> None:
        target = self._path.path
        folder, slash, _ = target.rpartition("/")
        partial = f"{folder}{slash}{self._own}{uuid.uuid4().hex}"
        try:
            self._fs.put_file(str(arrived), partial)
            replacing()
            try:
                self._fs.mv(partial, target)
            # Some rename only to a free name.
            except Exception:
                if not self._fs.isfile(target):
                    raise
                self._fs.rm_file(target)
                self._fs.mv(partial, target)
        except BaseException:
            self._discard(partial)
            raise

    def _discard(self, path: str) -> None:
        with suppress(Exception):
            self._fs.rm_file(path)
