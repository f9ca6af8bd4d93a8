"""How much of the budgets of a connection is left, as a plan reported it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..quoting import shortened
from ..stored_dataclass import length

MAX_BUDGETS, MAX_TEXT = 10, 100
"""Lines, and characters of a name in one (ours)."""


def budget_lines(estimate: Any) -> list[tuple[str, str]]:
    """Each budget with what is left of it, for a page (source: ours).

    :param estimate: as ``PlanVideosOperator`` pushes it; people may write XComs.
    """
    budgets = estimate.get("budgets") if isinstance(estimate, Mapping) else None
    found = [item for item in budgets if isinstance(item, Mapping)] if isinstance(budgets, list) else []
    return [(_text(item, "name"), _used(item)) for item in found[:MAX_BUDGETS]]


def _used(item: Mapping[str, Any]) -> str:
    left, whole, others, own = (
        length(item.get(key)) for key in ("left", "minutes", "other_runs", "this_run")
    )
    if left is None or whole is None:
        return "not known"
    taken = f": other runs hold {others or 0:.1f}, this run {own or 0:.1f}"
    return f"{left:.1f} of {whole:g} minutes of {_text(item, 'period')} were left{taken}"


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return shortened(value, MAX_TEXT) if isinstance(value, str) else "?"
