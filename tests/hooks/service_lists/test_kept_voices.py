"""What one task has asked for the others on its machine use for a few minutes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.private_files import NAME
from airflow_video_creation.hooks.service_lists.kept_voices import KEPT_FOR, KeptVoices
from airflow_video_creation.provider.service_lists.voices import Voices

SUBJECT = ("https://video.example.com", "user-7", "/v2/voices")
VOICES = Voices(frozenset({"Joanna", "Matthew"}), 2, is_whole=True)


@pytest.fixture
def kept(clock: Any) -> KeptVoices:
    return KeptVoices(SUBJECT, clock.time)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What lies there: ``files()``."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(tmp_path))
    return lambda: list((tmp_path / NAME).iterdir())


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


def test_it_tells_neither_the_service_nor_the_user(files: Any, kept: KeptVoices) -> None:
    kept.keep(VOICES)
    [file] = files()

    assert not any(part in file.name + file.read_text() for part in ("example.com", "user-7"))


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b"\xff", b'{"at": "x", "names": [], "count": 0}', b'{"names": []}', b"[" * 5000],
)
def test_a_file_that_is_spoiled_is_as_good_as_none(files: Any, kept: KeptVoices, content: bytes) -> None:
    kept.keep(VOICES)
    [file] = files()
    file.write_bytes(content)

    assert kept.read() is None


def test_a_list_without_measure_is_not_used(kept: KeptVoices) -> None:
    kept.keep(Voices(frozenset({"x" * (1 << 20)}), 1, is_whole=True))

    assert kept.read() is None


def test_a_machine_that_keeps_nothing_stops_nothing(
    kept: KeptVoices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(tmp_path / "file"))

    kept.keep(VOICES)
    assert kept.read() is None
