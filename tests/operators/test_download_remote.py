"""A remote destination, with fsspec's memory in the place of a bucket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from airflow.providers.common.compat.sdk import ObjectStoragePath
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import DeliveryError

from ..told_errors import raises_telling

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096


def download(destination: str) -> Any:
    return DownloadVideoOperator(task_id="fetch", job_id="r-1", destination=destination).execute({})


@pytest.fixture
def store() -> Iterator[Any]:
    """A remote store: fsspec's memory, known to Airflow as ``memory://``."""
    files = attach("memory", fs=MemoryFileSystem()).fs
    # Other tests of this process have the same memory.
    files.store.clear()
    yield files
    files.store.clear()


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("memory://bucket/news.mp4", "/bucket/news.mp4"),
        ("memory://bucket/a b/", "/bucket/a b/r-1.mp4"),
    ],
)
def test_a_remote_destination(store: Any, destination: str, expected: str) -> None:
    returned = download(destination)

    assert store.cat_file(expected) == MP4
    assert ObjectStoragePath(returned).fs.cat_file(expected) == MP4


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("before", [None, b"yesterday's"], ids=["new", "existing"])
def test_an_upload_that_fails_leaves_no_part_of_it(
    store: Any, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    if before:
        store.pipe_file("/bucket/news.mp4", before)

    def break_off(local: str, path: str, **_: Any) -> None:
        if not before:
            store.pipe_file(path, b"half of it")
        raise ValueError("quota of https://store.example.com/?key=hush exceeded")

    monkeypatch.setattr(store, "put_file", break_off)

    with raises_telling(DeliveryError, r"cannot be written to memory://bucket/news\.mp4: quota") as told:
        download("memory://bucket/news.mp4")

    assert "hush" not in str(told.value)
    assert store.find("/bucket") == (["/bucket/news.mp4"] if before else [])
    assert not before or store.cat_file("/bucket/news.mp4") == before


class FileServer(MemoryFileSystem):  # type: ignore[misc]
    """Not an object store: it writes in place, and renames; to a name that is taken only if told so."""

    protocol = "sftp"
    store: ClassVar[dict[str, Any]] = {}
    renames_over = True
    upload_is_cut = False

    def put_file(self, lpath: str, rpath: str, **_: Any) -> None:
        content = Path(lpath).read_bytes()
        self.pipe_file(rpath, content[:100] if self.upload_is_cut else content)
        if self.upload_is_cut:
            raise ConnectionResetError("the connection was reset")

    def mv(self, path1: str, path2: str) -> None:
        if not self.renames_over and self.exists(path2):
            raise OSError("the name is taken")
        self.store[self._strip_protocol(path2)] = self.store.pop(self._strip_protocol(path1))


@pytest.fixture
def server() -> Iterator[FileServer]:
    """A file server, known to Airflow as ``sftp://``."""
    files = attach("sftp", fs=FileServer()).fs
    yield files
    files.store.clear()
    files.renames_over, files.upload_is_cut = True, False


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("before", [None, b"yesterday's"], ids=["new", "existing"])
def test_an_upload_to_a_file_server_that_is_cut_leaves_what_was_there(
    server: FileServer, before: bytes | None
) -> None:
    if before:
        server.pipe_file("/bucket/news.mp4", before)
    server.upload_is_cut = True

    with pytest.raises(DeliveryError, match="was reset"):
        download("sftp://files.example.com/bucket/news.mp4")

    assert {path: server.cat_file(path) for path in server.find("/bucket")} == (
        {"/bucket/news.mp4": before} if before else {}
    )


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("renames_over", [True, False])
@pytest.mark.parametrize("before", [None, b"yesterday's"], ids=["new", "existing"])
def test_a_file_server_gets_the_whole_video(
    server: FileServer, before: bytes | None, renames_over: bool
) -> None:
    if before:
        server.pipe_file("/bucket/news.mp4", before)
    server.renames_over = renames_over

    download("sftp://files.example.com/bucket/news.mp4")

    assert {path: server.cat_file(path) for path in server.find("/bucket")} == {"/bucket/news.mp4": MP4}
