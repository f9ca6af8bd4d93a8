"""What all requests have in common: wire names, what is sent, and how mistakes are told."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from ..protocol.errors import InvalidRequestError, Problem

MAX_SHOWN_VALUE = 80
"""How many characters of a wrong value a message shows."""


def _number_as_text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return value


WireText = Annotated[str, BeforeValidator(_number_as_text)]
"""A text on the wire; an author may write a number (``videoWidth: 1920``)."""


class RequestModel(BaseModel):
    """The base of every request: attributes in snake_case, the interface's names as aliases.

    Both spellings are accepted; the wire has the interface's. What is not set is not sent. A field
    that the interface does not have is refused, since the service would drop it silently; pass it
    in ``extra_fields`` where the service is known to take it (source: ours, DESIGN.md rule 8).

    :param extra_fields: name -> JSON value, sent beside the known fields.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        str_strip_whitespace=False,
    )
    subject: ClassVar[str] = "request"

    extra_fields: dict[str, JsonValue] = Field(default_factory=dict, exclude=True, repr=False)

    @classmethod
    def read(cls, value: Self | Mapping[str, Any] | str) -> Self:
        """Make a checked request of a model, a mapping with wire or attribute names, or a JSON text.

        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            value = _from_json(cls.subject, value)
        if not isinstance(value, Mapping):
            message = f"must be an object with fields, not {type(value).__name__}"
            raise InvalidRequestError(cls.subject, [Problem("", "", message)])
        try:
            return cls.model_validate(dict(value))
        except ValidationError as error:
            raise InvalidRequestError(cls.subject, _problems(cls, error)) from None

    def to_wire(self) -> dict[str, JsonValue]:
        """The JSON body that is sent: only what was set, with the interface's names."""
        wire = self.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_none=True)
        for name in type(self).model_fields:
            value = getattr(self, name)
            alias = type(self).model_fields[name].alias or name
            if isinstance(value, RequestModel):
                wire[alias] = value.to_wire()
            elif isinstance(value, tuple) and value and isinstance(value[0], RequestModel):
                wire[alias] = [item.to_wire() for item in value]
        return wire | self.extra_fields


def _from_json(subject: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        problem = Problem("", "", f"is a text that is not JSON: {error}")
        raise InvalidRequestError(subject, [problem]) from None


def _problems(model: type[RequestModel], error: ValidationError) -> list[Problem]:
    problems = []
    items = error.errors(include_url=False)
    for item in items:
        path, owner = _path(model, item["loc"])
        kind = item["type"]
        if kind == "too_short" and any(
            len(other["loc"]) > len(item["loc"]) and other["loc"][: len(item["loc"])] == item["loc"]
            for other in items
        ):
            continue  # pydantic counts only the elements that are right
        if kind == "extra_forbidden":
            message = f"is no field of the interface{_suggestion(owner, str(item['loc'][-1]))}"
        elif kind == "missing":
            message = "is required"
        elif kind == "value_error":
            message = str(item["ctx"]["error"])
        elif kind == "too_short":
            message = f"needs at least {item['ctx']['min_length']} element"
        else:
            message = item["msg"][:1].lower() + item["msg"][1:]
        value = "" if kind == "missing" or isinstance(item["input"], Mapping) else _shown(item["input"])
        problems.append(Problem(path, value, message))
    return problems


def _path(model: type[BaseModel], location: tuple[int | str, ...]) -> tuple[str, type[BaseModel]]:
    """The path as an author writes it (``scenes[3].textColor``) and the model its last step belongs to."""
    path = ""
    owner: type[BaseModel] | None = model
    last_owner = model
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
            continue
        last_owner = owner or last_owner
        path += f".{step}" if path else step
        owner = _submodel(last_owner, step)
    return path, last_owner


def _submodel(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    for attribute, field in model.model_fields.items():
        if name in (attribute, field.alias):
            candidates = [field.annotation, *_flat_args(field.annotation)]
            return next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), None)
    return None


def _flat_args(annotation: Any) -> list[Any]:
    return [deeper for arg in get_args(annotation) for deeper in (arg, *_flat_args(arg))]


def _suggestion(model: type[BaseModel], name: str) -> str:
    known = {field.alias or attribute for attribute, field in model.model_fields.items()}
    known.discard("extraFields")
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if not near:
        lowered = {candidate.lower(): candidate for candidate in known}
        near = [lowered[name.replace("_", "").lower()]] if name.replace("_", "").lower() in lowered else []
    if near:
        return f"; did you mean {near[0]!r}?"
    return "; if your service takes it, put it in extra_fields"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN_VALUE else f"{text[: MAX_SHOWN_VALUE - 1]}…"
