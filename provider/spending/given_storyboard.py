"""A storyboard of a list: alone, or with its author's metadata of the video."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PAIR = ("storyboard", "metadata")


def storyboard_and_metadata(item: Any) -> tuple[Any, Any]:
    """One item of the list, which may be a pair (source: ours).

    :param item: as it was given.
    """
    if isinstance(item, list | tuple) and len(item) == len(_PAIR):
        return item[0], item[1]
    if isinstance(item, Mapping) and "storyboard" in item and not set(item) - set(_PAIR):
        return item["storyboard"], item.get("metadata")
    return item, None
