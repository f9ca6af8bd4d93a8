"""What a JSON body can carry: names the first value inside a structure that it cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 100
"""How deeply lists and objects of a request may be nested (ours)."""
MAX_INTEGER_BITS = 1024
"""Whole numbers with more binary digits are refused: no service reads them (ours)."""


def unsendable(value: Any, path: str = "", depth: int = 0) -> str | None:
    """What JSON cannot carry in a value, and where it is; None when all of it can be sent.

    :param value: of any kind.
    :param path: where the value is, such as ``scenes[3].x``.
    :param depth: how many lists and objects are around it.
    """
    where = f" at {path}" if path else ""
    if depth > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    match value:
        case str() if not is_unicode(value):
            return f"contains half of a surrogate pair{where}, which is not a character"
        case float() if not math.isfinite(value):
            return f"contains {value}{where}, which JSON cannot represent"
        case int() if value.bit_length() > MAX_INTEGER_BITS:
            return f"contains a number{where} with too many digits"
        case None | str() | float() | int():
            return None
        case Mapping():
            for name, item in value.items():
                if not isinstance(name, str) or not is_unicode(name):
                    return f"contains a field name{where} that is not text"
                if found := unsendable(item, f"{path}.{name}" if path else name, depth + 1):
                    return found
            return None
        case list() | tuple():
            within = (unsendable(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value))
            return next((found for found in within if found), None)
    return f"contains a value of type {type(value).__name__}{where}, which JSON cannot represent"


def is_unicode(text: str) -> bool:
    """Whether a text can be written as UTF-8: halves of surrogate pairs cannot (source: ours).

    :param text: any text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
