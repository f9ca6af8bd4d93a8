"""The records of a task that makes many videos: read once, and written by one thread, several at a time.

Threads put what they must have stored, and wait; the thread that talks to Airflow stores all that has come together
meanwhile in one write a shard. So a record is in the store before its thread goes on, as with one video.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from ...provider.errors import SubmissionRecordError, TryReplacedError
from ...provider.submission.stored_records import RECORD_KEY, RECORDS_KEY
from ...provider.videos.video_shards import (
    INDEX_KEY,
    OUTCOME,
    SUBMISSIONS,
    VideoShards,
    begins_to_send,
    compact,
    identity,
    must_be_stored_first,
    shard_key,
)
from .left_record import is_replaced

if TYPE_CHECKING:
    from .task_store import TaskStore

Ask = Callable[[Callable[[], Any]], Any]
"""Has the thread that talks to Airflow do something, and gives what that returned or raised."""


class VideoRecords:
    """What a task keeps of its videos between tries (source: ours).

    ``open`` and ``store_awaited`` belong to the thread that talks to Airflow, all else to any other.

    :param store: of the task; None where nothing outlives the try.
    :param ask: has the other thread read something.
    :param wake: called when there is something to store.
    """

    def __init__(self, store: TaskStore | None, ask: Ask, wake: Callable[[], None]) -> None:
        self._store = store
        self.ask = ask
        self._wake = wake
        self._lock = threading.Lock()
        self._shards = VideoShards()
        self._waiting: dict[int, list[Future[None]]] = {}
        self._later: set[int] = set()
        self._closed: str | None = None
        self._sends_nothing: str | None = None
        self.named = getattr(store, "named", "Airflow's task state store")
        """The store, for messages."""

    @property
    def outlive_the_try(self) -> bool:
        """Whether a later try finds them."""
        return self._store is not None

    def open(self, names: Iterable[str]) -> list[str]:
        """Read all there is, and give each video a place; the known videos that are not asked for any more.

        :param names: of the videos that are asked for.
        :raises SubmissionRecordError: the store cannot be read, or cannot take the index; nothing was sent.
        :raises TryReplacedError: Airflow takes nothing from this try any more; nothing was sent.
        """
        names = [identity(name) for name in names]
        store = self._store
        try:
            self._shards = VideoShards(self._read(INDEX_KEY))
            for number in range(self._shards.count):
                self._shards.take_in(number, self._read(shard_key(number)))
        except ValueError as error:
            raise SubmissionRecordError(
                f"{self.named} has records of this task's videos that cannot be read: {error}. Some may be paid for, "
                "so nothing was sent. Look at the service for this run's videos; then start another run for the others."
            ) from error
        known = [name for name in self._shards.names if self._shards.kept(name)]
        if self._shards.make_room(names) and store:
            try:
                store.set(INDEX_KEY, self._shards.index_json())
            except Exception as error:
                if is_replaced(error):
                    raise TryReplacedError(
                        "Airflow has put another try in the place of this one (it missed its heartbeat, or the "
                        "scheduler reset it), and takes nothing from it any more. Nothing was sent by it; the other "
                        "try goes on."
                    ) from error
                raise _away(f"{self.named} could not take the index of this task's videos", error) from error
        return sorted(set(known) - set(names))

    @property
    def brake(self) -> Any:
        """What ``keep_brake`` has stored."""
        return self._shards.brake

    def keep_brake(self, brake: Mapping[str, Any] | None) -> None:
        """Store what stops submissions, where that is something new; for the thread that stores.

        :param brake: JSON; None for nothing.
        :raises Exception: as the store does.
        """
        if self._store is not None and brake != self._shards.brake:
            self._shards.brake = brake
            self._store.set(INDEX_KEY, self._shards.index_json())

    def _read(self, key: str) -> Any:
        try:
            return self._store.get(key) if self._store else None
        except Exception as error:
            raise _away(f"{self.named} could not read the records of this task's videos", error) from error

    def of(self, name: str) -> RecordsOfVideo:
        """The records of one video.

        :param name: of the video.
        """
        return RecordsOfVideo(self, name)

    def shard_of(self, name: str) -> int:
        """The number of the value in which a video's records stand.

        :param name: of the video.
        """
        return self._shards.shard_of(name)

    def get(self, name: str, key: str) -> Any:
        """What is kept of a video; None for nothing.

        :param name: of the video.
        :param key: ``SUBMISSIONS`` or ``OUTCOME``.
        """
        with self._lock:
            return self._shards.kept(name).get(key)

    def put(self, name: str, key: str, value: Any) -> None:
        """Keep something of a video, and return when it is stored.

        :param name: of the video.
        :param key: ``SUBMISSIONS`` or ``OUTCOME``.
        :param value: JSON.
        :raises Exception: as the store does.
        """
        stored: Future[None] = Future()
        with self._lock:
            if self._closed:
                raise SubmissionRecordError(self._closed)
            self._shards.kept(name)[key] = value
            if self._store is None:
                return
            self._waiting.setdefault(self._shards.shard_of(name), []).append(stored)
        self._wake()
        stored.result()

    def get_beside(self, key: str) -> Any:
        """What stands under another key of the task's store.

        :param key: of the store.
        """
        store = self._store
        return None if store is None else self.ask(lambda: store.get(key))

    def put_later(self, name: str, key: str, value: Any) -> None:
        """Keep something of a video, to be stored with what is stored next of its shard.

        :param name: of the video.
        :param key: ``SUBMISSIONS`` or ``OUTCOME``.
        :param value: JSON.
        """
        with self._lock:
            if self._closed:
                raise SubmissionRecordError(self._closed)
            self._shards.kept(name)[key] = value
            self._later.add(self._shards.shard_of(name))

    def store_awaited(self, *, also_later: bool = False) -> None:
        """Store what has been put since the last time, and let those go on who wait for it.

        What is interrupted, by a time-out of the task, is stored the next time.

        :param also_later: whether what nobody waits for is stored now, too.
        """
        waiting: dict[int, list[Future[None]]] = {}
        try:
            with self._lock:
                waiting, self._waiting = self._waiting, {}
                if also_later and self._store is not None:
                    waiting = {number: [] for number in self._later} | waiting
                self._later -= set(waiting)
                values = {number: self._shards.shard_json(number) for number in waiting}
            for number, value in values.items():
                assert self._store is not None
                try:
                    self._store.set(shard_key(number), value)
                except Exception as error:
                    for stored in waiting[number]:
                        stored.set_exception(error)
                else:
                    for stored in waiting[number]:
                        stored.set_result(None)
        except BaseException:
            with self._lock:
                for number, those in waiting.items():
                    if left := [stored for stored in those if not stored.done()]:
                        self._waiting.setdefault(number, []).extend(left)
            raise

    def let_nothing_be_sent(self, why: str) -> None:
        """Take no record of something that is sent from now on: its answer might find nobody.

        :param why: for those who would send.
        """
        self._sends_nothing = why

    def require_may_send(self) -> None:
        """Let something be sent, or not.

        :raises SubmissionRecordError: nothing may be sent any more.
        """
        if self._sends_nothing:
            raise SubmissionRecordError(self._sends_nothing)

    def close(self, why: str) -> None:
        """Let nobody wait any more: the thread that stores has gone.

        :param why: for those who wait.
        """
        with self._lock:
            self._closed = why
            waiting, self._waiting = self._waiting, {}
        for stored in (stored for those in waiting.values() for stored in those):
            if not stored.done():
                stored.set_exception(SubmissionRecordError(why))


class RecordsOfVideo:
    """The records of one video as ``operators.submission`` uses a task's store.

    :param records: of all videos.
    :param name: of this one.
    """

    def __init__(self, records: VideoRecords, name: str) -> None:
        self._records = records
        self._name = name
        self.named = records.named
        self.ask = records.ask
        """Has something asked of Airflow by the thread that may."""

    def get(self, key: str, default: Any = None) -> Any:
        """What is kept under a key of the task's store.

        :param key: of its submissions, or what stands beside them, such as a callback.
        :param default: where there is nothing.
        """
        if key == RECORDS_KEY:
            found = self._records.get(self._name, SUBMISSIONS)
        elif key.startswith(RECORD_KEY):
            # Releases that kept each record under a key of its own made no many videos.
            found = None
        else:
            found = self._records.get_beside(key)
        return default if found is None else found

    def set(self, key: str, value: Any) -> None:
        """Keep the records of its submissions, and return when they are stored.

        That a job is completed is stored with what comes next: who does not find it asks the service again.

        :param key: ``RECORDS_KEY``.
        :param value: the records.
        """
        assert key == RECORDS_KEY, "a task writes the records of its submissions alone"
        known = self._records.get(self._name, SUBMISSIONS)
        if begins_to_send(known, value):
            self._records.require_may_send()
        if must_be_stored_first(known, value):
            self._records.put(self._name, SUBMISSIONS, compact(value))
        else:
            self._records.put_later(self._name, SUBMISSIONS, compact(value))

    def carry_over(self, value: Any) -> None:
        """Keep the records of its submissions, to be stored with what is stored next.

        :param value: the records.
        """
        self._records.put_later(self._name, SUBMISSIONS, compact(value))

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """What came of the video in this try or an earlier one."""
        found = self._records.get(self._name, OUTCOME)
        return found if isinstance(found, Mapping) else None

    def keep_outcome(self, value: Mapping[str, Any]) -> None:
        """Keep what came of the video, and return when it is stored.

        :param value: JSON.
        """
        self._records.put(self._name, OUTCOME, dict(value))

    def keep_outcome_later(self, value: Mapping[str, Any]) -> None:
        """Keep what came of the video, to be stored with what is stored next.

        :param value: JSON.
        """
        self._records.put_later(self._name, OUTCOME, dict(value))


def _away(what: str, error: Exception) -> SubmissionRecordError:
    return SubmissionRecordError(
        f"{what} ({type(error).__name__}), so nothing was sent now. Is the API server up? Run the task again: it "
        "resumes from what is recorded."
    )
