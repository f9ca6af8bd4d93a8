"""Keeps the records of a task's submissions in a folder, where Airflow keeps none: below 3.3.

``[video_creation] record_folder`` names it: an absolute path on a disk that every worker sees, or a URL of
ObjectStorage, such as ``s3://aws_default@my-bucket/records``. The rules of Airflow's task state store apply here, too:

- **Whose.** A record belongs to one DAG id, run id, task id and map index, over all tries and clears. Every Airflow
  needs its own folder, since two may have a DAG and a run of the same name. A run that is deleted and made again under
  its old id finds its old records, and so the jobs that are paid for.
- **Whole or not at all.** On a disk a record is written to a temporary file, flushed, and renamed; on an object store
  it is one upload. If a file still cannot be read as a record, it counts as in doubt, and nothing is sent.
- **Another try.** Airflow's store refuses a try that Airflow has replaced, but a folder cannot know of that. So a
  record is read again just before it is written, and is written only if it is what this try saw last. A replaced try
  that wakes up therefore sends nothing after its successor has stored an intent, and cannot overwrite the id of its
  successor's job; nor can the successor overwrite the id that the replaced one stored meanwhile. On a disk the first
  record of a task is made by a link, which only one of two can make. One gap remains, on object stores and after a
  refused or failed submission: two tries that both read before either has written.
- **How long.** Nothing here deletes a record: a lifecycle rule, or ``find -mtime``, does. It must be longer than a
  task is ever retried for.

A record holds no secret. Files get the permissions of the worker's umask: tasks may run as several users.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from ...provider.errors import SubmissionRecordError, TryReplacedError
from ...provider.quoting import quotable
from .record_storage import SETTING, RecordStorage, record_storage

VERSION = 1
MAX_NAME_PART = 48
"""Characters of each readable part of a file's name: with the digest they fit into 255."""


class RecordFolder:
    """The records of one task in the folder; nothing is opened before the first one is needed.

    :param folder: an absolute path, or a URL of ObjectStorage.
    :param ti: the task instance.
    """

    def __init__(self, folder: str, ti: Any) -> None:
        self._folder = folder
        self._task = {
            "dag_id": ti.dag_id,
            "run_id": ti.run_id,
            "task_id": ti.task_id,
            "map_index": -1 if ti.map_index is None else ti.map_index,
        }
        self.named = f"{SETTING} {quotable(folder)!r}"
        """The folder, for messages."""
        self._known: dict[str, set[bytes | None]] = {}
        """Key -> what this try has read last, and what it has tried to write since; without an entry there must be no
        record."""

    def get(self, key: str, default: Any = None) -> Any:
        """What is kept under a key; a file that is not our record is returned as its text.

        :param key: of the record.
        :param default: if there is none.
        :raises ConfigurationError: the folder cannot be used from here.
        :raises SubmissionRecordError: it cannot be read.
        """
        content = self._read(key)
        self._known[key] = {content}
        return default if content is None else _value(content)

    def set(self, key: str, value: Any) -> None:
        """Keep a JSON value under a key.

        :param key: of the record.
        :param value: replaces what is there.
        :raises ConfigurationError: the folder cannot be used from here.
        :raises SubmissionRecordError: it cannot be written; it may have been written if only the answer was lost.
        :raises TryReplacedError: another try has written this record since this one read it, or found none.
        """
        found = self._read(key)
        # A try that has never read a key assumes that it has no record: a replaced try must not take the record there
        # for its own.
        known = self._known.setdefault(key, {None})
        # A record that is gone was not written by another try: a clean-up removed it, or the disk was away.
        if found is not None and found not in known:
            raise self._replaced(key)
        content = json.dumps(
            {"version": VERSION, **self._task, "key": key, "value": value}, indent=1
        ).encode()
        known.add(content)
        try:
            self._storage.write(self._file(key), content, found)
        except FileExistsError as error:
            raise self._replaced(key) from error
        # Every file system has its own errors.
        except Exception as error:
            raise self._failed("take", key, error) from error
        self._known[key] = {content}

    def _read(self, key: str) -> bytes | None:
        storage = self._storage
        try:
            return storage.read(self._file(key))
        except Exception as error:
            raise self._failed("read", key, error) from error

    def _replaced(self, key: str) -> TryReplacedError:
        return TryReplacedError(
            f"{self._file(key)} in {self.named} is not what this try left or found there: another try of the task has "
            "written it, so this one writes nothing"
        )

    def _failed(self, what: str, key: str, error: Exception) -> SubmissionRecordError:
        reason = quotable(str(error)) or type(error).__name__
        return SubmissionRecordError(
            f"{self.named} could not {what} {self._file(key)} ({reason}; check that this worker may list, read and "
            "write there)"
        )

    def _file(self, key: str) -> PurePosixPath:
        """Where a record is: readable, and unlike any other by its digest."""
        task = self._task
        identity = json.dumps([*task.values(), key])
        digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
        parts = [_readable(str(task[name])) for name in ("run_id", "task_id", "map_index")]
        return PurePosixPath(_readable(task["dag_id"]), f"{'.'.join([*parts, _readable(key), digest])}.json")

    @cached_property
    def _storage(self) -> RecordStorage:
        return record_storage(self._folder, named=self.named, away=SubmissionRecordError)


def _value(content: bytes) -> Any:
    """What was kept; half a file, or somebody else's, is returned as its text, which the submissions treat as a
    doubt."""
    try:
        return json.loads(content)["value"]
    except (ValueError, LookupError, TypeError):
        return content.decode(errors="replace")


def _readable(name: str) -> str:
    """A part of a file's name: no slash, no dot at its beginning, not too long."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:MAX_NAME_PART] or "_"
