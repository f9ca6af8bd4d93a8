"""A request written as text: JSON or YAML."""

from __future__ import annotations

import json
from typing import Any

from ..protocol.errors import InvalidRequestError, Problem
from ..protocol.quoting import quotable

FILE_ENDINGS = (".json", ".yaml", ".yml")
"""How the names of files that hold a request end."""


def parse_request_text(text: str, subject: str) -> dict[Any, Any]:
    """Read a request from its text.

    :param text: a JSON or YAML document whose root is an object.
    :param subject: what it is, for messages, such as ``storyboard``.
    :return: the fields, not yet checked.
    :raises InvalidRequestError: the text is neither, or its root is no object.
    """
    value = _from_json(text, subject) if text.lstrip().startswith(("{", "[")) else _from_yaml(text, subject)
    if not isinstance(value, dict):
        kind = "empty" if value is None else f"a {type(value).__name__}"
        hint = ""
        if isinstance(value, str) and value.endswith(FILE_ENDINGS):
            hint = "; it looks like the name of a file, which Airflow reads only where an operator is written out"
        raise _wrong(subject, f"must be an object with fields, and is {kind}{hint}")
    return value


def _from_json(text: str, subject: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        is_python = text.lstrip("[{ \n").startswith("'")
        hint = "; another task's result is passed as its .output, not inside a template" if is_python else ""
        raise _wrong(subject, f"is a text that is not JSON: {error}{hint}") from None


def _from_yaml(text: str, subject: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    # Beside its own errors, yaml raises whatever Python does on a value that does not fit its tag.
    except Exception as error:
        raise _wrong(subject, f"is a text that is neither JSON nor YAML: {quotable(str(error))}") from None


def _wrong(subject: str, message: str) -> InvalidRequestError:
    return InvalidRequestError(subject, [Problem("", "", message)])
