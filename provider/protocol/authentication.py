"""Access tokens: static, or fetched and kept until shortly before they expire."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from ..connection.profile import ServiceProfile
from ..errors import AuthenticationError, ServiceError, UnreadableReplyError
from .calls import Call
from .messages import HttpReply, HttpRequest, TransportFailure
from .reply_body import first_text, is_html, json_object, layers
from .reply_details import ReplyDetails
from .reply_errors import carried, require_success

DEFAULT_LIFETIME = 3600.0
"""Seconds that a token lives when the service does not say so, or says something absurd (ours)."""
SANE_LIFETIME = (1.0, 30 * 24 * 3600.0)
"""Seconds; an ``expires_in`` outside is taken for DEFAULT_LIFETIME (ours)."""
EARLY_SHARE, MAX_EARLY = 0.1, 60.0
"""A token is renewed this share of its lifetime before its end, at most so many seconds (ours)."""
FETCH_TOKEN = Call("fetch token", "POST", "auth_url", settings="extra auth_url of {connection}")
"""How messages name the token request; its address is the connection's, and no path of the service."""


@dataclass(frozen=True)
class Token:
    """An access token.

    :param value: the token, never shown.
    :param renew_at: the time (the caller's clock, s) from which a new one is fetched; None for never.
    """

    value: str = field(repr=False)
    renew_at: float | None = None


class TokenSource:
    """Knows when a token is needed and how it is requested; holds the current one.

    Source: the interface, "Authentication"; the token request and its reply: ours.

    :param profile: says whether the secret is the token, or where tokens are fetched.
    :param user_agent: sent with the token request.
    """

    def __init__(self, profile: ServiceProfile, *, user_agent: str) -> None:
        self._profile = profile
        self._call = replace(FETCH_TOKEN, connection=profile.conn_id)
        self._user_agent = user_agent
        self._current = None if profile.auth_url else Token(profile.secret)
        self._refused: str | None = None

    def current(self, now: float, *, refused: Token | None = None) -> Token | None:
        """The token to use, or None when one must be fetched.

        :param now: the caller's clock, s.
        :param refused: a token that the service has just refused; it is not given again.
        """
        if refused is not None and refused.renew_at is not None and refused is self._current:
            self._current = None
            self._refused = refused.value
        token = self._current
        if token is None or token is refused:
            return None
        if token.renew_at is not None and now >= token.renew_at:
            return None
        return token

    def take(self, token: Token | None) -> Token | None:
        """Keep a token that was fetched elsewhere.

        :param token: of the same client; None for none.
        :return: the same; None where it is the one that the service has refused.
        """
        if token is None or token.value == self._refused:
            return None
        self._current = token
        return token

    def request(self) -> HttpRequest:
        """The request for a new token, in the profile's form."""
        profile = self._profile
        headers = {"Accept": "application/json", "User-Agent": self._user_agent}
        credentials = {"client_id": profile.client_id or "", "client_secret": profile.secret}
        if profile.token_request == "form":  # noqa: S105 - the form of a request, no secret
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({"grant_type": "client_credentials"} | credentials)
        else:
            headers["Content-Type"] = "application/json"
            body = json.dumps(credentials)
        return HttpRequest("POST", profile.auth_url or "", headers, body.encode())

    def accept(self, reply: HttpReply | TransportFailure, now: float) -> Token:
        """Keep the token of a reply.

        :param reply: to ``request``, or why there is none.
        :param now: the caller's clock, s.
        :raises AuthenticationError: the client id or secret is refused.
        :raises UnreadableReplyError: the answer holds no token.
        :raises ServiceError: the authentication API failed.
        """
        if isinstance(reply, HttpReply):
            reply = replace(reply, secrets=(self._profile.secret,))
        try:
            reply = require_success(reply, self._call, now=now)
        except ServiceError as error:
            error.not_acted = True
            is_page = isinstance(reply, HttpReply) and is_html(reply)
            if error.status in (400, 401) or (error.status == 403 and not is_page):
                raise _refused(error, self._call) from None
            raise
        places = layers(json_object(reply))
        value = first_text(places, "access_token")
        if value is None or not value.isascii() or not value.isprintable():
            raise UnreadableReplyError(
                f"{self._call}: the answer contains no usable access_token. "
                f"Check that {self._call.where_set} is the address of the authentication API.",
                **carried(self._call, ReplyDetails.of(reply)),
                not_acted=True,
            )
        lifetime = _lifetime(first_text(places, "expires_in"))
        self._current = Token(value, now + lifetime - min(lifetime * EARLY_SHARE, MAX_EARLY))
        return self._current


def _refused(error: ServiceError, call: Call) -> AuthenticationError:
    words = ": ".join(part for part in (error.code, error.service_message) if part).rstrip(".")
    said = f", saying: {words}" if words else ""
    return AuthenticationError(
        f"{call}: the authentication API refused the client id and secret ({error.status}){said}. "
        f"Check the login (client id), password (client secret) and extra token_request of {call.of_connection}.",
        operation=error.operation,
        method=error.method,
        path=error.path,
        status=error.status,
        code=error.code,
        service_message=error.service_message,
        request_id=error.request_id,
        not_acted=True,
        connection=call.connection,
    )


def _lifetime(expires_in: str | None) -> float:
    try:
        seconds = float(expires_in or "")
    except ValueError:
        return DEFAULT_LIFETIME
    return seconds if SANE_LIFETIME[0] <= seconds <= SANE_LIFETIME[1] else DEFAULT_LIFETIME
