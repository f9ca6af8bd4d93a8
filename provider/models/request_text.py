"""A request written as text: JSON or YAML."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from ..errors import InvalidRequestError, Problem
from ..quoting import quotable, shortened
from ..rendered_text import is_nothing, nothing_given

if TYPE_CHECKING:
    from yaml import MarkedYAMLError, Node

FILE_ENDINGS = (".json", ".yaml", ".yml")
"""How the names of files that hold a request end."""
MAX_SHOWN = 40
"""How many characters a message shows of a text that is no request (ours)."""
NEITHER = "is text that is neither JSON nor YAML"
_UNNAMED = ' in "<unicode string>"'
TOO_DEEP = "has lists or objects that lie too deeply in each other"
_KINDS = {int: "number", float: "number", bool: "truth value", str: "text"}
_NEEDS_QUOTES = re.compile(r"(?:^|[:,\[-])\s*(?:[*&@%`!]|\{\{)")
MAX_CHARACTERS = 2_000_000
"""The most that a YAML text may expand to with its aliases written out, unless it is that long itself (ours)."""


def parse_request_text(text: str, subject: str, *, each_key_once: bool = False) -> dict[Any, Any]:
    """Read a request from its text.

    :param text: a JSON or YAML document whose root is an object.
    :param subject: what it is, for messages, such as ``storyboard``.
    :param each_key_once: refuse an object that has a key twice; else the last one counts.
    :return: the fields, not yet checked.
    :raises InvalidRequestError: the text is neither, its root is no object, or its YAML aliases make it huge.
    """
    if is_nothing(text):
        raise _wrong(subject, nothing_given(text))
    read = _from_json if text.lstrip().startswith(("{", "[")) else _from_yaml
    value = read(text, subject, each_key_once)
    if not isinstance(value, dict):
        kind = "empty" if value is None else f"a {_KINDS.get(type(value), type(value).__name__)}"
        if isinstance(value, str):
            kind = f"the text {shortened(quotable(value) or '', MAX_SHOWN)!r}"
        hint = ""
        if isinstance(value, str) and value.endswith(FILE_ENDINGS):
            hint = "; it looks like the name of a file, which Airflow reads only if the DAG file passes it directly"
        raise _wrong(subject, f"must be an object with fields, but is {kind}{hint}")
    return value


def _from_json(text: str, subject: str, each_key_once: bool) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_each_once if each_key_once else None)
    except RecursionError:
        raise _wrong(subject, TOO_DEEP) from None
    except _TwiceError as error:
        raise _wrong(subject, str(error)) from None
    except ValueError as error:
        is_python = text.lstrip("[{ \n").startswith("'")
        hint = "; another task's result is passed as its .output, not inside a template" if is_python else ""
        raise _wrong(subject, f"is text that is not JSON: {error}{hint}") from None


def _from_yaml(text: str, subject: str, each_key_once: bool) -> Any:
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        # Before the values are made: merged keys are written out then.
        is_huge = root is not None and _characters(root, {}) > max(MAX_CHARACTERS, 2 * len(text))
        if not is_huge:
            if each_key_once and root is not None:
                _require_each_once(root)
            return None if root is None else loader.construct_document(root)
    except RecursionError:
        raise _wrong(subject, TOO_DEEP) from None
    except _TwiceError as error:
        raise _wrong(subject, str(error)) from None
    except yaml.MarkedYAMLError as error:
        raise _wrong(subject, f"{NEITHER}: {_place_and_cause(error, text)}") from None
    # Beside its own errors, yaml raises whatever Python does on a value that does not fit its tag.
    except Exception as error:
        raise _wrong(subject, f"{NEITHER}: {quotable(str(error).replace(_UNNAMED, ''))}") from None
    raise _wrong(
        subject,
        f"is YAML that expands to more than {MAX_CHARACTERS:,} characters: its aliases (*name) repeat too much, "
        "so write out what you need",
    )


def _place_and_cause(error: MarkedYAMLError, text: str) -> str:
    """Where YAML stopped reading, why, and how it is mended where that is known."""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return quotable(str(error)) or ""
    line = next(iter(text.splitlines()[mark.line : mark.line + 1]), "")
    cause = f"line {mark.line + 1}, column {mark.column + 1}: {error.problem or error.context}"
    if line[: mark.column + 1].isspace() and "\t" in line[: mark.column + 1]:
        cause += "; indent with spaces, YAML allows no tabs there"
    elif _NEEDS_QUOTES.search(line):
        cause += "; a value that begins with one of * & @ % ` ! { needs quotes"
    elif "mapping values" in cause:
        cause += "; a value with a colon and a space in it needs quotes"
    shown = f" (the line: {shortened(line.strip(), MAX_SHOWN)!r})" if line.strip() else ""
    return quotable(cause + shown) or ""


def _require_each_once(root: Node) -> None:
    """Refuse a mapping with a key twice, of which YAML would take the last without a word."""
    waiting, known = [root], set()
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, str) or id(node) in known:
            continue
        known.add(id(node))
        lines: dict[str, int] = {}
        for item in node.value:
            if not isinstance(item, tuple):
                waiting.append(item)
                continue
            key, value = item
            waiting += [key, value]
            line = key.start_mark.line + 1
            if isinstance(key.value, str) and lines.setdefault(key.value, line) != line:
                raise _TwiceError(
                    f"has the key {_named(key.value)} twice, in lines {lines[key.value]} and {line}"
                )


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"has the key {_named(twice)} twice")
    return fields


def _named(key: str) -> str:
    return repr(shortened(quotable(key) or "", MAX_SHOWN))


class _TwiceError(Exception):
    """A key stands twice in one object."""


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
