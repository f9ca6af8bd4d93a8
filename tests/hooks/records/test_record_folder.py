"""The folder that keeps a task's records where Airflow keeps none."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.hooks.records.record_folder import RecordFolder
from airflow_video_creation.hooks.records.record_storage import _Disk
from airflow_video_creation.hooks.records.task_store import task_store
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    SubmissionRecordError,
    TryReplacedError,
)
from airflow_video_creation.provider.submission.record import Submission

SETTING = "AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"
KEY = "video_creation.submission"


def ti(dag_id: str = "d", run_id: str = "r", task_id: str = "t", map_index: int = -1) -> Any:
    return SimpleNamespace(dag_id=dag_id, run_id=run_id, task_id=task_id, map_index=map_index, try_number=1)


@pytest.fixture(params=["disk", "file URL", "remote"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where records are kept."""
    if request.param == "remote":
        conn_id = uuid.uuid4().hex
        files = attach("memory", conn_id, fs=MemoryFileSystem()).fs
        yield f"memory://{conn_id}@{conn_id}/records/"
        files.rm(f"/{conn_id}", recursive=True)
    else:
        yield str(tmp_path) if request.param == "disk" else f"file://{tmp_path}/"


def test_a_later_try_finds_what_an_earlier_one_has_kept(folder: str) -> None:
    RecordFolder(folder, ti()).set(KEY, {"state": "intent"})
    later = RecordFolder(folder, ti())
    assert later.get(KEY) == {"state": "intent"}
    later.set(KEY, {"state": "submitted"})
    later.set(KEY, {"state": "completed"})
    assert RecordFolder(folder, ti()).get(KEY) == {"state": "completed"}


def test_what_was_never_kept_is_the_default(folder: str) -> None:
    records = RecordFolder(folder, ti())
    assert records.get(KEY) is None
    assert records.get(KEY, 7) == 7
    records.set(KEY, {})
    assert records.get("another", 7) == 7


TEXTS = st.text(max_size=300) | st.sampled_from(["..", ".", "/", "../../etc", "a/b", "a_b", "A_b", "é" * 250])
TASKS = st.builds(ti, TEXTS, TEXTS, TEXTS, st.integers(-1, 10**6))


@given(one=TASKS, other=TASKS, keys=st.tuples(TEXTS, TEXTS))
def test_no_name_leads_out_of_the_folder_or_to_anothers_record(
    tmp_path_factory: pytest.TempPathFactory, one: Any, other: Any, keys: tuple[str, str]
) -> None:
    place = tmp_path_factory.mktemp("records")
    RecordFolder(str(place), one).set(keys[0], {"of": "one"})
    [file] = place.rglob("*.json")
    assert len(file.name) < 256
    assert file.parent.parent == place
    is_same = (vars(one), keys[0]) == (vars(other), keys[1])
    assert RecordFolder(str(place), other).get(keys[1]) == ({"of": "one"} if is_same else None)


def test_a_person_finds_a_record_by_its_name_and_reads_whose_it_is(tmp_path: Path) -> None:
    RecordFolder(str(tmp_path), ti("videos", "manual__2026-11-22T06:00:00+00:00", "make", 3)).set(
        KEY, {"a": 1}
    )
    [file] = tmp_path.rglob("*.json")
    told = str(file.relative_to(tmp_path))
    assert told.startswith("videos/manual__2026-11-22T06_00_00_00_00.make.3.video_creation_submission.")
    assert '"run_id": "manual__2026-11-22T06:00:00+00:00"' in file.read_text()


@pytest.mark.parametrize("content", ["", '{"version": 1, "val', "[]", '"text"', "null", "{}"])
def test_half_a_record_is_a_doubt(tmp_path: Path, content: str) -> None:
    RecordFolder(str(tmp_path), ti()).set(KEY, {"generation": 2, "state": "submitted"})
    [file] = tmp_path.rglob("*.json")
    file.write_text(content)
    found = Submission.from_json(RecordFolder(str(tmp_path), ti()).get(KEY), generation=2)
    assert found
    assert (found.state, found.job_id) == ("intent", None)


def test_nobody_sees_a_record_that_is_half_written(tmp_path: Path) -> None:
    writer, reader = RecordFolder(str(tmp_path), ti()), RecordFolder(str(tmp_path), ti())
    writer.set(KEY, {"text": ""})

    def write() -> None:
        for number in range(100):
            writer.set(KEY, {"text": str(number % 10) * 100_000})

    writing = threading.Thread(target=write)
    writing.start()
    seen = []
    while writing.is_alive():
        seen.append(reader.get(KEY)["text"])
    assert all(text == "" or text == text[0] * 100_000 for text in seen)
    assert [file.suffix for file in tmp_path.rglob("*") if file.is_file()] == [".json"]


