"""Writes the list of what a task has made: JSON lines, whole or not at all."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...provider.errors import DeliveryError
from ...provider.quoting import quotable
from .own_folder import OwnName, own_folder
from .place import place_of


class Manifest:
    """A file with one line for each row, written again whenever there are more (source: ours).

    :param destination: an absolute path or a URL.
    :param own: the owner of the temporary folders, see ``own_name``.
    :param task_id: for messages.
    :raises ConfigurationError: no such storage can be used from here.
    :raises DeliveryError: the storage cannot be reached now.
    """

    def __init__(self, destination: str, own: OwnName, task_id: str) -> None:
        self._destination = destination
        self._own = own.and_for("manifest")
        self._task_id = task_id
        self._place = place_of(destination, self._own, task_id, "manifest")

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write all rows, replacing the earlier ones.

        :param rows: JSON.
        :raises DeliveryError: they cannot be written.
        """
        try:
            content = b"".join(map(_line, rows))
            with own_folder(Path(tempfile.gettempdir()), self._own) as folder:
                file = folder / "rows"
                file.write_bytes(content)
                self._place.put(file)
        # Every file system has its own errors.
        except Exception as error:
            raise DeliveryError(
                f"The manifest of task {self._task_id!r} cannot be written to {self._destination}: "
                f"{quotable(str(error)) or type(error).__name__}. No job is lost, and writing it again costs nothing. "
                f"Correct manifest= or its permissions, or make room there and in {tempfile.gettempdir()}. The next "
                "try of the task writes it; a clear keeps what is delivered."
            ) from error


def _line(row: Mapping[str, Any]) -> bytes:
    # Half of a surrogate pair, which UTF-8 cannot encode, is written as its JSON escape.
    return f"{json.dumps(row, ensure_ascii=False, allow_nan=False)}\n".encode(errors="backslashreplace")
