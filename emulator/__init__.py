"""A stand-in for the text-to-video service: real previews and real videos, with no account.

It is an independent reading of the interface and imports nothing of the client's code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .credentials import CLIENT_ID, CLIENT_SECRET, TOKEN, USER_ID
from .start_errors import CannotStartError

if TYPE_CHECKING:
    from .process.server import Emulator

__all__ = ["CLIENT_ID", "CLIENT_SECRET", "TOKEN", "USER_ID", "CannotStartError", "Emulator"]


def __getattr__(name: str) -> Any:
    if name == "Emulator":
        from .process.server import Emulator

        return Emulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
