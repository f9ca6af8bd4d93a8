"""Whether what a task registers is there already: the one of its name in the service's list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import ConfigurationError
from ..service_lists.listing import field_of
from .kind import AWS_CONNECTION, RegistrationKind

_GONE = {"deleted", "deleting", "removed"}
"""Words of a state in which what is listed is not there to be used (ours)."""


def found_by_name(
    kind: RegistrationKind, listed: Iterable[Mapping[str, Any]], wanted: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The one that a task would register, as the service lists it; None where there is none of that name.

    What the list does not tell is not compared.

    :param kind: of what is registered.
    :param listed: all that the service lists.
    :param wanted: the request, as it is sent.
    :return: its fields, with the id under the interface's name.
    :raises ConfigurationError: the one of that name differs, has no id, or there are several.
    """
    name = wanted["name"]
    named = {
        str(field_of(item, None, *kind.id_names)): item
        for item in listed
        if str(field_of(item, None, "name") or "").strip() == name and not _is_deleted(item)
    }
    if not named:
        return None
    about = f"{kind.noun} {name!r}"
    if len(named) > 1:
        raise ConfigurationError(
            f"The service has {len(named)} {kind.noun}s named {name!r}: {', '.join(named)}. This task cannot "
            "tell which one is meant, and registers nothing. Delete the others there, or choose a unique name; "
            "an id that you know can be used directly, without this task."
        )
    registered_id, item = next(iter(named.items()))
    if registered_id == "None":
        raise ConfigurationError(
            f"The service lists the {about} without an id (looked for: {', '.join(kind.id_names)}), so this task "
            "cannot return one, and registers nothing. Look up the id at the service."
        )
    if differing := dict(_differences(kind, item, wanted)):
        raise ConfigurationError(_differs(kind, about, registered_id, differing, wanted))
    return {**item, "name": name, kind.id_field: field_of(item, None, *kind.id_names)}


def _is_deleted(item: Mapping[str, Any]) -> bool:
    """Whether the service lists it as gone."""
    words = {str(field_of(item, None, name) or "").strip().lower() for name in ("status", "state")}
    marks = [field_of(item, None, name) for name in ("deleted_at", "deleted_on", "deleted", "is_deleted")]
    return bool(words & _GONE) or any(mark and str(mark).strip().lower() != "false" for mark in marks)


def _differences(
    kind: RegistrationKind, item: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for field, names in kind.compared.items():
        there = field_of(item, None, *names)
        if there is not None and not _is_same(there, wanted.get(field)):
            yield field, there


def _is_same(there: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return str(there).strip().lower() in (("true", "1") if wanted else ("false", "0"))
    if isinstance(there, int):
        # A number has lost the leading zeros of an account's id.
        return str(there) == str(wanted).lstrip("0")
    return str(there).strip() == str(wanted)


def _differs(
    kind: RegistrationKind,
    about: str,
    registered_id: str,
    differing: Mapping[str, Any],
    wanted: Mapping[str, Any],
) -> str:
    fields = "; ".join(
        f"{field} is {there!r} there, {wanted.get(field)!r} here" for field, there in differing.items()
    )
    ways = [f"to use it as it is, write that into {kind.request_argument}="]
    if kind is AWS_CONNECTION and "enabled" in differing:
        ways.append(
            "to change it there, call "
            f"VideoCreationHook().set_aws_connection_enabled({registered_id!r}, {wanted['enabled']})"
        )
    if differing.keys() - {"enabled"}:
        ways.append(
            "to have both, choose another name; to replace it, call "
            f"VideoCreationHook().{kind.delete_method}({registered_id!r}) and clear this task (whatever still uses the "
            "old one then fails)"
        )
    return (
        f"The {about} is registered as {registered_id}, but differs from what this task asks for: {fields}. "
        f"Nothing was changed. What you can do: {'; or '.join(ways)}."
    )
