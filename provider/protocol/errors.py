"""The old home of the errors, which stand in ``provider.errors``; kept for imports of 0.1.0."""

from __future__ import annotations

from typing import Any

from .. import errors


def __getattr__(name: str) -> Any:
    return getattr(errors, name)
