"""Objects that the triggers of one event loop share, and those of another must not touch."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Shared = TypeVar("Shared")


class OnePerLoop(Generic[Shared]):
    """Keeps one object for each key in each event loop, until it is dropped or the loop is gone."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, Shared]] = (
            weakref.WeakKeyDictionary()
        )

    def get(self, key: Hashable, make: Callable[[], Shared]) -> Shared:
        """The object for a key in the running loop.

        :param key: of the object.
        :param make: makes it, where there is none.
        """
        kept = self._kept.setdefault(asyncio.get_running_loop(), {})
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def drop(self, key: Hashable) -> None:
        """Drop the object, so that the next caller in the running loop gets another.

        :param key: of the object, which may be gone.
        """
        self._kept.get(asyncio.get_running_loop(), {}).pop(key, None)
