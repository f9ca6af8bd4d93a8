"""What plans, and fetches of articles, have left out of a run before anything was sent, as rows of its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..quoting import shortened
from ..spending.left_out import WAITED_TOO_LONG, kind_of
from ..spending.plan_xcom import LEFT_OUT_KEY
from .advice import MAX_CAUSE
from .run_instance import RunInstance
from .video_row import VideoRow

MAX_ROWS = 2000
"""Rows of one task (ours)."""
MAX_NAME = 300
"""Characters of a name or an address (ours)."""
_TODO = {
    "wrong": "Correct it, then clear this task and the tasks after it to make it.",
    "limit": "It is over a limit of the plan. Raise the limit, then clear the plan and the tasks after it.",
    "later": "The next run tries it again.",
}
_TODO_WAITED_TOO_LONG = "It waited longer than max_age. Give its storyboard to another run."
_TODO_OVER_MAX_ARTICLES = "No later run takes it by itself. {} For later runs, raise max_articles."
_MAKES_PAGE = "To make it, run a DAG with its address in urls=."
_MAKES_FILE = "Change the file, and the next run takes it."


def left_out_rows(instance: RunInstance) -> Iterator[VideoRow]:
    """A row for each video that a task left out; what is another run's is not shown.

    :param instance: of a task that chooses videos.
    """
    told = instance.xcoms.get(LEFT_OUT_KEY)
    items = [item for item in told[:MAX_ROWS] if isinstance(item, Mapping)] if isinstance(told, list) else []
    for item in items:
        kind = kind_of(item)
        if kind == "other":
            continue
        names = [item[key] for key in ("video", "title", "url") if isinstance(item.get(key), str)]
        reason = item.get("reason")
        causes = [shortened(reason, MAX_CAUSE)] if isinstance(reason, str) else []
        # Who wants the article made needs its address.
        causes += [shortened(address, MAX_NAME) for address in names[1:]]
        yield VideoRow(
            shortened(next(iter(names), instance.label), MAX_NAME),
            "left-out",
            instance.task_id,
            instance.map_index,
            "choice",
            cause=" ".join(causes) or None,
            todo=_todo(kind, item),
        )


def _todo(kind: str, item: Mapping[str, Any]) -> str:
    if kind == "limit" and str(item.get("reason")).startswith(WAITED_TOO_LONG):
        return _TODO_WAITED_TOO_LONG
    address = item.get("url")
    if kind != "limit" or not isinstance(address, str):
        return _TODO[kind]
    is_page = address.startswith(("http://", "https://"))
    return _TODO_OVER_MAX_ARTICLES.format(_MAKES_PAGE if is_page else _MAKES_FILE)
