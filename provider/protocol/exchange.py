"""One call from its request to its reply, without I/O: tokens, the one retry after a 401, redirects.

A conversation is a generator: it yields what it needs from the outside (``FetchToken`` or
``HttpRequest``), is sent the answer, and returns what was read of a success, or raises. The hooks drive it with
``advance``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from urllib.parse import urljoin

from ..connection.profile import ServiceProfile
from ..errors import AuthenticationError, ConfigurationError
from ..quoting import sentence
from .authentication import Token
from .calls import Call
from .messages import HttpReply, HttpRequest, TransportFailure
from .reply_errors import MOVED, require_success

MAX_REDIRECTS = 3
"""How many redirects to the service's own host a GET follows (ours)."""


@dataclass(frozen=True)
class FetchToken:
    """A token is needed.

    :param refused: the token that the service has just refused, None when there is none yet.
    """

    refused: Token | None = None


Step = FetchToken | HttpRequest
Answer = Token | HttpReply | TransportFailure
Result = TypeVar("Result")
Conversation = Generator[Step, Answer, Result]
Read = Callable[[HttpReply, Call], Result]
"""Makes the result of the reply of a success, or raises what the reply says inside."""


@dataclass(frozen=True)
class Finished(Generic[Result]):
    """A conversation has ended.

    :param result: what was read.
    """

    result: Result


def converse(
    call: Call,
    profile: ServiceProfile,
    read: Read[Result],
    *,
    user_id: str | None,
    user_agent: str,
    now: float,
) -> Conversation[Result]:
    """Make one call.

    :param call: what is asked.
    :param profile: how the service is talked to.
    :param read: makes the result of the reply of a success.
    :param user_id: a task's own user id; the profile's when None.
    :param user_agent: sent with every request.
    :param now: epoch seconds, to read a ``Retry-After`` that is a date.
    :return: what was read.
    :raises ConfigurationError: no user id is known, or a header cannot carry it.
    :raises ServiceError: every other outcome, see ``reply_errors``.
    """
    call = replace(call, connection=profile.conn_id)
    if profile.user_id_header:
        sender = _sender(call, user_id or profile.user_id)
    else:
        sender, call = "", replace(call, names_user=False)
    token = yield FetchToken()
    assert isinstance(token, Token)
    reply = yield from _send(call, profile, token, sender, user_agent)
    try:
        return read(require_success(reply, call, now=now), call)
    except AuthenticationError as error:
        # What a 200 says of the token proves nothing: what was sent may have been accepted.
        if not profile.auth_url or (call.is_sent_once and not error.not_acted):
            raise
        refused = error
    fresh = yield FetchToken(refused=token)
    assert isinstance(fresh, Token)
    if fresh.value == token.value:
        raise refused
    reply = yield from _send(call, profile, fresh, sender, user_agent)
    return read(require_success(reply, call, now=now), call)


def advance(conversation: Conversation[Result], answer: Answer | None = None) -> Step | Finished[Result]:
    """Give a conversation what it has asked for.

    :param conversation: from ``converse``.
    :param answer: to its last step; None to begin.
    :return: what it asks for next, or its end.
    :raises VideoCreationError: see ``converse``.
    """
    try:
        return next(conversation) if answer is None else conversation.send(answer)
    except StopIteration as end:
        return Finished(end.value)


def _sender(call: Call, user_id: str | None) -> str:
    sender = str(user_id or "").strip()
    if not sender:
        raise ConfigurationError(
            f"{sentence(call.operation)}: there is no user id to send. Set extra user_id of {call.of_connection}, "
            'or pass user_id= to the operator. If the service takes no user id, set extra user_id_header to "none". '
            "Nothing was sent."
        )
    if not sender.isascii() or not sender.isprintable():
        raise ConfigurationError(
            f"{sentence(call.operation)}: the user id contains characters that a header cannot carry. "
            f"Correct extra user_id of {call.of_connection}, or user_id= of the operator. Nothing was sent."
        )
    return sender


def _send(
    call: Call, profile: ServiceProfile, token: Token, user_id: str, user_agent: str
) -> Generator[Step, Answer, HttpReply | TransportFailure]:
    request = call.request(profile, token=token.value, user_id=user_id, user_agent=user_agent)
    reply = yield request
    for _ in range(MAX_REDIRECTS):
        target = _own_redirect(reply, request, profile) if call.method == "GET" else None
        if target is None:
            break
        request = replace(request, url=target)
        reply = yield request
    if isinstance(reply, HttpReply):
        return HttpReply(reply.status, reply.headers, reply.body, (token.value, profile.secret))
    assert isinstance(reply, TransportFailure)
    return reply


def _own_redirect(reply: Answer, request: HttpRequest, profile: ServiceProfile) -> str | None:
    """Where a redirect leads, when that is the service's own host: the token goes nowhere else."""
    if not isinstance(reply, HttpReply) or reply.status not in MOVED:
        return None
    try:
        target = urljoin(request.url, reply.headers.get("location", ""))
    except ValueError:
        return None
    return target if profile.is_own(target) and target != request.url else None
