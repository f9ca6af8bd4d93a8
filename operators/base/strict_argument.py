"""Reads arguments strictly, as given and as a template renders them: a mistyped one would cost money."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, get_args

from ...hooks.airflow.template import is_template
from ...provider.errors import ConfigurationError

NO_LIMIT = ", or None for no limit"
_TEXTS_OF_BOOL = {"true": True, "false": False}


def wrong_argument(task_id: str, name: str, given: Any, allowed: str) -> ConfigurationError:
    """The error of an argument that cannot be read.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: its value.
    :param allowed: what to give.
    """
    return ConfigurationError(f"Task {task_id!r} has {name}={given!r}; give {allowed}.")


def one_of(task_id: str, name: str, given: Any, words: Any) -> None:
    """Check an argument that is one of some words.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: its value.
    :param words: the ``Literal`` of them.
    :raises ConfigurationError: it is none of them.
    """
    if given not in (allowed := get_args(words)):
        written_out = ", written out: it is no template field" if is_template(given) else ""
        raise wrong_argument(task_id, name, given, " or ".join(map(repr, allowed)) + written_out)


def whole_number(task_id: str, name: str, given: Any, also: str = "") -> int:
    """An argument that is a whole number, 1 or more.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: a number or its text.
    :param also: what is allowed besides, for the message.
    :raises ConfigurationError: it is none.
    """
    number = _number(given)
    if not (number >= 1 and number == int(number)):
        raise wrong_argument(task_id, name, given, f"a whole number, 1 or more{also}")
    return int(number)


def checked_stop_after(given: Any, task_id: str) -> int | None:
    """``stop_after`` as it was given: a whole number (not as text), or None.

    :param given: its value.
    :param task_id: the task's id.
    :raises ConfigurationError: it is neither.
    """
    if given is None or (type(given) is int and given >= 1):
        return given
    raise wrong_argument(task_id, "stop_after", given, "a whole number, 1 or more, or None")


def number_above_zero(task_id: str, name: str, given: Any, also: str = "") -> float:
    """An argument that is a number above 0.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: a number or its text.
    :param also: what is allowed besides, for the message.
    :raises ConfigurationError: it is none.
    """
    number = _number(given)
    if not number > 0:
        raise wrong_argument(task_id, name, given, f"a number above 0{also}")
    return number


def length_of_time(task_id: str, name: str, given: Any) -> timedelta:
    """An argument that is a length of time, 0 or longer.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: a timedelta, seconds, or ISO 8601.
    :raises ConfigurationError: it is none.
    """
    from pydantic import TypeAdapter, ValidationError

    allowed = "a timedelta, seconds, or ISO 8601 such as P1D or PT6H, not negative"
    wrong = wrong_argument(task_id, name, given, allowed)
    try:
        length = TypeAdapter(timedelta).validate_python(given)
    except (ValidationError, OverflowError):
        raise wrong from None
    if isinstance(given, bool) or length < timedelta(0):
        raise wrong
    return length


def true_or_false(task_id: str, name: str, given: Any) -> bool:
    """An argument that is True or False.

    :param task_id: the task's id.
    :param name: of the argument.
    :param given: it, or its text.
    :raises ConfigurationError: it is neither.
    """
    read = _TEXTS_OF_BOOL.get(given.strip().lower()) if isinstance(given, str) else given
    if type(read) is not bool:
        raise wrong_argument(task_id, name, given, "True or False")
    return read


def _number(given: Any) -> float:
    """NaN, which no comparison allows, for anything but a finite number."""
    if type(given) not in (int, float, str):
        return math.nan
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def texts(given: Any, *, but: tuple[object, ...] = ()) -> list[str] | None:
    """An argument that is several strings; None where it is something else, such as one string.

    :param given: its value.
    :param but: values that are left out.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        return None
    values = [value for value in given if value not in but]
    return values if all(isinstance(value, str) for value in values) else None
