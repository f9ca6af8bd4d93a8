"""pydantic's findings in an author's words: the path as it is written, the value, and what is allowed."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping
from datetime import date
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import Problem
from ..quoting import MAX_QUOTED, quotable, shortened

MAX_SHOWN = 80
"""How many characters of a wrong value or of an unknown name a message shows (ours)."""

UNKNOWN_KEY = "is not a key here"
"""For what is not part of a request, so that it is not sent anywhere."""

NO_TEXT = "must be text"
"""For a value of another kind where text is needed."""

_NEEDED = {
    "missing": "is required",
    "invalid_key": "is not text, and the name of a field must be",
    "model_type": "must be an object with fields",
    "dict_type": "must be an object with fields",
    "too_short": "must have at least one element",
    "tuple_type": "must be a list",
    "string_type": NO_TEXT,
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
}
"""What is needed, by pydantic's kind of error; other kinds are described in pydantic's words."""


def problems_of(model: type[BaseModel], error: ValidationError) -> list[Problem]:
    """Everything that pydantic found wrong with a request.

    :param model: the request's class.
    :param error: what pydantic raised.
    """
    items = error.errors(include_url=False)
    # pydantic counts only the elements that are right: a list of wrong ones must not be called empty too.
    wrong_within = {item["loc"][:length] for item in items for length in range(len(item["loc"]))}
    return [
        _problem(model, item)
        for item in items
        if not (item["type"] == "too_short" and item["loc"] in wrong_within)
    ]


def _problem(model: type[BaseModel], item: ErrorDetails) -> Problem:
    kind, given = item["type"], item["input"]
    path, owner = _path(model, item["loc"])
    if kind == "extra_forbidden":
        message = _unknown(owner, str(item["loc"][-1]))
    elif kind == "value_error":
        message = str(item["ctx"]["error"])
    else:
        message = _NEEDED.get(kind) or item["msg"].replace("Input should be", "must be")
    return Problem(path, "" if kind == "missing" or isinstance(given, Mapping) else _shown(given), message)


def _path(model: type[BaseModel], location: tuple[int | str, ...]) -> tuple[str, type[BaseModel]]:
    """The path as an author writes it (``scenes[3].textColor``), and the model that its last step is in."""
    path = ""
    owner = within = model
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            name = shortened(step if step.isidentifier() else quotable(repr(step)) or "", MAX_SHOWN)
            path += f".{name}" if path else name
            owner, within = within, _submodel(within, step)
    return path, owner


def _submodel(model: type[BaseModel], name: str) -> type[BaseModel]:
    """The model of a field; the same model again for a field that holds none."""
    for attribute, field in model.model_fields.items():
        if name in (attribute, field.alias):
            for kind in _kinds(field.annotation):
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    return kind
    return model


def _kinds(annotation: Any) -> list[Any]:
    return [annotation, *(deeper for arg in get_args(annotation) for deeper in _kinds(arg))]


def _unknown(model: type[BaseModel], name: str) -> str:
    fields = {
        _plain(field.alias or attribute): field.alias for attribute, field in model.model_fields.items()
    }
    of_interface = fields.pop("extrafields", None) is not None
    said = "is not a field of the interface" if of_interface else UNKNOWN_KEY
    near = difflib.get_close_matches(_plain(name[:MAX_SHOWN]), fields.keys(), n=1)
    if near:
        return f"{said}; did you mean {fields[near[0]]!r}?"
    if of_interface:
        return f"{said}; if your service takes it, put it in extra_fields"
    return f"{said}; the keys are {', '.join(map(str, fields.values()))}"


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


class _Beginning(reprlib.Repr):
    """``repr`` of a value's beginning: a list may hold others, and these others, more than memory can."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxother = 10 * MAX_QUOTED

    def repr_str(self, text: str, _: int) -> str:
        """A text without secrets: cut in its middle it would no longer show that it holds one."""
        return repr(quotable(text) or "")

    def repr_int(self, number: int, _: int) -> str:
        return repr(number)

    def repr_date(self, date: date, _: int) -> str:
        """As YAML has it, which reads dates from text."""
        return str(date)

    repr_datetime = repr_date


def _shown(value: Any) -> str:
    try:
        text = _Beginning().repr(value)
    except Exception:  # what is nested too deeply, or has too many digits, cannot be described
        return f"{type(value).__name__}, too long to show"
    return shortened(quotable(text) or "", MAX_SHOWN)
