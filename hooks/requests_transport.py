"""Sends one request with requests, within a limit on connecting, on each read and on the whole answer."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator

import requests
import urllib3.exceptions

from ..provider.protocol.messages import MAX_REPLY_BYTES, HttpReply, HttpRequest, TransportFailure
from ..provider.protocol.profile import ServiceProfile
from .transport_failures import failure_reason

_NEVER_CONNECTED = (
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.ConnectTimeoutError,
    urllib3.exceptions.ProxyError,
)


def open_session(profile: ServiceProfile) -> requests.Session:
    """A session with the profile's proxies and TLS settings.

    :param profile: of the connection.
    """
    session = requests.Session()
    # With no auth of its own, requests would replace our Authorization by one from ~/.netrc.
    session.auth = lambda request: request
    session.verify = profile.verify
    if profile.proxies:
        session.proxies = dict(profile.proxies)
    return session


def send(
    session: requests.Session, request: HttpRequest, profile: ServiceProfile, *, limit: float | None = None
) -> HttpReply | TransportFailure:
    """Send one request and read its whole reply.

    The exchange runs in a thread of its own: neither a socket that hangs nor one that drips can hold
    the caller longer than the limit.

    :param session: from ``open_session``; not used again by a caller that got ``no-reply``.
    :param request: what is sent.
    :param profile: gives the time-outs.
    :param limit: seconds for the whole exchange; the profile's total time-out when None.
    """
    limit = profile.total_timeout if limit is None else min(limit, profile.total_timeout)
    outcome: list[HttpReply | TransportFailure] = []
    thread = threading.Thread(
        target=lambda: outcome.append(_exchange(session, request, profile)),
        name="video-creation-request",
        daemon=True,
    )
    thread.start()
    thread.join(limit)
    if outcome:
        return outcome[0]
    return TransportFailure("no-reply", f"no whole answer within {limit:.0f} s")


def _exchange(
    session: requests.Session, request: HttpRequest, profile: ServiceProfile
) -> HttpReply | TransportFailure:
    try:
        with session.request(
            request.method,
            request.url,
            headers=dict(request.headers),
            data=request.body or None,
            timeout=(profile.connect_timeout, profile.read_timeout),
            allow_redirects=False,
            stream=True,
        ) as response:
            body = bytearray()
            for chunk in response.iter_content(64 * 1024):
                body += chunk
                if len(body) > MAX_REPLY_BYTES:
                    return TransportFailure("too-large", f"the answer is larger than {MAX_REPLY_BYTES} bytes")
            headers = {name.lower(): value for name, value in response.headers.items()}
            return HttpReply(response.status_code, headers, bytes(body))
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        reason = failure_reason(error, request.url)
        return TransportFailure("not-sent" if _never_sent(error) else "no-reply", reason)


def _never_sent(error: BaseException) -> bool:
    """Whether the service cannot have seen the request: only what happens before it is written counts."""
    if isinstance(error, requests.ConnectTimeout | requests.exceptions.ProxyError | ValueError):
        return not isinstance(error, requests.exceptions.JSONDecodeError)
    return any(
        isinstance(cause, (*_NEVER_CONNECTED, ssl.SSLCertVerificationError)) for cause in _beneath(error)
    )


def _beneath(error: BaseException) -> Iterator[object]:
    for argument in error.args:
        yield argument
        reason = getattr(argument, "reason", None)
        yield reason
        if isinstance(reason, BaseException):
            yield from reason.args
