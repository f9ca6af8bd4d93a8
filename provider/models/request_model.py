"""What all requests have in common: wire names, what is sent, and how mistakes become one error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from ..errors import InvalidRequestError, Problem
from ..rendered_text import nothing_given
from .json_value import unsendable
from .problems import problems_of
from .request_text import parse_request_text

OVERRIDE = "override_known_fields"
"""In ``extra_fields``: whether these may carry a field that the interface knows. It is not sent."""
MAX_NAMED = 10
"""How many fields one warning names (ours)."""


class RequestModel(BaseModel):
    """The base of every request: attributes in snake_case, the interface's names as aliases.

    Both spellings are accepted; the wire has the interface's. What is not set is not sent. A field
    that the interface does not have is refused, since the service would drop it silently; pass it
    in ``extra_fields`` where the service is known to take it. An optional field that is an empty text
    is left out, with a warning: templates leave such texts (source: ours).

    :param extra_fields: name -> JSON value, sent beside the known fields; with ``override_known_fields: true``
        among them, or on the connection, also in place of known ones.
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
    _empty: tuple[str, ...] = PrivateAttr(default=())

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InvalidRequestError(self.subject, problems_of(type(self), error)) from None

    # Lets pydantic go on building nested requests itself, so that one error reports all problems.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @field_validator("extra_fields", mode="before")
    @classmethod
    def _extra_fields_can_be_sent(cls, value: Any) -> Any:
        if found := unsendable(value):
            raise ValueError(found)
        if isinstance(value, Mapping) and not isinstance(value.get(OVERRIDE, False), bool):
            raise ValueError(f"contains {OVERRIDE}, which must be true or false")
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _without_empty_texts(cls, value: Any, checked: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, Mapping):
            return checked(value)
        optional = {
            name: field.alias or attribute
            for attribute, field in cls.model_fields.items()
            if not field.is_required()
            for name in (attribute, field.alias)
        }
        empty = {
            name: optional[name]
            for name, item in value.items()
            if isinstance(item, str) and not item.strip() and name in optional
        }
        if not empty:
            return checked(value)
        made = checked({name: item for name, item in value.items() if name not in empty})
        made._empty = tuple(empty.values())
        return made

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
            kind = type(value).__name__
            message = nothing_given(value) if value is None else f"must be an object with fields, not {kind}"
            raise InvalidRequestError(cls.subject, [Problem("", "", message)])
        try:
            return cls.model_validate(dict(value))
        except ValidationError as error:
            raise InvalidRequestError(cls.subject, problems_of(cls, error)) from None

    def to_wire(self) -> dict[str, Any]:
        """The JSON body that is sent: only what was set, with the interface's names."""
        extra = {name: value for name, value in self.extra_fields.items() if name != OVERRIDE}
        return self._set_fields(RequestModel.to_wire) | extra

    def to_dict(self) -> dict[str, Any]:
        """The dict of which ``read`` makes this request again: as sent, but with extra_fields apart.

        Empty texts stay in it, so that the task that sends the request can warn of them.
        """
        extra = {"extra_fields": self.extra_fields} if self.extra_fields else {}
        return self._set_fields(RequestModel.to_dict) | dict.fromkeys(self._empty, "") | extra

    def warnings(self) -> list[str]:
        """What the log says of the request as it was written; nothing is refused for it."""
        empty = [f"{path}.{name}".lstrip(".") for path, part in self.parts() for name in part._empty]
        if not empty:
            return []
        more = f" and {len(empty) - MAX_NAMED} more" if len(empty) > MAX_NAMED else ""
        return [
            f"The {self.subject} has empty texts in optional fields, which are not sent: "
            f"{', '.join(empty[:MAX_NAMED])}{more}. Set them, or remove them from the request."
        ]

    def require_no_known_extra(self) -> None:
        """Let ``extra_fields`` carry a field that the interface knows only where they say so.

        :raises InvalidRequestError: names every such field.
        """
        problems = [
            Problem(
                f"{path}.extra_fields".lstrip("."),
                "",
                f"contains {', '.join(clash)}, which the interface has: set it as a normal field; or, to send it "
                f"unchanged, add {OVERRIDE}: true to these extra_fields or to the connection's extra",
            )
            for path, part in self.parts()
            if not part.extra_fields.get(OVERRIDE) and (clash := part._known_extra())
        ]
        if problems:
            raise InvalidRequestError(self.subject, problems)

    def parts(self, path: str = "") -> Iterator[tuple[str, RequestModel]]:
        """This request and all within it, each with its path, such as ``scenes[3]``.

        :param path: of this one.
        """
        yield path, self
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            within = f"{path}.{field.alias or name}".lstrip(".")
            if isinstance(value, RequestModel):
                yield from value.parts(within)
            elif isinstance(value, tuple):
                for index, item in enumerate(value):
                    yield from item.parts(f"{within}[{index}]")

    def _known_extra(self) -> list[str]:
        known = {field.alias or name for name, field in type(self).model_fields.items()}
        return sorted(known & self.extra_fields.keys())

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
