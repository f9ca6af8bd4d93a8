"""A dataclass that was stored as JSON, perhaps by another release of this provider.

Every stored form has a ``version``. What is stored is read by its keys: those that are not known are ignored, and those
that are missing have the default of the class. So a release can add a field and drop one that nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")
MOST = 1e15
"""No number that we store is as large (ours)."""
MAX_LENGTH = 1e9
"""Seconds or minutes of what can be a video (ours)."""
END_OF_TIME = datetime(9999, 12, 31, tzinfo=UTC).timestamp()


def thawed(kind: type[Kind], stored: Any) -> Kind | None:
    """A dataclass of what was stored; None where that is no object, or a key without a default is missing.

    :param kind: the dataclass.
    :param stored: a JSON value.
    """
    if not isinstance(stored, Mapping):
        return None
    known = {name: stored[name] for name in _field_types(kind) if name in stored}
    try:
        return kind(**known)
    except TypeError:
        return None


def thawed_strictly(kind: type[Kind], stored: Any) -> Kind | None:
    """As ``thawed``, and None too where a value has not the type of its field: others may have written it.

    :param kind: a dataclass of texts, flags, whole and finite numbers, and of nothing else.
    :param stored: a JSON value.
    """
    found = thawed(kind, stored)
    types = _field_types(kind)
    if found is None:
        return None
    return found if all(_is_of(getattr(found, name), types[name]) for name in types) else None


def is_time(value: object) -> bool:
    """Whether a stored value can be a time: epoch seconds that Python can show.

    :param value: a JSON value.
    """
    return type(value) in (int, float) and 0 <= value < END_OF_TIME  # type: ignore[operator]


def length(value: Any) -> float | None:
    """A length in a stored value; None for what is none: people may write XComs.

    :param value: a JSON value.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < MAX_LENGTH else None


def _read_field_types(kind: Any) -> Mapping[str, tuple[type, ...]]:
    hints = get_type_hints(kind)
    return {item.name: _alternatives(hints[item.name]) for item in fields(kind)}


# A task that makes many videos reads thousands of records.
_field_types: Callable[[Any], Mapping[str, tuple[type, ...]]] = cache(_read_field_types)


def _alternatives(hint: Any) -> tuple[type, ...]:
    return get_args(hint) if get_origin(hint) is UnionType else (hint,)


def _is_of(value: Any, types: tuple[type, ...]) -> bool:
    if float in types and type(value) in (int, float):
        # Neither an infinite one nor one of a thousand digits, which no message can show.
        return -MOST < value < MOST  # type: ignore[no-any-return]
    return type(value) in types
