"""A text that is given as a file."""

from __future__ import annotations

from typing import Protocol

from ..errors import ConfigurationError


class TextFile(Protocol):
    """A file by its path: ``pathlib.Path``, ``ObjectStoragePath``."""

    def read_text(self, encoding: str) -> str:
        """The whole text of the file."""


def text_of(file: TextFile, subject: str, example: str) -> str:
    """The text of a file (source: ours).

    :param file: its path.
    :param subject: what it is, for messages.
    :param example: of a file's name, for messages.
    :raises ConfigurationError: it cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The {subject} {file} cannot be read ({error}): does it exist on the worker? For a file beside the "
            f'DAG file write Path(__file__).with_name("{example}").'
        ) from error
