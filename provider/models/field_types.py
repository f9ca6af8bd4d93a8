"""The scalar types of requests: what an author may write, and what goes over the wire."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

from .json_value import is_unicode, unsendable

WRITTEN_AS_TEXT_OR_NUMBER = "text or number"
"""Marks in a JSON Schema the fields whose JSON type is the author's."""


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
        raise ValueError("contains half of a surrogate pair, which is not a character")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _text_or_number(value: Any) -> str | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be text or a number")
    if isinstance(value, str):
        return _sendable(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be a finite number")
    if found := unsendable(value):
        raise ValueError(found)
    return value


def _number(value: Any, checked: ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number")
    number = checked(value)
    # A whole number stays one: pydantic would make 3.0 of 3.
    return value if isinstance(value, int) else number


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
"""A text on the wire; an author may write a number (``videoName: 1984``)."""
NotBlank = Annotated[WireText, AfterValidator(_not_blank)]
"""A text with something in it."""
TextOrNumber = Annotated[
    str | int | float,
    PlainValidator(_text_or_number),
    WithJsonSchema({"type": ["string", "number"], "$comment": WRITTEN_AS_TEXT_OR_NUMBER}),
]
"""A number that the interface keeps in a text, or leaves open: sent as the author wrote it, ``100`` or ``"100"``."""
Number = Annotated[float, WrapValidator(_number)]
"""A number on the wire; an author may write it as a text, as templates do."""
WholeNumber = Annotated[int, BeforeValidator(_no_truth_value), Field(lt=10**9)]
"""A whole number on the wire; an author may write it as a text, as templates do."""
