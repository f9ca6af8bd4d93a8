"""How long a text must be shown so that it can be read."""

from __future__ import annotations

READING_LETTERS_PER_SECOND = 18.0
SHORTEST_SCENE_SECONDS = 2.0


def reading_seconds(text: str) -> float:
    """Say how long a viewer reads.

    :param text: as it is seen
    """
    return 1.0 + len(text) / READING_LETTERS_PER_SECOND
