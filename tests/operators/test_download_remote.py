"""A remote destination, with fsspec's memory in the place of a bucket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import ObjectStoragePath
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.protocol.errors import DeliveryError

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096


def download(destination: str) -> Any:
    return DownloadVideoOperator(task_id="fetch", job_id="r-1", destination=destination).execute({})


@pytest.fixture
def store() -> Iterator[Any]:
    """A remote store: fsspec's memory, known to Airflow as ``memory://``."""
    files = attach("memory", fs=MemoryFileSystem()).fs
    yield files
    for path in files.find("/bucket"):
        files.rm_file(path)


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

    with pytest.raises(DeliveryError, match=r"cannot be written to memory://bucket/news\.mp4: quota") as told:
        download("memory://bucket/news.mp4")

    assert "hush" not in str(told.value)
    assert store.find("/bucket") == (["/bucket/news.mp4"] if before else [])
    assert not before or store.cat_file("/bucket/news.mp4") == before