def test_a_record_that_another_try_has_written_meanwhile_is_not_overwritten(folder: str) -> None:
    one, other = RecordFolder(folder, ti()), RecordFolder(folder, ti())
    assert one.get(KEY) is other.get(KEY) is None
    other.set(KEY, {"by": "other"})
    with pytest.raises(TryReplacedError, match=r"\[video_creation\] record_folder"):
        one.set(KEY, {"by": "one"})
    assert one.get(KEY) == {"by": "other"}
    one.set(KEY, {"by": "one"})
    with pytest.raises(TryReplacedError):
        other.set(KEY, {"by": "other"})


def test_a_record_that_this_try_never_read_is_not_overwritten(folder: str) -> None:
    """Of many videos a try that finds no index reads no shard, and freezes before it writes the first one."""
    frozen, successor = RecordFolder(folder, ti()), RecordFolder(folder, ti())
    successor.set(KEY, {"by": "successor"})
    with pytest.raises(TryReplacedError, match="another try of the task has written it"):
        frozen.set(KEY, {"by": "frozen"})
    assert successor.get(KEY) == {"by": "successor"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("records", "must be an absolute path"),
        ("~/records", "must be an absolute path"),
        ("file://records", "must be an absolute path"),
        ("/nowhere/records", "is not a folder on this worker"),
        (__file__, "is not a folder on this worker"),
        ("odd://bucket/records", "check its address"),
        ("gs://bucket/records", "pip install 'apache-airflow-providers-google'"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named(wrong: str, told: str) -> None:
    records = RecordFolder(wrong, ti())
    for use in (lambda: records.get(KEY), lambda: records.set(KEY, {})):
        with pytest.raises(
            (ConfigurationError, SubmissionRecordError), match=r"\[video_creation\] record_folder"
        ) as error:
            use()
        assert told in str(error.value)


class Refusing(MemoryFileSystem):  # type: ignore[misc]
    """A bucket in which the worker may do nothing."""

    def cat_file(self, *_: Any, **__: Any) -> bytes:
        raise PermissionError("AccessDenied")


def test_a_folder_that_may_not_be_read_says_why() -> None:
    attach("memory", "refusing", fs=Refusing())
    with pytest.raises(
        SubmissionRecordError, match=r"could not read .*AccessDenied; check that this worker may list"
    ):
        RecordFolder("memory://refusing@bucket", ti()).get(KEY)


class Kept(dict[str, Any]):
    """Airflow's task state store."""

    set = dict.__setitem__


def test_airflows_own_store_comes_first_and_is_the_only_one_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path))
    RecordFolder(str(tmp_path), ti()).set("before", {"by": "the folder"})
    airflows = Kept(after={"by": "Airflow"})
    context: Any = {"ti": ti(), "task_state_store": airflows}

    store = task_store(context)

    assert store
    assert (store.get("before"), store.get("after")) == ({"by": "the folder"}, {"by": "Airflow"})
    assert store.get("never", 7) == 7
    store.set("before", {"by": "Airflow"})
    assert store.get("before") == airflows["before"] == {"by": "Airflow"}
    assert RecordFolder(str(tmp_path), ti()).get("before") == {"by": "the folder"}


@pytest.mark.parametrize("setting", [None, "", " "])
@pytest.mark.parametrize("airflows", [None, Kept()])
def test_without_the_setting_airflows_store_is_all_there_is(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, airflows: Any
) -> None:
    if setting is not None:
        monkeypatch.setenv(SETTING, setting)
    context: Any = {"ti": ti(), "task_state_store": airflows}
    assert task_store(context) is airflows


def test_a_record_is_no_lineage_of_the_task(folder: str) -> None:
    from airflow.providers.common.compat.lineage.hook import get_hook_lineage_collector

    before = get_hook_lineage_collector().collected_assets
    records = RecordFolder(folder, ti())
    records.set(KEY, {})
    records.get(KEY)
    assert get_hook_lineage_collector().collected_assets == before


def test_of_two_that_make_the_first_record_at_once_only_one_does(tmp_path: Path) -> None:
    """Both have read that there is none."""
    disk = _Disk(tmp_path)
    file = PurePosixPath("night/record.json")
    disk.write(file, b"first", None)
    with pytest.raises(FileExistsError):
        disk.write(file, b"second", None)
    assert disk.read(file) == b"first"
    assert [found.name for found in (tmp_path / "night").iterdir()] == ["record.json"]


def test_what_another_try_writes_while_this_one_flushes_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RecordFolder(str(tmp_path), ti()).set(KEY, {"videos": 1})
    one, other = RecordFolder(str(tmp_path), ti()), RecordFolder(str(tmp_path), ti())
    assert one.get(KEY) == other.get(KEY)
    flush = os.fsync

    def slow_flush(file: int) -> None:
        monkeypatch.setattr(os, "fsync", flush)
        other.set(KEY, {"videos": 2})

    monkeypatch.setattr(os, "fsync", slow_flush)
    with pytest.raises(TryReplacedError):
        one.set(KEY, {"videos": 3})

    assert RecordFolder(str(tmp_path), ti()).get(KEY) == {"videos": 2}
    assert not list(tmp_path.rglob("*.partial"))
