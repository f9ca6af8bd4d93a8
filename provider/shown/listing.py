"""What a plan or a summary says, as lists for a page: from what their tasks pushed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..quoting import shortened
from ..spending.run_summary import length_in_words
from ..stored_dataclass import length
from .budget_lines import budget_lines

MAX_LINES, MAX_TEXT = 500, 1000
"""Lines of each list, and characters of a line (ours)."""
Line = tuple[str, str]
"""A name, and what is said of it."""


@dataclass(frozen=True)
class Listing:
    """What the page shows.

    :param headline: in one sentence.
    :param lists: each with its title and its lines; empty ones are left out.
    """

    headline: str
    lists: tuple[tuple[str, tuple[Line, ...]], ...] = ()


def plan_listing(estimate: Any, left_out: Any) -> Listing | None:
    """What a plan decided; None where it has not.

    :param estimate: as ``PlanVideosOperator`` pushes it.
    :param left_out: the same.
    """
    if not isinstance(estimate, Mapping):
        return None
    made = [
        (_name(item), ", ".join(filter(None, [_minutes(item), _left_by(item)])))
        for item in _mappings(estimate.get("each"))
    ]
    out = [(_name(item), str(item.get("reason") or "")) for item in _mappings(left_out)]
    minutes = length_in_words(length(estimate.get("minutes")) or 0.0)
    dry = "Dry run: nothing is sent. " if estimate.get("dry_run") else ""
    headline = (
        f"{dry}{len(made)} of {len(made) + len(out)} videos are planned, about {minutes} (an estimate)."
    )
    return Listing(
        headline, _lists(("Budgets", budget_lines(estimate)), ("To make", made), ("Left out", out))
    )


def _left_by(item: Mapping[str, Any]) -> str:
    return f"carried over from run {item['left_by']}" if isinstance(item.get("left_by"), str) else ""


def summary_listing(result: Any) -> Listing | None:
    """The results of a run; None if they are not known.

    :param result: what ``SummarizeVideosOperator`` returned.
    """
    headline = result.get("headline") if isinstance(result, Mapping) else None
    if not isinstance(headline, str):
        return None
    failed = [
        (_name(item), f"{item.get('task') or ''}: {item.get('message') or item.get('kind') or ''}")
        for item in _mappings(result.get("failures"))
    ]
    made = [
        (_name(item), ", ".join(filter(None, [_minutes(item), str(item.get("place") or "")])))
        for item in _mappings(result.get("videos"))
    ]
    out = [
        (str(item.get("video") or item.get("url") or ""), str(item.get("reason") or ""))
        for item in _mappings(result.get("left_out"))
    ]
    return Listing(headline, _lists(("Failed", failed), ("Made", made), ("Left out", out)))


def _lists(*lists: tuple[str, list[Line]]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    return tuple((f"{title} ({len(lines)})", tuple(_some(lines))) for title, lines in lists if lines)


def _some(lines: list[Line]) -> Iterator[Line]:
    for name, text in lines[:MAX_LINES]:
        yield shortened(name, MAX_TEXT), shortened(text, MAX_TEXT)
    if len(lines) > MAX_LINES:
        yield "...", f"and {len(lines) - MAX_LINES} more, in the XComs of this task"


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _name(item: Mapping[str, Any]) -> str:
    return str(item.get("video") or "")


def _minutes(item: Mapping[str, Any]) -> str:
    minutes = length(item.get("minutes"))
    return "" if minutes is None else length_in_words(minutes)
