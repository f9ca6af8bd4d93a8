"""Temporary folders that belong to one task, so that its next try can remove what a killed one left."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

_LOCK = ".lock"
"""A file in each folder, locked as long as the process that made it lives."""


@dataclass(frozen=True)
class OwnName:
    """The prefix of the names of one owner's temporary folders, in each of its tries (source: ours).

    :param task: the prefix of all names of the task.
    :param rest: what follows, if one task has folders of several owners.
    :param try_number: this try of the task; None where it is not known.
    """

    task: str
    rest: str = ""
    try_number: int | None = None

    def __str__(self) -> str:
        return f"{self.task}{self.rest}"

    def and_for(self, end: str) -> OwnName:
        """The same owner, for one of several purposes.

        :param end: a word.
        """
        return replace(self, rest=f"{self.rest}{end}-")


def own_name(context: Mapping[str, Any], video_name: str | None = None) -> OwnName:
    """Of this task in this run (source: ours).

    :param context: the task's context.
    :param video_name: for a task that makes many: no other video may remove what one of them left, since on a disk
        without locks it may still be in use.
    """
    ti: Any = context.get("ti")
    owner = [ti.dag_id, ti.task_id, ti.run_id, ti.map_index] if ti else [str(uuid.uuid4())]
    return OwnName(
        f".video-creation-{_digest(owner)}-",
        f"{_digest(video_name)}-" if video_name else "",
        getattr(ti, "try_number", None),
    )


def _digest(owner: Any) -> str:
    return hashlib.sha256(json.dumps(owner).encode()).hexdigest()[:24]


@contextmanager
def own_folder(parent: Path, own: OwnName) -> Iterator[Path]:
    """A temporary folder; those of earlier tries, left there if a worker was killed, are removed (source: ours).

    Those of tries that still run, even if Airflow has given them up, stay.

    :param parent: where it is made.
    :param own: its owner.
    """
    for left in _left_in(parent, own):
        _remove_if_left(left)
    while True:
        with tempfile.TemporaryDirectory(dir=parent, prefix=str(own), ignore_cleanup_errors=True) as made:
            folder = Path(made)
            with _locked(folder, fcntl.LOCK_EX) as is_ours:
                # Another try may have removed it as a leftover before it was locked.
                if is_ours and folder.is_dir():
                    yield folder
                    return


def _left_in(parent: Path, own: OwnName) -> list[Path]:
    look = _of_task_in if own.try_number is None else _of_earlier_tries_in
    return [folder for folder in look(parent, own.task, own.try_number) if folder.name.startswith(str(own))]


def _of_task_in(parent: Path, task: str, try_number: int | None) -> list[Path]:
    return [*parent.glob(f"{task}*")]


# A try delivers thousands of files into a folder that may hold more: it looks there once.
_of_earlier_tries_in = lru_cache(maxsize=8)(_of_task_in)


def _remove_if_left(folder: Path) -> None:
    with suppress(OSError):
        with _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB) as is_left:
            if is_left:
                shutil.rmtree(folder, ignore_errors=True)
        # On a network disk the open lock file has kept its folder.
        folder.rmdir()


@contextmanager
def _locked(folder: Path, how: int) -> Iterator[bool]:
    """Lock a folder; false where another process has done so, or the folder is gone."""
    try:
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except (FileNotFoundError, NotADirectoryError):
        yield False
        return
    try:
        yield _lock(lock, how)
    finally:
        os.close(lock)


def _lock(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how)
    except BlockingIOError:
        return False
    # On a disk without locks a running try cannot be told from a killed one.
    except OSError:
        pass
    return True
