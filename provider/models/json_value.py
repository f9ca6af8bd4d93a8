"""What a JSON body can carry: names the first value inside a structure that it cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 100
"""How deeply lists and objects of a request may lie in each other (ours)."""
MAX_INTEGER_BITS = 1024
"""Whole numbers with more binary digits are refused: no service reads them (ours)."""


def unsendable(value: Any, path: str = "", depth: int = 0) -> str | None:
    """What JSON cannot carry in a value, and where it stands; None when all of it can be sent.

    :param value: of any kind.
    :param path: where the value stands, such as ``scenes[3].x``.
    :param depth: how many lists and objects are around it.
    """
    where = f" at {path}" if path else ""
    if depth > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    match value:
        case str() if not is_unicode(value):
            return f"holds half of a surrogate pair{where}, which is no character"
        case float() if not math.isfinite(value):
            return f"holds {value}{where}, which JSON does not have"
        case int() if value.bit_length() > MAX_INTEGER_BITS:
            return f"holds a number{where} with too many digits"
        case None | str() | float() | int():
            return None
        case Mapping():
            for name, item in value.items():
                if not isinstance(name, str) or not is_unicode(name):
                    return f"holds a field name{where} that is no text"
                if found := unsendable(item, f"{path}.{name}" if path else name, depth + 1):
                    return found
            return None
        case list() | tuple():
            within = (unsendable(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value))
            return next((found for found in within if found), None)
    return f"holds a value of type {type(value).__name__}{where}, which JSON does not have"


def is_unicode(text: str) -> bool:
    """Whether a text can be written as UTF-8: halves of surrogate pairs cannot (source: ours).

    :param text: any text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
