"""The records of a task that makes many videos: read once, and written by one thread, several at a time.

Threads hand over what must be stored, and wait; the thread that talks to Airflow stores everything that has come in
with one write for each shard. So a record is in the store before its thread continues, as with one video.
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
"""Has the thread that talks to Airflow do something, and returns or raises its result."""


class VideoRecords:
    """What a task keeps about its videos between tries (source: ours).

    ``open`` and ``store_awaited`` belong to the thread that talks to Airflow, all else to any other.

    :param store: the task's store; None if nothing outlives the try.
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
        """Read everything, and give each video a place; return the known videos that are no longer asked for.

        :param names: names of the videos that are asked for.
        :raises SubmissionRecordError: the store cannot be read, or cannot take the index; nothing was sent.
        :raises TryReplacedError: Airflow no longer accepts anything from this try; nothing was sent.
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
                "so nothing was sent. Look for this run's videos at the service, then start another run for the others."
            ) from error
        known = [name for name in self._shards.names if self._shards.kept(name)]
        if self._shards.make_room(names) and store:
            try:
                store.set(INDEX_KEY, self._shards.index_json())
            except Exception as error:
                if is_replaced(error):
                    raise TryReplacedError(
                        "Airflow has replaced this try with another one (it missed its heartbeat, or the scheduler "
                        "reset it), and accepts nothing more from it. This try sent nothing; the other try continues."
                    ) from error
                raise _away(f"{self.named} could not store the index of this task's videos", error) from error
        return sorted(set(known) - set(names))

    @property
    def brake(self) -> Any:
        """What ``keep_brake`` has stored."""
        return self._shards.brake

    def keep_brake(self, brake: Mapping[str, Any] | None) -> None:
        """Store what stops submissions, if it is new; for the thread that stores.

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

        :param name: the video's name.
        """
        return RecordsOfVideo(self, name)

    def shard_of(self, name: str) -> int:
        """The number of the value that holds a video's records.

        :param name: the video's name.
        """
        return self._shards.shard_of(name)

    def get(self, name: str, key: str) -> Any:
        """What is kept about a video; None for nothing.

        :param name: the video's name.
        :param key: ``SUBMISSIONS`` or ``OUTCOME``.
        """
        with self._lock:
            return self._shards.kept(name).get(key)

    def put(self, name: str, key: str, value: Any) -> None:
        """Keep something about a video, and return when it is stored.

        :param name: the video's name.
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
        """What is stored under another key of the task's store.

        :param key: a key of the store.
        """
        store = self._store
        return None if store is None else self.ask(lambda: store.get(key))

    def put_later(self, name: str, key: str, value: Any) -> None:
        """Keep something about a video, to be stored with the next write of its shard.

        :param name: the video's name.
        :param key: ``SUBMISSIONS`` or ``OUTCOME``.
        :param value: JSON.
        """
        with self._lock:
            if self._closed:
                raise SubmissionRecordError(self._closed)
            self._shards.kept(name)[key] = value
            self._later.add(self._shards.shard_of(name))

    def store_awaited(self, *, also_later: bool = False) -> None:
        """Store what was handed over since the last time, and let the waiting threads continue.

        A write that the task's time-out interrupts is repeated the next time.

        :param also_later: whether to store now what nobody waits for, too.
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
        """Refuse records of new submissions from now on: nobody might be left for their answers.

        :param why: for the threads that would send.
        """
        self._sends_nothing = why

    def require_may_send(self) -> None:
        """Let something be sent, or not.

        :raises SubmissionRecordError: sending has stopped.
        """
        if self._sends_nothing:
            raise SubmissionRecordError(self._sends_nothing)

    def close(self, why: str) -> None:
        """End all waits: the thread that stores has gone.

        :param why: for the waiting threads.
        """
        with self._lock:
            self._closed = why
            waiting, self._waiting = self._waiting, {}
        for stored in (stored for those in waiting.values() for stored in those):
            if not stored.done():
                stored.set_exception(SubmissionRecordError(why))


class RecordsOfVideo:
    """The records of one video as ``operators.submission`` uses a task's store.

    :param records: the records of all videos.
    :param name: of this one.
    """

    def __init__(self, records: VideoRecords, name: str) -> None:
        self._records = records
        self._name = name
        self.named = records.named
        self.ask = records.ask
        """Asks Airflow for something, in the thread that may do so."""

    def get(self, key: str, default: Any = None) -> Any:
        """What is kept under a key of the task's store.

        :param key: the key of its submissions, or of something kept with them, such as a callback.
        :param default: if there is nothing.
        """
        if key == RECORDS_KEY:
            found = self._records.get(self._name, SUBMISSIONS)
        elif key.startswith(RECORD_KEY):
            # Releases that kept each record under its own key did not make many videos in one task.
            found = None
        else:
            found = self._records.get_beside(key)
        return default if found is None else found

    def set(self, key: str, value: Any) -> None:
        """Keep the records of its submissions, and return when they are stored.

        That a job is completed is stored with the next write: a try that does not find it asks the service again.

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
        """Keep the records of its submissions, to be stored with the next write.

        :param value: the records.
        """
        self._records.put_later(self._name, SUBMISSIONS, compact(value))

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """The video's outcome in this try or an earlier one."""
        found = self._records.get(self._name, OUTCOME)
        return found if isinstance(found, Mapping) else None

    def keep_outcome(self, value: Mapping[str, Any]) -> None:
        """Keep the video's outcome, and return when it is stored.

        :param value: JSON.
        """
        self._records.put(self._name, OUTCOME, dict(value))

    def keep_outcome_later(self, value: Mapping[str, Any]) -> None:
        """Keep the video's outcome, to be stored with the next write.

        :param value: JSON.
        """
        self._records.put_later(self._name, OUTCOME, dict(value))


def _away(what: str, error: Exception) -> SubmissionRecordError:
    return SubmissionRecordError(
        f"{what} ({type(error).__name__}), so nothing was sent now. Check that the API server is up, then run the "
        "task again: it resumes from what is recorded."
    )
