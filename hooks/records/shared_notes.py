"""Notes that all runs of all DAGs share: the record folder's where one is set, else Airflow Variables.

A worker lists Variables from Airflow 3.3 on. A note is one Variable, or one file, in JSON: a person can look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath
from typing import Protocol, TypeVar

from ...provider.errors import ConfigurationError, SpendingRecordError, VideoCreationError
from ...provider.quoting import quotable
from .record_storage import SETTING, RecordStorage, record_folder_setting, record_storage

PREFIX = "video_creation"
NOTHING_PLANNED = "Nothing was planned, and nothing is paid."

Result = TypeVar("Result")


class SharedNotes(Protocol):
    """Notes of one kind (source: ours).

    Every method raises ``SpendingRecordError`` if they cannot be read or written.
    """

    def names(self) -> list[str]:
        """The names of all that are there: of each that was there before the call, and still is."""

    def read(self, name: str) -> str | None:
        """The text of a note; None where there is none."""

    def write(self, name: str, text: str) -> None:
        """Write a note."""

    def delete(self, name: str) -> None:
        """Take a note away, if it is there."""


def shared_notes(kind: str, about: str) -> SharedNotes:
    """Open the notes of a kind (source: ours).

    :param kind: part of their names.
    :param about: what they are, for whoever sees the Variables.
    :raises ConfigurationError: this Airflow keeps none, and no record folder is set.
    """
    if folder := record_folder_setting():
        return FolderNotes(folder, kind)
    from airflow.providers.common.compat.sdk import Variable

    if not hasattr(Variable, "keys"):
        raise ConfigurationError(
            f"Budgets and what is carried over are kept in {SETTING} below Airflow 3.3, and none is set: set it on "
            f"every worker (docs/operate/record-folder.md), or take these arguments away. {NOTHING_PLANNED}"
        )
    return VariableNotes(kind, about)


class VariableNotes:
    """One Airflow Variable a note (source: ours).

    :param kind: part of their keys.
    :param about: what they are.
    """

    def __init__(self, kind: str, about: str) -> None:
        self._prefix = f"{PREFIX}.{kind}."
        self._about = about

    def names(self) -> list[str]:
        """See ``SharedNotes``."""
        from airflow.providers.common.compat.sdk import Variable

        def keys() -> list[str]:
            return [key.removeprefix(self._prefix) for key in Variable.keys(prefix=self._prefix)]

        return _seen_twice(lambda: self._reached("listed", self._prefix, keys))

    def read(self, name: str) -> str | None:
        """See ``SharedNotes``."""
        from airflow.providers.common.compat.sdk import Variable

        key = self._prefix + name
        text = self._reached("read", key, lambda: Variable.get(key, default=None))
        return None if text is None else str(text)

    def write(self, name: str, text: str) -> None:
        """See ``SharedNotes``."""
        from airflow.providers.common.compat.sdk import Variable

        key = self._prefix + name
        self._reached("written", key, lambda: Variable.set(key, text, description=self._about))

    def delete(self, name: str) -> None:
        """See ``SharedNotes``."""
        from airflow.providers.common.compat.sdk import Variable

        key = self._prefix + name
        self._reached("deleted", key, lambda: Variable.delete(key))

    def _reached(self, done: str, key: str, work: Callable[[], Result]) -> Result:
        try:
            return work()
        # The Task SDK has errors of its own, which differ between releases of Airflow.
        except Exception as error:
            raise SpendingRecordError(
                f"The Airflow Variable {key!r} could not be {done} ({type(error).__name__}: {quotable(str(error))}). "
                f"{NOTHING_PLANNED} Is the API server up? A retry tries again."
            ) from None


class FolderNotes:
    """One file a note, in the record folder (source: ours).

    :param folder: as it is set.
    :param kind: the folder within.
    """

    def __init__(self, folder: str, kind: str) -> None:
        self._folder = folder
        # With a dot: no DAG's records are in a folder of such a name.
        self._within = PurePosixPath(f"{PREFIX}.{kind}")
        self._named = f"{SETTING} {quotable(folder)!r}"

    @cached_property
    def _storage(self) -> RecordStorage:
        return record_storage(self._folder, named=self._named, away=SpendingRecordError)

    def names(self) -> list[str]:
        """See ``SharedNotes``."""
        listed = _seen_twice(lambda: self._reached("list", "", lambda: self._storage.names(self._within)))
        return [name.removesuffix(".json") for name in listed]

    def read(self, name: str) -> str | None:
        """See ``SharedNotes``."""
        content = self._reached("read", name, lambda: self._storage.read(self._file(name)))
        return None if content is None else content.decode(errors="replace")

    def write(self, name: str, text: str) -> None:
        """See ``SharedNotes``."""

        def write() -> None:
            self._storage.write(self._file(name), text.encode(), self._storage.read(self._file(name)))

        self._reached("write", name, write)

    def delete(self, name: str) -> None:
        """See ``SharedNotes``."""
        self._reached("delete", name, lambda: self._storage.delete(self._file(name)))

    def _file(self, name: str) -> PurePosixPath:
        return self._within / f"{name}.json"

    def _reached(self, what: str, name: str, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except VideoCreationError:
            raise
        # Every file system has errors of its own.
        except Exception as error:
            reason = quotable(str(error)) or type(error).__name__
            place = self._file(name) if name else self._within
            raise SpendingRecordError(
                f"{self._named} could not {what} {place} ({reason}). {NOTHING_PLANNED} May this worker list, read, "
                "write and delete there? A retry tries again."
            ) from None


def _seen_twice(listed: Callable[[], list[str]]) -> list[str]:
    """A listing that two looks agree on: one look may miss a note that gets another name meanwhile."""
    before = sorted(listed())
    while (now := sorted(listed())) != before:
        before = now
    return now
