"""What a template makes of a value that is not there: the text "None"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

NONE_TEXT = "None"
MAX_UPSTREAM = 5
"""How many tasks a message names (ours)."""


def is_none(value: Any) -> bool:
    """Whether a value is None, or the text that a template renders None as.

    :param value: of an argument, as given or as rendered.
    """
    return value is None or (isinstance(value, str) and value.strip() == NONE_TEXT)


def is_nothing(value: Any) -> bool:
    """Whether a value is None, the text of None, or an empty text.

    :param value: of an argument, as given or as rendered.
    """
    return is_none(value) or (isinstance(value, str) and not value.strip())


def nothing_given(value: Any, upstream: Collection[str] = ()) -> str:
    """What a message says of a request that is nothing, and where to look (source: ours).

    :param value: for which ``is_nothing`` holds.
    :param upstream: the ids of the tasks upstream of the one that was given it, where they are known.
    """
    what = "None" if is_none(value) else "empty"
    if len(upstream) > MAX_UPSTREAM or not upstream:
        look = (
            "Look at the task or template that it comes from: was a task skipped, or did it return nothing?"
        )
    elif len(upstream) == 1:
        look = (
            f"Look at the upstream task {next(iter(upstream))!r}: was it skipped, or did it return nothing?"
        )
    else:
        tasks = ", ".join(map(repr, sorted(upstream)))
        look = f"Look at the upstream tasks {tasks}: was one skipped, or did it return nothing?"
    return f"must be an object with fields, but is {what}. {look}"
