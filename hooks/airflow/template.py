"""What Airflow still renders: text that holds Jinja, and another task's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MARKS = ("{{", "{%", "{#")
"""How expressions, statements and comments begin (source: Jinja's template documentation)."""


def is_template(value: Any) -> bool:
    """Whether a value, or one within it, is known only once the task runs (source: ours).

    :param value: an operator's argument: a text, a plain value, another task's result, or a dict or list of these.
    """
    if isinstance(value, str):
        return any(mark in value for mark in MARKS)
    if isinstance(value, Mapping):
        return any(is_template(item) for item in value.values())
    if isinstance(value, list | tuple):
        return any(is_template(item) for item in value)
    # Airflow's own word for what stands for a value: XComArg, DagParam, an argument of a mapped task group.
    return hasattr(value, "iter_references")
