"""Temporary folders that belong to one task, so that its next try can clear away what a killed one has left."""

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
from pathlib import Path
from typing import Any

_LOCK = ".lock"
"""A file in each folder, locked as long as the process that made it lives."""


def own_name(context: Mapping[str, Any], video_name: str | None = None) -> str:
    """How names of temporary folders begin that belong to this task in this run, in each of its tries (source: ours).

    :param context: of the task.
    :param video_name: of a task that makes many: what one of them leaves is no other's to clear away, since on a disk
        without locks it may still be in use.
    """
    ti: Any = context.get("ti")
    owner = [ti.dag_id, ti.task_id, ti.run_id, ti.map_index] if ti else [str(uuid.uuid4())]
    if video_name:
        owner.append(video_name)
    return f".video-creation-{hashlib.sha256(json.dumps(owner).encode()).hexdigest()[:24]}-"


@contextmanager
def own_folder(parent: Path, own: str) -> Iterator[Path]:
    """A temporary folder; those of earlier tries, left there if a worker was killed, are removed (source: ours).

    Those of tries that still run, be they given up by Airflow, stay.

    :param parent: where it is made.
    :param own: from ``own_name``, and more where one task has folders for several ends.
    """
    for left in parent.glob(f"{own}*"):
        _remove_if_left(left)
    while True:
        with tempfile.TemporaryDirectory(dir=parent, prefix=own, ignore_cleanup_errors=True) as made:
            folder = Path(made)
            with _locked(folder, fcntl.LOCK_EX) as is_ours:
                # Another try may have taken it for a left one, before it was locked.
                if is_ours and folder.is_dir():
                    yield folder
                    return


def _remove_if_left(folder: Path) -> None:
    with suppress(OSError):
        with _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB) as is_left:
            if is_left:
                shutil.rmtree(folder, ignore_errors=True)
        # On a network disk the lock, while open, has kept its folder.
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
    # A disk without locks tells no running try from a killed one.
    except OSError:
        pass
    return True
