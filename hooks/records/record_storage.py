"""Opens ``[video_creation] record_folder``: a folder on a disk that all workers see, or one in object storage."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from airflow.providers.common.compat.sdk import conf

from ...provider.errors import ConfigurationError, VideoCreationError
from ..airflow.storage import PACKAGES, storage_path

SETTING = "[video_creation] record_folder"


class RecordStorage(Protocol):
    """Files in the folder, each written whole or not at all (source: ours)."""

    def read(self, file: PurePosixPath) -> bytes | None:
        """The content of a file; None if there is none."""

    def write(self, file: PurePosixPath, content: bytes, found: bytes | None) -> None:
        """Write a file, replacing what was found there."""

    def names(self, folder: PurePosixPath) -> list[str]:
        """The names of all files in a folder within."""

    def delete(self, file: PurePosixPath) -> None:
        """Delete a file, if it is there."""


def record_folder_setting() -> str:
    """The configured folder; an empty string if there is none (source: ours)."""
    return str(conf.get("video_creation", "record_folder", fallback="") or "").strip()


def record_storage(folder: str, *, named: str, away: type[VideoCreationError]) -> RecordStorage:
    """Open the folder (source: ours).

    :param folder: an absolute path, or a URL of ObjectStorage.
    :param named: the folder, for messages.
    :param away: the error to raise if it cannot be opened now.
    :raises ConfigurationError: it cannot be used from here.
    """
    protocol, separator, rest = folder.partition("://")
    if separator and protocol not in ("file", "local"):
        path = storage_path(folder, named=named, away=away)
        return _RemoteStorage(path.fs, str(path.path), is_object_store=protocol in PACKAGES)
    on_disk = Path(rest if separator else folder)
    if not on_disk.is_absolute():
        raise ConfigurationError(
            f"{named} must be an absolute path, or a URL such as s3://aws_default@my-bucket/records"
        )
    # Creating it here would hide that a disk is not mounted, or is not the other workers' disk.
    if not on_disk.is_dir():
        raise away(
            f"{named} is not a folder on this worker (create it on a disk that all workers see, or mount that disk)"
        )
    return _Disk(on_disk)


class _Disk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, file: PurePosixPath) -> bytes | None:
        try:
            return (self._folder / file).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, folder: PurePosixPath) -> list[str]:
        try:
            return [file.name for file in (self._folder / folder).iterdir() if not file.name.startswith(".")]
        except FileNotFoundError:
            return []

    def delete(self, file: PurePosixPath) -> None:
        (self._folder / file).unlink(missing_ok=True)

    def write(self, file: PurePosixPath, content: bytes, found: bytes | None) -> None:
        """Write a record, replacing what was found there and nothing else.

        :raises FileExistsError: another process has just written one.
        """
        place = self._folder / file
        place.parent.mkdir(exist_ok=True)
        partial = place.with_name(f".{uuid.uuid4().hex}.partial")
        try:
            with partial.open("xb") as beside:
                beside.write(content)
                beside.flush()
                os.fsync(beside.fileno())
            if found is None and _links(partial, place):
                partial.unlink()
            # Flushing takes long: another try may have written in the meantime.
            elif self.read(file) not in (found, None):
                raise FileExistsError(place)
            else:
                partial.replace(place)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
        # The rename itself must survive a loss of power; some file systems cannot guarantee that.
        with suppress(OSError):
            folder = os.open(place.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


class _RemoteStorage:
    """Uses the file system directly: what Airflow's path opens counts as lineage of the task."""

    def __init__(self, fs: Any, folder: str, *, is_object_store: bool) -> None:
        self._fs = fs
        self._folder = folder.rstrip("/")
        self._is_object_store = is_object_store

    def read(self, file: PurePosixPath) -> bytes | None:
        try:
            return bytes(self._fs.cat_file(f"{self._folder}/{file}"))
        except FileNotFoundError:
            return None

    def names(self, folder: PurePosixPath) -> list[str]:
        place = f"{self._folder}/{folder}"
        # A file system caches its listings.
        self._fs.invalidate_cache(place)
        try:
            return [str(path).rpartition("/")[2] for path in self._fs.ls(place, detail=False)]
        except FileNotFoundError:
            return []

    def delete(self, file: PurePosixPath) -> None:
        with suppress(FileNotFoundError):
            self._fs.rm_file(f"{self._folder}/{file}")

    def write(self, file: PurePosixPath, content: bytes, found: bytes | None) -> None:
        if not self._is_object_store:
            self._fs.makedirs(f"{self._folder}/{file.parent}", exist_ok=True)
        self._fs.pipe_file(f"{self._folder}/{file}", content)


def _links(partial: Path, place: Path) -> bool:
    """Move a file to its place, unless one is there already; False if the file system cannot.

    :raises FileExistsError: one is there.
    """
    try:
        os.link(partial, place)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True
