"""The log of one of many videos: each line says which."""

from __future__ import annotations

from typing import Any


class VideoLog:
    """Puts the name of a video before what is logged of it.

    :param log: of the task.
    :param name: of the video.
    """

    def __init__(self, log: Any, name: str) -> None:
        self._log = log
        # A percent sign in a name must fill in nothing.
        self._of = f"Video {name!r}: ".replace("%", "%%")

    def info(self, message: str, *given: Any, **options: Any) -> None:
        """Log what happens."""
        self._log.info(self._of + message, *given, **options)

    def warning(self, message: str, *given: Any, **options: Any) -> None:
        """Log what a person may have to look at."""
        self._log.warning(self._of + message, *given, **options)

    def error(self, message: str, *given: Any, **options: Any) -> None:
        """Log what a person must look at."""
        self._log.error(self._of + message, *given, **options)
