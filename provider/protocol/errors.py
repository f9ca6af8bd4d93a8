"""The old home of the errors, which are in ``provider.errors``; kept for imports of 0.1.0."""

from __future__ import annotations

from typing import Any

from .. import errors
from ..deprecation import warn_of_old_name


def __getattr__(name: str) -> Any:
    found = getattr(errors, name)
    warn_of_old_name(f"provider.protocol.errors.{name}", f"provider.errors.{name}")
    return found
