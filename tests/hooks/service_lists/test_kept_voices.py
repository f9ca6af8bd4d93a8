"""What one task has asked for the others on its machine use, and nobody else can read or change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.service_lists.kept_voices import KEPT_FOR, MAX_BYTES, KeptVoices
from airflow_video_creation.provider.service_lists.voices import Voices

SUBJECT = ("https://video.example.com", "user-7", "/v2/voices")
VOICES = Voices(frozenset({"Joanna", "Matthew"}), 2, is_whole=True)


@pytest.fixture
def kept(clock: Any) -> KeptVoices:
    return KeptVoices(SUBJECT, clock.time)


def folder(temporary_folder: Path) -> Path:
    return temporary_folder / f"video_creation_voices_{os.getuid()}"


def test_another_task_of_the_machine_reads_what_one_kept(kept: KeptVoices, clock: Any) -> None:
    kept.keep(VOICES)

    assert KeptVoices(SUBJECT, clock.time).read() == VOICES


def test_another_user_id_or_service_has_voices_of_its_own(kept: KeptVoices, clock: Any) -> None:
    kept.keep(VOICES)

    assert KeptVoices(("https://video.example.com", "user-8", "/v2/voices"), clock.time).read() is None
    assert KeptVoices(("https://video.example.com", None, "/v2/voices"), clock.time).read() is None


@pytest.mark.parametrize("seconds", [KEPT_FOR, -1.0])
def test_what_is_old_or_of_the_future_is_not_used(kept: KeptVoices, clock: Any, seconds: float) -> None:
    kept.keep(VOICES)

    clock.now += seconds
    assert kept.read() is None


def test_only_this_user_can_read_it_and_it_names_no_service(kept: KeptVoices, temporary_folder: Path) -> None:
    before = os.umask(0)
    try:
        kept.keep(VOICES)
    finally:
        os.umask(before)
    [file] = folder(temporary_folder).iterdir()

    assert folder(temporary_folder).stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600
    assert not any(part in str(file) + file.read_text() for part in ("example.com", "user-7"))


def test_a_folder_that_others_can_enter_is_not_used(kept: KeptVoices, temporary_folder: Path) -> None:
    kept.keep(VOICES)
    folder(temporary_folder).chmod(0o755)

    assert kept.read() is None
    kept.keep(VOICES)
    assert len(list(folder(temporary_folder).iterdir())) == 1


def test_a_link_in_the_place_of_the_folder_is_not_followed(kept: KeptVoices, temporary_folder: Path) -> None:
    elsewhere = temporary_folder / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder(temporary_folder).symlink_to(elsewhere)

    kept.keep(VOICES)
    assert list(elsewhere.iterdir()) == []
    assert kept.read() is None


def test_a_link_in_the_place_of_the_file_is_neither_read_nor_written_through(
    kept: KeptVoices, temporary_folder: Path
) -> None:
    kept.keep(VOICES)
    [file] = folder(temporary_folder).iterdir()
    target = temporary_folder / "target"
    file.rename(target)
    content = target.read_bytes()
    file.symlink_to(target)
    assert kept.read() is None

    kept.keep(Voices(frozenset({"Amy"}), 1, is_whole=True))
    assert target.read_bytes() == content
    assert not file.is_symlink()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b'{"at": "x", "names": [], "count": 0}',
        b'{"names": []}',
        b"[" * 5000,
        b" " * MAX_BYTES,
    ],
)
def test_a_file_that_is_spoiled_is_as_good_as_none(
    kept: KeptVoices, temporary_folder: Path, content: bytes
) -> None:
    kept.keep(VOICES)
    [file] = folder(temporary_folder).iterdir()
    file.write_bytes(content)

    assert kept.read() is None


def test_a_list_without_measure_is_not_kept(kept: KeptVoices, temporary_folder: Path) -> None:
    kept.keep(Voices(frozenset({"x" * MAX_BYTES}), 1, is_whole=True))

    assert kept.read() is None


def test_without_a_temporary_folder_nothing_is_kept(
    kept: KeptVoices, temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary_folder / "gone"))

    kept.keep(VOICES)
    assert kept.read() is None
