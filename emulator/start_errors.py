"""Why an emulator did not start."""

from __future__ import annotations


class CannotStartError(Exception):
    """The emulator did not start; the message says why and what to do."""


class PortInUseError(CannotStartError):
    """The port cannot be opened."""


class UnusableFolderError(CannotStartError):
    """The folder cannot be used, as when another emulator works in it."""
