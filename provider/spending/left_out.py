"""What a run left out before anything was sent: which of it a person must fix, and how it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

LeftOutKind = Literal["wrong", "limit", "later", "other"]
"""``wrong``: lost until a person mends it; ``limit``: over a limit of the DAG or of the quota; ``later``: the next run
tries it again; ``other``: another run's, or nothing says that it is this run's."""
WAITED_TOO_LONG = "it found no room for max_age="
"""How the reason begins where a video is given up: it is over a limit, but raising that makes it no more."""
_WORDS: Mapping[LeftOutKind, str] = {
    "wrong": "wrong",
    "limit": "over a limit",
    "later": "for the next run",
    "other": "perhaps not this run's",
}


def kind_of(item: Mapping[str, Any]) -> LeftOutKind:
    """Why something was left out; ``wrong`` where that is not told: earlier releases did not.

    :param item: as a task pushed it.
    """
    return next((kind for kind in _WORDS if kind == item.get("kind")), "wrong")


def worst_first(left_out: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The same, with what a person must fix first.

    :param left_out: what was left out, as tasks pushed it.
    """
    order = list(_WORDS)
    return sorted(left_out, key=lambda item: order.index(kind_of(item)))


def in_brackets(left_out: Sequence[Mapping[str, Any]]) -> str:
    """Why so many were left out, such as " (3 wrong, 1 over a limit)"; empty where nothing was.

    :param left_out: what was left out, as tasks pushed it.
    """
    counted = Counter(map(kind_of, left_out))
    kinds = ", ".join(f"{counted[kind]} {words}" for kind, words in _WORDS.items() if counted[kind])
    return f" ({kinds})" if kinds else ""
