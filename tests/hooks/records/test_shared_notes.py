"""Notes that all runs share: in Airflow Variables, or in the record folder on a disk or in an object storage."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.hooks.records.record_folder import RecordFolder
from airflow_video_creation.hooks.records.shared_notes import (
    FolderNotes,
    SharedNotes,
    VariableNotes,
    shared_notes,
)
from airflow_video_creation.provider.errors import ConfigurationError, SpendingRecordError

SETTING = "AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"


class Variable:
    """Airflow's Variables of 3.3."""

    values: ClassVar[dict[str, str]] = {}
    described: ClassVar[dict[str, str]] = {}

    @classmethod
    def keys(cls, prefix: str) -> list[str]:
        return [key for key in cls.values if key.startswith(prefix)]

    @classmethod
    def get(cls, key: str, default: Any = None) -> Any:
        return cls.values.get(key, default)

    @classmethod
    def set(cls, key: str, value: str, description: str) -> None:
        cls.values[key] = value
        cls.described[key] = description

    @classmethod
    def delete(cls, key: str) -> None:
        cls.values.pop(key, None)


@pytest.fixture(params=["Variables", "disk", "remote"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str | None]:
    """The record folder that is set, if one is."""
    Variable.values = {}
    monkeypatch.setattr("airflow.sdk.Variable", Variable)
    if request.param == "remote":
        conn_id = uuid.uuid4().hex
        files = attach("memory", conn_id, fs=MemoryFileSystem()).fs
        folder = f"memory://{conn_id}@{conn_id}/records/"
        monkeypatch.setenv(SETTING, folder)
        yield folder
        files.rm(f"/{conn_id}", recursive=True)
    elif request.param == "disk":
        monkeypatch.setenv(SETTING, str(tmp_path))
        yield str(tmp_path)
    else:
        yield None


def opened(kind: str = "budget.x") -> SharedNotes:
    return shared_notes(kind, "for a person")


def test_what_one_writes_another_finds(place: Any) -> None:
    one, other = opened(), opened()
    assert other.names() == []
    assert other.read("a.1") is None

    one.write("a.1", "first")
    one.write("b.2", "über")
    assert sorted(other.names()) == ["a.1", "b.2"]
    assert [other.read(name) for name in ("a.1", "b.2")] == ["first", "über"]

    other.write("a.1", "second")
    other.delete("b.2")
    other.delete("b.2")
    assert (one.names(), one.read("a.1"), one.read("b.2")) == (["a.1"], "second", None)


def test_kinds_and_records_do_not_mix(place: Any) -> None:
    opened("budget.x").write("a", "1")
    if place:
        ti: Any = type("Ti", (), {"dag_id": "video_creation.budget.x", "run_id": "r", "task_id": "t"})
        ti.map_index = -1
        RecordFolder(place, ti).set("key", 1)
    assert opened("carried.x").names() == opened("budget.y").names() == []
    assert opened("budget.x").names() == ["a"]


def test_a_person_who_sees_a_variable_reads_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airflow.sdk.Variable", Variable)
    Variable.described = {}
    opened().write("a", "1")
    assert Variable.described == {"video_creation.budget.x.a": "for a person"}


def test_a_listing_that_changes_while_it_is_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([["a"], [], ["b"], ["b"]])

    class Renamed(Variable):
        @classmethod
        def keys(cls, prefix: str) -> list[str]:
            return [prefix + name for name in next(looks)]

    monkeypatch.setattr("airflow.sdk.Variable", Renamed)
    assert VariableNotes("budget.x", "").names() == ["b"]


def test_an_airflow_that_is_away_is_named_with_what_it_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError("no route")

    monkeypatch.setattr("airflow.sdk.Variable", Away())
    notes = VariableNotes("budget.x", "")
    for work in (
        notes.names,
        lambda: notes.read("a"),
        lambda: notes.write("a", ""),
        lambda: notes.delete("a"),
    ):
        with pytest.raises(SpendingRecordError, match=r"ConnectionError: no route.*nothing is paid"):
            work()


@pytest.mark.parametrize("folder", ["relative/folder", "nosuch://bucket/records"])
def test_a_folder_that_no_retry_mends_is_a_wrong_setting(folder: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\[video_creation\] record_folder"):
        FolderNotes(folder, "budget.x").names()


def test_a_folder_that_refuses_is_named(tmp_path: Path) -> None:
    notes = FolderNotes(str(tmp_path), "budget.x")
    (tmp_path / "video_creation.budget.x").write_text("a file is in the way")
    for work in (
        notes.names,
        lambda: notes.read("a"),
        lambda: notes.write("a", ""),
        lambda: notes.delete("a"),
    ):
        with pytest.raises(SpendingRecordError, match=r"record_folder .* could not .*nothing is paid"):
            work()
