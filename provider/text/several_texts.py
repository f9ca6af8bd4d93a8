"""One text that stands for several: what Jinja makes of a list, or what a person types into a form."""

from __future__ import annotations

import ast
import json
from typing import Any


def several_texts(text: str) -> list[str] | None:
    """The texts of a JSON or Python list, or else the lines that are not empty (source: ours).

    :param text: as a template rendered it.
    :return: None where it is a list, and not one of texts.
    """
    written = text.strip()
    if not (written.startswith("[") and written.endswith("]")):
        return [line.strip() for line in written.splitlines() if line.strip()]
    listed = _read(written)
    return listed if isinstance(listed, list) and all(isinstance(item, str) for item in listed) else None


def _read(written: str) -> Any:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(written)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
