"""Files that the processes of one user share: nobody else reads them, and nobody else's are believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from airflow_video_creation.hooks.private_files import NAME, PrivateFiles


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / NAME


def test_another_process_reads_what_one_has_written(folder: Path) -> None:
    PrivateFiles().write("a", b"1")
    PrivateFiles().write("a", b"2")

    assert PrivateFiles().read("a") == b"2"
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_nobody_else_may_look(folder: Path) -> None:
    PrivateFiles().write("a", b"1")

    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "a").stat().st_mode & 0o777 == 0o600


def test_what_is_not_there_is_none(folder: Path) -> None:
    assert PrivateFiles().read("a") is None


def test_a_folder_that_others_may_enter_is_not_used(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "a").write_bytes(b"planted")

    PrivateFiles().write("b", b"1")

    assert PrivateFiles().read("a") is None
    assert not (folder / "b").exists()


def test_a_folder_that_is_a_link_is_not_used(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)

    PrivateFiles().write("a", b"1")

    assert not list(elsewhere.iterdir())


def test_a_file_that_is_a_link_is_not_read(folder: Path, tmp_path: Path) -> None:
    folder.mkdir(mode=0o700)
    (tmp_path / "elsewhere").write_bytes(b"planted")
    (folder / "a").symlink_to(tmp_path / "elsewhere")

    assert PrivateFiles().read("a") is None


def test_a_disk_that_cannot_be_written_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(tmp_path / "file"))

    PrivateFiles().write("a", b"1")

    assert PrivateFiles().read("a") is None


def test_what_cannot_be_put_in_its_place_leaves_nothing_behind(folder: Path) -> None:
    PrivateFiles().write("a", b"1")
    (folder / "b" / "in the way").mkdir(parents=True)

    PrivateFiles().write("b", b"2")

    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / "a", 0o600)

    assert PrivateFiles().read("a") is None
