"""The records of many videos: written by one thread, several at a time, before their threads go on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.records.video_records import VideoRecords
from airflow_video_creation.provider.errors import SubmissionRecordError, TryReplacedError
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import RECORDS_KEY, frozen
from airflow_video_creation.provider.videos.video_shards import INDEX_KEY, VIDEOS_A_SHARD, shard_key


class Store:
    """Keeps what is written, and counts how often; refuses the keys that it is told."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.written: list[str] = []
        self.refused: dict[str, Exception] = {}

    def get(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    def set(self, key: str, value: Any) -> None:
        self.written.append(key)
        if key in self.refused:
            raise self.refused[key]
        self.values[key] = value


def records_in(store: Store | None, *names: str, wake: Callable[[], None] = lambda: None) -> VideoRecords:
    records = VideoRecords(store, lambda work: work(), wake)
    records.open(names)
    return records


def submission(state: Any) -> dict[str, Any]:
    return frozen({"0.a.storyboard": Submission(0, state, 1.0, 1.0, job_id="j")})


class Putting:
    """Threads that put the record of a video each, and wait until it is stored."""

    def __init__(self, store: Store, *names: str) -> None:
        self.came = threading.Semaphore(0)
        self.records = records_in(store, *names, wake=self.came.release)
        self.errors: dict[str, Exception | None] = {}
        self.threads = [threading.Thread(target=self.put, args=(name,)) for name in names]
        for thread in self.threads:
            thread.start()
        for _ in names:
            assert self.came.acquire(timeout=10)

    def put(self, name: str) -> None:
        try:
            self.records.of(name).set(RECORDS_KEY, submission("intent"))
        except Exception as error:
            self.errors[name] = error
        else:
            self.errors[name] = None

    def ended(self) -> dict[str, Exception | None]:
        for thread in self.threads:
            thread.join(10)
        return self.errors


def test_what_comes_together_is_one_write() -> None:
    store = Store()
    putting = Putting(store, "a", "b", "c")
    putting.records.store_awaited()

    assert putting.ended() == {"a": None, "b": None, "c": None}
    assert store.written == [INDEX_KEY, shard_key(0)]
    assert set(store.values[shard_key(0)]["videos"]) == {"a", "b", "c"}


def test_a_write_that_fails_is_told_to_those_alone_who_wait_for_it() -> None:
    names = [f"v{number:02}" for number in range(VIDEOS_A_SHARD + 1)]
    store = Store()
    store.refused[shard_key(1)] = ConnectionError("away")
    putting = Putting(store, *names)
    putting.records.store_awaited()

    failed = {name for name, error in putting.ended().items() if error}
    assert failed == {names[-1]}


def test_nobody_waits_for_a_thread_that_has_gone() -> None:
    putting = Putting(Store(), "a", "b")
    putting.records.close("This try was stopped")

    assert all(isinstance(error, SubmissionRecordError) for error in putting.ended().values())
    with pytest.raises(SubmissionRecordError, match="This try was stopped"):
        putting.records.of("a").set(RECORDS_KEY, submission("submitted"))


def test_that_a_job_is_completed_is_stored_with_what_comes_next() -> None:
    store = Store()
    records = records_in(store, "a")
    records.of("a").carry_over(submission("submitted"))
    records.of("a").set(RECORDS_KEY, submission("completed"))
    records.store_awaited()
    assert store.written == [INDEX_KEY]

    records.store_awaited(also_later=True)
    kept = store.values[shard_key(0)]["videos"]["a"]["submissions"]["records"]["0.a.storyboard"]
    assert kept["state"] == "completed"


def test_another_try_finds_all_and_names_what_is_asked_for_no_more() -> None:
    store = Store()
    before = records_in(store, "a", "b")
    for name in "ab":
        before.of(name).carry_over(submission("submitted"))
    before.store_awaited(also_later=True)

    again = VideoRecords(store, lambda work: work(), lambda: None)
    assert again.open(["b", "c"]) == ["a"]
    assert again.of("b").get(RECORDS_KEY)["records"]["0.a.storyboard"]["job_id"] == "j"
    assert again.of("c").get(RECORDS_KEY) is None


def test_a_replaced_try_says_so_before_it_sends() -> None:
    store = Store()
    store.refused[INDEX_KEY] = TryReplacedError("another try has written it")
    with pytest.raises(TryReplacedError, match="This try sent nothing"):
        records_in(store, "a")


def test_without_a_store_nothing_waits() -> None:
    records = records_in(None, "a")
    records.of("a").set(RECORDS_KEY, submission("intent"))
    assert records.of("a").get(RECORDS_KEY)["records"]
    assert not records.outlive_the_try
