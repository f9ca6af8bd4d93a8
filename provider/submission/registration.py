"""What an Airflow Variable keeps of a registration: it is made once, and every DAG finds its id (source: ours)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import ConfigurationError


def kept_registration(text: str | None, *, variable: str, name: str, id_field: str) -> dict[str, Any] | None:
    """What the Variable holds; None when there is nothing yet.

    :param text: the Variable's value, None when there is no such Variable.
    :param variable: its name, for messages.
    :param name: the unique name of what would be registered.
    :param id_field: the field of the reply that identifies it, such as ``connectionId``.
    :raises ConfigurationError: it holds something else, or another registration.
    """
    if text is None or not text.strip():
        return None
    try:
        kept = json.loads(text)
    except ValueError:
        kept = None
    if not isinstance(kept, Mapping) or kept.get(id_field) in (None, ""):
        raise ConfigurationError(
            f"The Airflow Variable {variable!r} must hold what was registered, but holds something else. Nothing was "
            f"sent. Name another Variable, or set this one to JSON such as:\n    {example(name, id_field)}"
        )
    if kept.get("name", name) != name:
        raise ConfigurationError(
            f"The Airflow Variable {variable!r} holds {kept['name']!r}, but this task registers {name!r}; nothing "
            "was sent. Name a separate Variable for each, or delete this one."
        )
    return dict(kept)


def to_keep(reply: Mapping[str, Any], name: str) -> str:
    """The Variable's value for a registration.

    :param reply: the service's reply.
    :param name: of what was registered.
    """
    return json.dumps({**reply, "name": name})


def example(name: str, id_field: str, value: object = "ID") -> str:
    """A value that the Variable may hold.

    :param name: of what was registered.
    :param id_field: the field that identifies it.
    :param value: its id.
    """
    return json.dumps({"name": name, id_field: value})
