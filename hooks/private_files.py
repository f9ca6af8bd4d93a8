"""Small files that the processes of one user on one machine share for a while; in memory if the machine has shared
memory."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

NAME = "airflow-video-creation"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - its folder is checked before it is used
MAX_BYTES = 1024 * 1024


class PrivateFiles:
    """Reads and writes them. Every error counts as a missing file, since all of them can be made again.

    The folder must belong to this user and be closed to all others; otherwise it is not used.
    """

    def __init__(self) -> None:
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        shared = SHARED_MEMORY if SHARED_MEMORY.is_dir() else Path(tempfile.gettempdir())
        self._folder = Path(runtime, NAME) if runtime else shared / f"{NAME}-{os.getuid()}"

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none that can be trusted.

        :param name: without a slash.
        """
        with contextlib.suppress(OSError):
            if self._is_private():
                # Do not wait for a pipe.
                opened = os.open(self._folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                with os.fdopen(opened, "rb") as file:
                    found = os.fstat(opened)
                    if stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid():
                        return file.read(MAX_BYTES)
        return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file, or replace the one that is there.

        :param name: without a slash.
        :param content: its content.
        """
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._is_private():
                # Readable only by this user, then moved: a reader sees the old file or the new one.
                opened, made = tempfile.mkstemp(dir=self._folder)
                try:
                    with os.fdopen(opened, "wb") as file:
                        file.write(content)
                    Path(made).replace(self._folder / name)
                finally:
                    Path(made).unlink(missing_ok=True)

    def _is_private(self) -> bool:
        found = self._folder.lstat()
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
