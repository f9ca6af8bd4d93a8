"""The calls on what is registered, which the interface does not show: the connection names their paths.

Each says how things are to be afterwards, so that making it twice does no more than making it once. Without an answer
it is made again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..connection.profile import ServiceProfile
from ..errors import ConfigurationError, UnreadableReplyError
from ..protocol.calls import Call, quoted_id
from ..protocol.messages import HttpReply
from ..protocol.reply_details import ReplyDetails
from ..protocol.reply_errors import carried
from ..service_lists.listing import Listed, field_of, items_of, read_list, reply_value, shown_fields
from .kind import RegistrationKind

_RESPONSE_ONLY = ("id", "connectionId", "awsConnectionId", "version", "createdAt", "updatedAt")
"""Of a connection as it is read, what no request carries (the interface: connectionId, version; else ours)."""


def one_call(
    profile: ServiceProfile,
    kind: RegistrationKind,
    verb: str,
    method: str,
    registered_id: object,
    body: Mapping[str, Any] | None = None,
) -> Call:
    """A call on one of what is registered.

    :param profile: gives the path.
    :param kind: of what is registered.
    :param verb: what is done, for messages, such as ``delete``.
    :param method: the HTTP method.
    :param registered_id: of the one; never read, only quoted.
    :param body: what is sent; None for nothing.
    :raises ConfigurationError: the connection names no such path, or there is no id.
    """
    operation = f"{verb} {kind.noun}"
    path = profile.paths.get(kind.one_path)
    if path is None:
        raise ConfigurationError(
            f"The Airflow connection does not say where to {operation}, and the interface does not show it: if your "
            f"service supports it, set extra paths.{kind.one_path} to its path, with {{{kind.id_in_path}}} for the id. "
            "Nothing was sent."
        )
    quoted = quoted_id(str(registered_id).strip())
    if quoted is None:
        raise ConfigurationError(
            f"{registered_id!r} cannot be the id of the {kind.noun} to {verb}: pass the {kind.id_field} that the "
            "service gave. Nothing was sent."
        )
    return Call(
        operation,
        method,
        path.replace(f"{{{kind.id_in_path}}}", quoted),
        body,
        settings=f"the id, and the host and extra paths.{kind.one_path} of {{connection}}",
    )


def read_registered(reply: HttpReply, call: Call, kind: RegistrationKind) -> Listed:
    """All of one kind that the service lists.

    :param reply: of a success.
    :param call: what was asked.
    :param kind: of what is registered.
    :raises UnreadableReplyError: the answer holds no list.
    :raises ServiceError: it reports a failure inside a 200.
    """
    body = reply_value(reply, call)
    plural = next((name for name in kind.plurals if items_of(body, name) is not None), kind.plurals[0])
    return read_list(reply, call, plural)


def read_answer(reply: HttpReply, call: Call) -> dict[str, Any]:
    """The fields that a call on one of what is registered was answered with; empty where it has none.

    :param reply: of a success.
    :param call: what was asked.
    :raises UnreadableReplyError: the answer is not JSON.
    :raises ServiceError: it reports a failure inside a 200.
    """
    if not reply.body.strip():
        return {}
    body = reply_value(reply, call)
    if not isinstance(body, Mapping):
        return {}
    data = body.get("data")
    return dict(data) if isinstance(data, Mapping) else dict(body)


def read_whole(reply: HttpReply, call: Call) -> dict[str, Any]:
    """One of what is registered, as the service has it.

    :param reply: of a success.
    :param call: what was asked.
    :raises UnreadableReplyError: the answer is something else.
    :raises ServiceError: it reports a failure inside a 200.
    """
    fields = read_answer(reply, call)
    if field_of(fields, None, "name") is None:
        raise UnreadableReplyError(
            f"{call}: the answer names nothing (its fields: {shown_fields(fields)}). Check {call.where_set}.",
            **carried(call, ReplyDetails.of(reply)),
        )
    return fields


def with_enabled(connection: Mapping[str, Any], enabled: bool) -> dict[str, Any]:
    """The whole of a connection as a PUT sends it, enabled or not.

    :param connection: as it was read.
    :param enabled: True to enable it, False to disable it.
    """
    kept = {name: value for name, value in connection.items() if name not in _RESPONSE_ONLY}
    return {**kept, "enabled": enabled}
