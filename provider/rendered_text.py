"""What a template makes of a value that is not there: the text "None"."""

from __future__ import annotations

from typing import Any

NONE_TEXT = "None"


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
