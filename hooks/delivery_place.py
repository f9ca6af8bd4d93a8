"""Where a file is delivered to: the worker's disk, or any storage of ObjectStoragePath; whole or not at all."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from ..provider.protocol.errors import ConfigurationError
from ..provider.protocol.quoting import quotable
from .own_folder import own_folder

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import ObjectStoragePath

PACKAGES = {
    "abfs": "apache-airflow-providers-microsoft-azure",
    "abfss": "apache-airflow-providers-microsoft-azure",
    "gcs": "apache-airflow-providers-google",
    "gs": "apache-airflow-providers-google",
    "s3": "apache-airflow-providers-amazon[s3fs]",
    "s3a": "apache-airflow-providers-amazon[s3fs]",
}
"""What brings a protocol's file system to Airflow."""


class Place(Protocol):
    """Where one file is delivered to (source: ours). Every storage raises errors of its own."""

    def put(self, arrived: Path) -> None:
        """Bring a file there, which appears whole or not at all."""

    def size(self) -> int:
        """How many bytes are there."""

    def open(self) -> IO[bytes]:
        """What is there, to be read."""

    def remove(self) -> None:
        """Remove what is there."""


def place_of(destination: str, own: str, task_id: str) -> Place:
    """The place that a path or URL names (source: ours).

    :param destination: absolute path or URL.
    :param own: how names of temporary folders beside it begin.
    :param task_id: for messages.
    :raises ConfigurationError: no such storage can be reached from here.
    """
    if local := _local_path(destination):
        return _LocalPlace(local, own)
    from airflow.providers.common.compat.sdk import ObjectStoragePath

    try:
        path = ObjectStoragePath(destination)
        _ = path.fs
    # Every file system has errors of its own, for a connection that is missing as for a package.
    except Exception as error:
        package = PACKAGES.get(destination.partition("://")[0])
        install = f"; if it is not installed: pip install '{package}'" if package else ""
        raise ConfigurationError(
            f"The destination {destination!r} of task {task_id!r} cannot be used: "
            f"{quotable(str(error)) or type(error).__name__}{install}."
        ) from error
    return _RemotePlace(path)


def holds(place: Place, size: int, sha256: str) -> bool:
    """Whether exactly such a file is there; what cannot be read is not (source: ours).

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
    """The checksum of what a file holds (source: ours).

    :param file: at its beginning.
    """
    digest = hashlib.sha256()
    while chunk := file.read(1024 * 1024):
        digest.update(chunk)
    return digest.hexdigest()


def read_at_most(place: Place, size: int) -> bytes | None:
    """What is there; None where that is nothing, larger, or cannot be read (source: ours).

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
    def __init__(self, path: Path, own: str) -> None:
        self._path = path
        self._own = own

    def put(self, arrived: Path) -> None:
        """Copy beside the target, then rename: on one file system that happens whole or not at all."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with own_folder(self._path.parent, self._own) as beside:
            partial = beside / self._path.name
            shutil.copyfile(arrived, partial)
            partial.replace(self._path)

    def size(self) -> int:
        return self._path.stat().st_size

    def open(self) -> IO[bytes]:
        return self._path.open("rb")

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)


class _RemotePlace:
    def __init__(self, path: ObjectStoragePath) -> None:
        self._path: Any = path

    @cached_property
    def _fs(self) -> Any:
        return self._path.fs

    def put(self, arrived: Path) -> None:
        """Upload at once: object stores show whole uploads only, elsewhere what a failed one began is removed."""
        was_there = True
        with suppress(Exception):
            was_there = self._fs.exists(self._path.path)
        try:
            self._fs.put_file(str(arrived), self._path.path)
        except BaseException:
            if not was_there:
                with suppress(Exception):
                    self._fs.rm_file(self._path.path)
            raise

    def size(self) -> int:
        return int(self._fs.size(self._path.path))

    def open(self) -> IO[bytes]:
        return cast(IO[bytes], self._fs.open(self._path.path, "rb"))

    def remove(self) -> None:
        if self._fs.exists(self._path.path):
            self._fs.rm_file(self._path.path)
