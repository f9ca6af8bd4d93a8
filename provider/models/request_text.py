"""A request written as text: JSON or YAML."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from ..errors import InvalidRequestError, Problem
from ..quoting import quotable, shortened
from ..rendered_text import is_nothing, nothing_given

if TYPE_CHECKING:
    from yaml import Node

FILE_ENDINGS = (".json", ".yaml", ".yml")
"""How the names of files that hold a request end."""
MAX_SHOWN = 40
"""How many characters a message shows of a text that is no request (ours)."""
MAX_CHARACTERS = 2_000_000
"""The most that a YAML text may expand to with its aliases written out, unless it is that long itself (ours)."""


def parse_request_text(text: str, subject: str) -> dict[Any, Any]:
    """Read a request from its text.

    :param text: a JSON or YAML document whose root is an object.
    :param subject: what it is, for messages, such as ``storyboard``.
    :return: the fields, not yet checked.
    :raises InvalidRequestError: the text is neither, its root is no object, or its YAML aliases make it huge.
    """
    if is_nothing(text):
        raise _wrong(subject, nothing_given(text))
    value = _from_json(text, subject) if text.lstrip().startswith(("{", "[")) else _from_yaml(text, subject)
    if not isinstance(value, dict):
        kind = "empty" if value is None else f"a {type(value).__name__}"
        if isinstance(value, str):
            kind = f"the text {shortened(quotable(value) or '', MAX_SHOWN)!r}"
        hint = ""
        if isinstance(value, str) and value.endswith(FILE_ENDINGS):
            hint = "; it looks like the name of a file, which Airflow reads only if the DAG file passes it directly"
        raise _wrong(subject, f"must be an object with fields, but is {kind}{hint}")
    return value


def _from_json(text: str, subject: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        is_python = text.lstrip("[{ \n").startswith("'")
        hint = "; another task's result is passed as its .output, not inside a template" if is_python else ""
        raise _wrong(subject, f"is text that is not JSON: {error}{hint}") from None


def _from_yaml(text: str, subject: str) -> Any:
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        # Before the values are made: merged keys are written out then.
        is_huge = root is not None and _characters(root, {}) > max(MAX_CHARACTERS, 2 * len(text))
        if not is_huge:
            return None if root is None else loader.construct_document(root)
    # Beside its own errors, yaml raises whatever Python does on a value that does not fit its tag.
    except Exception as error:
        raise _wrong(subject, f"is text that is neither JSON nor YAML: {quotable(str(error))}") from None
    raise _wrong(
        subject,
        f"is YAML that expands to more than {MAX_CHARACTERS:,} characters: its aliases (*name) repeat too much, "
        "so write out what you need",
    )


def _characters(node: Node, known: dict[Node, float]) -> float:
    """How long a node's text is with its aliases written out, about; endless where it holds itself.

    :param known: the length of each node that has been looked at.
    """
    if node not in known:
        known[node] = math.inf
        within = node.value
        if isinstance(within, str):
            known[node] = 1 + len(within)
        else:
            # Items of a list, or pairs of a mapping.
            parts = [part for item in within for part in (item if isinstance(item, tuple) else (item,))]
            known[node] = 1 + sum(_characters(part, known) for part in parts)
    return known[node]


def _wrong(subject: str, message: str) -> InvalidRequestError:
    return InvalidRequestError(subject, [Problem("", "", message)])
