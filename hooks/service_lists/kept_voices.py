"""Keeps the names of the service's voices on this machine for a few minutes, so that a mapped task asks once.

The tasks of a mapped task are processes of their own, so what they share is a file. It lies in the system's temporary
folder, in a folder that only this user can enter, and holds names of voices and no secret. Nothing depends on it: what
cannot be kept or read, or might be another user's, is asked for again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ...provider.service_lists.voices import Voices

KEPT_FOR = 300.0
"""Seconds (ours)."""
MAX_BYTES = 1 << 20
"""What is larger is not kept (ours)."""
VERSION = 1


class KeptVoices:
    """The voices of one service and user, as this machine last saw them.

    :param subject: what the list depends on, such as the base URL, the user id and the path.
    :param clock: gives epoch seconds.
    """

    def __init__(self, subject: Sequence[str | None], clock: Callable[[], float]) -> None:
        self._name = hashlib.sha256(json.dumps([VERSION, *subject]).encode()).hexdigest()
        self._clock = clock

    def read(self) -> Voices | None:
        """The voices of at most ``KEPT_FOR`` seconds ago, None where there are none."""
        try:
            text = _read_own_file(_own_folder() / self._name)
            kept = json.loads(text)
            voices = Voices(frozenset(map(str, kept["names"])), int(kept["count"]), is_whole=True)
            return voices if 0 <= self._clock() - float(kept["at"]) < KEPT_FOR else None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def keep(self, voices: Voices) -> None:
        """Keep the voices, if that is possible.

        :param voices: all of them.
        """
        kept = {"at": self._clock(), "names": sorted(voices.names), "count": voices.count}
        text = json.dumps(kept).encode()
        with contextlib.suppress(OSError):
            if len(text) <= MAX_BYTES:
                _write_own_file(_own_folder() / self._name, text)


def _own_folder() -> Path:
    """The folder that only this user can enter.

    :raises OSError: there is none, and none can be made.
    """
    folder = Path(tempfile.gettempdir()) / f"video_creation_voices_{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    # Everyone can make a folder, or a link, of this name before we do.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is not this user's own")
    return folder


def _read_own_file(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid():
            raise PermissionError(f"{path} is not this user's own")
        return file.read(MAX_BYTES + 1)


def _write_own_file(path: Path, content: bytes) -> None:
    """Put the whole file in its place at once: another task may be reading."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    made = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        made.replace(path)
    except OSError:
        made.unlink(missing_ok=True)
        raise
