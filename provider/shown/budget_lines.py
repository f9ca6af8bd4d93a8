"""How much of the budgets of a connection is left, and what earlier runs left to a plan, as a plan reported it."""

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


def carried_line(estimate: Any) -> list[tuple[str, str]]:
    """How many videos of a plan earlier runs had left, and which runs, for a page (source: ours).

    :param estimate: as for ``budget_lines``.
    """
    each = estimate.get("each") if isinstance(estimate, Mapping) else None
    runs = (
        [item.get("left_by") for item in each if isinstance(item, Mapping)] if isinstance(each, list) else []
    )
    left_by = [shortened(run, MAX_TEXT) for run in runs if isinstance(run, str)]
    if not left_by:
        return []
    names = list(dict.fromkeys(left_by))
    more = f" and {len(names) - MAX_BUDGETS} more" if len(names) > MAX_BUDGETS else ""
    return [
        ("carried over", f"{len(left_by)} of {len(runs)} videos, from {', '.join(names[:MAX_BUDGETS])}{more}")
    ]


def _used(item: Mapping[str, Any]) -> str:
    left, whole, others, own = (
        length(item.get(key)) for key in ("left", "minutes", "other_runs", "this_run")
    )
    if left is None or whole is None:
        return "not known"
    taken = f": other runs hold {others or 0:.1f}{_named(item.get('by_dag'))}, this run {own or 0:.1f}"
    return f"{left:.1f} of {whole:g} minutes of {_text(item, 'period')} were left{taken}"


def _named(by_dag: Any) -> str:
    minutes = (
        {dag_id: length(value) for dag_id, value in by_dag.items()} if isinstance(by_dag, Mapping) else {}
    )
    named = [
        f"{shortened(dag_id, MAX_TEXT)} {value:.1f}" for dag_id, value in minutes.items() if value is not None
    ]
    return f" ({', '.join(named[:MAX_BUDGETS])})" if named else ""


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return shortened(value, MAX_TEXT) if isinstance(value, str) else "?"
