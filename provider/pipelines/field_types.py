"""What the values of a settings file may be, and what a person gets to read of one that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from ..articles.file_kinds import refused_kind
from ..models.json_value import is_unicode

PRESETS = ("@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly")
"""Airflow's names of schedules; not ``@continuous``, which would never stop paying."""
MAX_DAG_ID = 250
"""Characters of a DAG's name (source: Airflow's table ``dag``)."""
_DAG_ID = re.compile(r"[\w.-]+")
_TIME_SPAN: TypeAdapter[timedelta] = TypeAdapter(timedelta)
_TRUTH: TypeAdapter[bool] = TypeAdapter(bool)
_PASSWORD = re.compile(r"://[^/@\s]*:[^/@\s]*@")


_NO_SECRETS = (
    "holds a password, and this file is no place for one: put it into an Airflow connection, or the whole "
    "address into a Variable, such as {{ var.value.feed_url }}"
)


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    if not is_unicode(value):
        raise ValueError("holds half of a surrogate pair, which is no character")
    if _PASSWORD.search(value):
        raise ValueError(_NO_SECRETS)
    return value


def _without_passwords(value: Any) -> Any:
    if any(_PASSWORD.search(text) for text in _texts_in(value)):
        raise ValueError(_NO_SECRETS)
    return value


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(each)


def _rendered(value: str) -> str:
    for begin, end in (("{{", "}}"), ("{%", "%}")):
        if value.count(begin) != value.count(end):
            raise ValueError(f"has {begin} and {end} that do not belong together: Airflow cannot render it")
    return value


def one_or_many(value: Any) -> Any:
    """One text as a list of one.

    :param value: as it is written.
    """
    return (value,) if isinstance(value, str) else value


def section(part: type[BaseModel]) -> BeforeValidator:
    """Lets ``true`` stand for a section whose keys all have defaults, and ``false`` for none.

    :param part: the model of the section.
    """

    def as_section(value: Any) -> Any:
        if isinstance(value, Mapping | BaseModel):
            return value
        try:
            return {} if _TRUTH.validate_python(value) else None
        except ValidationError:
            raise ValueError("must be true or false, or have keys of its own") from None

    return BeforeValidator(as_section, json_schema_input_type=bool | part)


def _dag_id(value: str) -> str:
    if len(value) > MAX_DAG_ID:
        raise ValueError(f"may have {MAX_DAG_ID} characters at most")
    if not _DAG_ID.fullmatch(value):
        raise ValueError(
            "may hold letters, digits, '-', '_' and '.' only; it is the name of the file where dag_id is not written"
        )
    return value


def _schedule(value: str) -> str:
    if value in PRESETS:
        return value
    from croniter import croniter

    # croniter knows more words of its own.
    if value.startswith("@") or not croniter.is_valid(value):
        raise ValueError(f"must be a cron expression, such as '0 3 * * *', or one of {', '.join(PRESETS)}")
    return value


def _timezone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ValueError("must be the name of a time zone, such as Europe/Berlin") from None
    return value


def _time_span(value: Any) -> Any:
    try:
        right = isinstance(value, str) and length_of(value) >= timedelta(0)
    except (ValidationError, OverflowError):
        right = False
    if not right:
        raise ValueError("must be a time span, such as P2D (two days) or PT6H (six hours)")
    return value


def _above_zero(value: str) -> str:
    if not length_of(value):
        raise ValueError("must be longer than nothing")
    return value


def length_of(time_span: str) -> timedelta:
    """A time span as Airflow takes it.

    :param time_span: as it is written, such as ``PT6H``.
    """
    return _TIME_SPAN.validate_python(time_span)


def _readable(value: str) -> str:
    if refused := refused_kind(value):
        raise ValueError(refused)
    return value


def _local(value: str) -> str:
    if "://" in value:
        raise ValueError("must be a file on disk, such as one beside this file")
    return value


def _file_or_lines(value: str) -> str:
    return value if is_lines(value) else _local(value)


def is_lines(text: str) -> bool:
    """Whether a text stands for itself, since no file's name has several lines.

    :param text: as it is written.
    """
    return "\n" in text.strip()


def _folder(value: str) -> str:
    if not value.endswith("/"):
        raise ValueError("must end with a slash: it is the folder that takes the videos")
    return value


Text = Annotated[str, AfterValidator(_text)]
Rendered = Annotated[Text, AfterValidator(_rendered)]
"""A text in which Airflow renders Jinja."""
TimeSpan = Annotated[str, BeforeValidator(_time_span, json_schema_input_type=str)]
Wait = Annotated[TimeSpan, AfterValidator(_above_zero)]
DagId = Annotated[str, AfterValidator(_dag_id)]
Schedule = Annotated[str, AfterValidator(_schedule)]
TimeZone = Annotated[str, AfterValidator(_timezone)]
LocalFile = Annotated[Text, AfterValidator(_local)]
FileOrLines = Annotated[Text, AfterValidator(_file_or_lines)]
Folder = Annotated[Rendered, AfterValidator(_folder)]
OneOrMany = BeforeValidator(one_or_many, json_schema_input_type=str | tuple[str, ...])
Texts = Annotated[tuple[Text, ...], OneOrMany, Field(min_length=1)]
Addresses = Annotated[tuple[Rendered, ...], OneOrMany, Field(min_length=1)]
Places = Annotated[tuple[Annotated[Rendered, AfterValidator(_readable)], ...], OneOrMany, Field(min_length=1)]
Free = Annotated[dict[str, Any], AfterValidator(_without_passwords)]
"""Keys that are not ours to name."""
