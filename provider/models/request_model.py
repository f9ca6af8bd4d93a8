"""What all requests have in common: wire names, what is sent, and how mistakes become one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from ..errors import InvalidRequestError, Problem
from .json_value import unsendable
from .problems import problems_of
from .request_text import parse_request_text


class RequestModel(BaseModel):
    """The base of every request: attributes in snake_case, the interface's names as aliases.

    Both spellings are accepted; the wire has the interface's. What is not set is not sent. A field
    that the interface does not have is refused, since the service would drop it silently; pass it
    in ``extra_fields`` where the service is known to take it (source: ours).

    :param extra_fields: name -> JSON value, sent beside the known fields.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
    )
    subject: ClassVar[str] = "request"

    extra_fields: dict[str, Any] = Field(default_factory=dict, repr=False)

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InvalidRequestError(self.subject, problems_of(type(self), error)) from None

    # Says that pydantic may go on building nested requests itself, so that one error tells of all.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @field_validator("extra_fields", mode="before")
    @classmethod
    def _extra_fields_can_be_sent(cls, value: Any) -> Any:
        if found := unsendable(value):
            raise ValueError(found)
        known = {field.alias or name for name, field in cls.model_fields.items()}
        if isinstance(value, Mapping) and (clash := sorted(known & value.keys())):
            raise ValueError(
                f"holds {', '.join(clash)}, known to the interface: set it as a field of its own"
            )
        return value

    @classmethod
    def read(cls, value: Self | Mapping[str, Any] | str) -> Self:
        """Make a checked request of a model, a mapping with wire or attribute names, or a JSON or YAML text.

        :param value: as an author, a template or another task gave it.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            value = parse_request_text(value, cls.subject)
        if not isinstance(value, Mapping):
            message = f"must be an object with fields, not {type(value).__name__}"
            raise InvalidRequestError(cls.subject, [Problem("", "", message)])
        try:
            return cls.model_validate(dict(value))
        except ValidationError as error:
            raise InvalidRequestError(cls.subject, problems_of(cls, error)) from None

    def to_wire(self) -> dict[str, Any]:
        """The JSON body that is sent: only what was set, with the interface's names."""
        return self._set_fields(RequestModel.to_wire) | self.extra_fields

    def to_dict(self) -> dict[str, Any]:
        """The dict of which ``read`` makes this request again: as sent, but with extra_fields apart."""
        extra = {"extra_fields": self.extra_fields} if self.extra_fields else {}
        return self._set_fields(RequestModel.to_dict) | extra

    def _set_fields(self, inner: Callable[[RequestModel], dict[str, Any]]) -> dict[str, Any]:
        fields = {}
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if value is None or name == "extra_fields":
                continue
            if isinstance(value, RequestModel):
                value = inner(value)
            elif isinstance(value, tuple):
                value = [inner(item) for item in value]
            fields[field.alias or name] = value
        return fields
