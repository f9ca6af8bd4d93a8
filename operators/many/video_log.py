"""The log of one of many videos: each line names the video."""

from __future__ import annotations

from typing import Any

from ...provider.message_lines import in_lines


class VideoLog:
    """Puts the name of a video before its log messages, in short lines.

    :param log: the task's log.
    :param name: of the video.
    """

    def __init__(self, log: Any, name: str) -> None:
        self._log = log
        self._of = f"Video {name!r}: "

    def info(self, message: str, *given: Any, **options: Any) -> None:
        """Log what happens."""
        self._log.info("%s", self._told(message, given), **options)

    def warning(self, message: str, *given: Any, **options: Any) -> None:
        """Log what a person may need to check."""
        self._log.warning("%s", self._told(message, given), **options)

    def error(self, message: str, *given: Any, **options: Any) -> None:
        """Log what a person must check."""
        self._log.error("%s", self._told(message, given), **options)

    def _told(self, message: str, given: tuple[Any, ...]) -> str:
        return in_lines(self._of + (message % given if given else message))
