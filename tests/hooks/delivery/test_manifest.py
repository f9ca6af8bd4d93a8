"""A manifest holds one JSON object a line, of all rows or of those of before, and its errors say what to do."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.hooks.delivery.manifest import Manifest
from airflow_video_creation.hooks.delivery.own_folder import OwnName
from airflow_video_creation.provider.errors import ConfigurationError, DeliveryError

ROWS: list[dict[str, Any]] = [
    {"video_name": "Zwölf Brücken", "state": "delivered", "duration": 31.5},
    {"video_name": "news", "state": "failed", "error": "no speaker 'X'\nof that name\u2028"},
]


def manifest(destination: Path | str) -> Manifest:
    return Manifest(str(destination), OwnName(".video-creation-own-"), "night")


def read(content: bytes) -> list[Any]:
    """The rows, as a reader takes them that knows nothing but JSON lines."""
    assert not content or content.endswith(b"\n")
    return [json.loads(line) for line in content.decode().removesuffix("\n").split("\n") if line]


@pytest.fixture(autouse=True)
def on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The worker's folder for temporary files."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def store() -> Iterator[Any]:
    """A remote store: fsspec's memory, known to Airflow as ``memory://``."""
    files = attach("memory", fs=MemoryFileSystem()).fs
    files.store.clear()
    yield files
    files.store.clear()


def test_each_row_is_a_line_that_people_can_read(tmp_path: Path) -> None:
    manifest(tmp_path / "night.jsonl").write(ROWS)

    content = (tmp_path / "night.jsonl").read_bytes()
    assert read(content) == ROWS
    assert "Zwölf Brücken" in content.decode()


def test_it_is_written_again_with_all_rows_so_far(tmp_path: Path, on_the_way: Path) -> None:
    file = tmp_path / "new folder" / "night.jsonl"
    writer = manifest(file)
    rows = [{"video_name": f"video-{number}", "note": "n" * 450} for number in range(3000)]
    for end in (0, 1, 1500, 3000):
        writer.write(iter(rows[:end]))
        assert read(file.read_bytes()) == rows[:end]

    assert list(file.parent.iterdir()) == [file]
    assert not list(on_the_way.iterdir())


def test_a_remote_manifest(store: Any) -> None:
    writer = manifest("memory://bucket/night/videos.jsonl")
    writer.write(ROWS[:1])
    writer.write(ROWS)

    assert store.find("/bucket") == ["/bucket/night/videos.jsonl"]
    assert read(store.cat_file("/bucket/night/videos.jsonl")) == ROWS


def test_half_a_surrogate_pair_of_somebodys_title_does_not_cost_the_manifest(tmp_path: Path) -> None:
    rows = [{"error": "broken emoji \ud83d"}]

    manifest(tmp_path / "night.jsonl").write(rows)

    assert read((tmp_path / "night.jsonl").read_bytes()) == rows


@pytest.mark.parametrize("row", [{"duration": float("nan")}, {"when": object()}], ids=["NaN", "no JSON"])
def test_a_row_that_is_no_json_leaves_the_manifest_as_it_was(tmp_path: Path, row: dict[str, Any]) -> None:
    writer = manifest(tmp_path / "night.jsonl")
    writer.write(ROWS)

    with pytest.raises(DeliveryError, match=r"The manifest of task 'night' .*night\.jsonl: .*JSON"):
        writer.write([*ROWS, row])

    assert read((tmp_path / "night.jsonl").read_bytes()) == ROWS


def test_a_full_disk_leaves_the_manifest_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def copy_a_part(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    writer = manifest(tmp_path / "night.jsonl")
    writer.write(ROWS[:1])
    monkeypatch.setattr("shutil.copyfile", copy_a_part)

    with pytest.raises(DeliveryError) as told:
        writer.write(ROWS)

    assert str(told.value) == (
        f"The manifest of task 'night' cannot be written to {tmp_path}/night.jsonl: [Errno 28] No space left on "
        "device. No job is lost, and writing it again costs nothing. Correct manifest= or its permissions, or make "
        f"room there and in {tmp_path}/tmp. The next try of the task writes it; a clear keeps what is delivered."
    )
    assert read((tmp_path / "night.jsonl").read_bytes()) == ROWS[:1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["night.jsonl", "tmp"]


@pytest.mark.parametrize("before", [True, False])
def test_a_manifest_that_is_a_folder_or_below_a_file_is_an_error(tmp_path: Path, before: bool) -> None:
    taken = tmp_path / "taken"
    taken.mkdir() if before else taken.touch()

    with pytest.raises(DeliveryError, match=r"cannot be written to .*Correct manifest="):
        manifest(taken if before else taken / "night.jsonl").write(ROWS)


def test_an_upload_that_fails_tells_no_secret(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(local: str, path: str, **_: Any) -> None:
        raise ValueError("quota of https://store.example.com/?key=hush exceeded")

    monkeypatch.setattr(store, "put_file", break_off)

    with pytest.raises(DeliveryError, match=r"memory://bucket/night\.jsonl: quota") as told:
        manifest("memory://bucket/night.jsonl").write(ROWS)

    assert "hush" not in str(told.value)
    assert not store.find("/bucket")


def test_a_storage_that_cannot_be_used_is_said_before_the_first_row() -> None:
    with pytest.raises(
        ConfigurationError, match=r"The manifest 'nowhere://bucket/night.jsonl' of task 'night'"
    ):
        manifest("nowhere://bucket/night.jsonl")
