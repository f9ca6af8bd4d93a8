"""Access tokens: static, or fetched and kept until shortly before they expire."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from urllib.parse import urlencode

from .errors import AuthenticationError, UnreadableReplyError
from .messages import HttpReply, HttpRequest, TransportFailure
from .profile import ServiceProfile
from .reply_body import json_object
from .reply_errors import error_of

DEFAULT_LIFETIME = 3600.0
"""Seconds that a token lives when the service does not say so, or says something absurd (ours)."""
SANE_LIFETIME = (1.0, 30 * 24 * 3600.0)
"""Seconds; an ``expires_in`` outside is taken for DEFAULT_LIFETIME (ours)."""
EARLY_SHARE, MOST_EARLY = 0.1, 60.0
"""A token is renewed this share of its lifetime before its end, at most so many seconds (ours)."""


@dataclass(frozen=True)
class Token:
    """An access token.

    :param value: the token, never shown.
    :param renew_at: the time (the caller's clock, s) from which a new one is fetched; None for never.
    """

    value: str = field(repr=False)
    renew_at: float | None = None


class TokenSource:
    """Knows when a token is needed and how it is asked for; holds the current one.

    Source: the interface, "Authentication"; the token request and its reply: ours.

    :param profile: says whether the secret is the token, or where tokens are fetched.
    :param user_agent: sent with the token request.
    """

    def __init__(self, profile: ServiceProfile, *, user_agent: str) -> None:
        self._profile = profile
        self._user_agent = user_agent
        self._current = None if profile.auth_url else Token(profile.secret)

    @property
    def fetches(self) -> bool:
        """Whether tokens are fetched, so that a refused one can be replaced."""
        return self._profile.auth_url is not None

    def current(self, now: float, *, refused: Token | None = None) -> Token | None:
        """The token to use at ``now``, or None when one must be fetched.

        :param refused: a token that the service has just refused; it is not given again.
        """
        token = self._current
        if token is None or token is refused:
            return None
        if token.renew_at is not None and now >= token.renew_at:
            return None
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

        :raises AuthenticationError: the client id or secret is refused.
        :raises ServiceError: the authentication API failed; UnreadableReplyError when its answer holds no token.
        """
        error = error_of(reply, operation="fetch token", method="POST", path="(auth_url)", submission=False)
        if error is not None:
            error.not_acted = True
            if error.status in (400, 401, 403):
                raise AuthenticationError(
                    f"The authentication API at auth_url refused the client id and secret ({error.status}): "
                    "check login (client id), password (client secret) and extra token_request.",
                    operation="fetch token",
                    method="POST",
                    status=error.status,
                    code=error.code,
                    not_acted=True,
                )
            raise error
        assert isinstance(reply, HttpReply)
        data = json_object(reply)
        inner = data.get("data") if data else None
        if data and isinstance(inner, dict) and "access_token" not in data:
            data = inner
        value = data.get("access_token") if data else None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise UnreadableReplyError(
                "The authentication API at auth_url answered without an access_token: "
                "check that auth_url is its address.",
                operation="fetch token",
                method="POST",
                status=reply.status,
                not_acted=True,
            )
        assert data is not None
        lifetime = _lifetime(data.get("expires_in"))
        self._current = Token(value.strip(), now + lifetime - min(lifetime * EARLY_SHARE, MOST_EARLY))
        return self._current


def _lifetime(expires_in: object) -> float:
    try:
        seconds = float(str(expires_in))
    except ValueError:
        return DEFAULT_LIFETIME
    return seconds if SANE_LIFETIME[0] <= seconds <= SANE_LIFETIME[1] else DEFAULT_LIFETIME
