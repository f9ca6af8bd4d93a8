"""The scalar types of requests: what an author may write, and what goes over the wire."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from .json_value import is_unicode


def number_as_text(value: Any) -> Any:
    """A number as a text field of the wire has it; everything else as it is (source: ours).

    :param value: as an author gave it.
    :raises ValueError: it is not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be a finite number")
    return str(int(value) if value == int(value) else value)


def _sendable(text: str) -> str:
    if not is_unicode(text):
        raise ValueError("holds half of a surrogate pair, which is no character")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _no_truth_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


WireText = Annotated[
    str,
    BeforeValidator(number_as_text),
    AfterValidator(_sendable),
    WithJsonSchema({"type": ["string", "number"]}),
]
"""A text on the wire; an author may write a number (``videoWidth: 1920``)."""
NotBlank = Annotated[WireText, AfterValidator(_not_blank)]
"""A text with something in it."""
Number = Annotated[float, BeforeValidator(_no_truth_value)]
"""A number on the wire; an author may write it as a text, as templates do."""
WholeNumber = Annotated[int, BeforeValidator(_no_truth_value), Field(lt=10**9)]
"""A whole number on the wire; an author may write it as a text, as templates do."""
