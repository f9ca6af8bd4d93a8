"""Sends one request with requests, within a limit on connecting, on each read and on the whole answer."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
import urllib3.exceptions

from ...provider.connection.profile import ServiceProfile
from ...provider.protocol.messages import HttpReply, HttpRequest, TransportFailure
from .failures import failure_reason
from .proxies import proxy_for
from .redirects import leave_redirect_unread
from .sending_progress import TellingAdapter, begun, nothing_sent_yet
from .time_limit import OutOfTimeError, within
from .tls_trust import tls_context
from .unlogged_urls import urls_not_logged

_NETWORK_TROUBLE = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    http.client.HTTPException,
    OSError,
    ValueError,
)
_NEVER_SENT = (
    requests.ConnectTimeout,
    requests.exceptions.InvalidHeader,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
    requests.exceptions.ProxyError,
)
_NEVER_CONNECTED = (
    ssl.SSLCertVerificationError,
    urllib3.exceptions.ConnectTimeoutError,
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.ProxyError,
)
_MOST_THREADS = 64
"""Connections that a session keeps open for as many threads at once; beyond that each call makes its own (ours)."""
_NO_TLS_THERE = "WRONG_VERSION_NUMBER"
"""OpenSSL's name for a first answer that is not TLS: the handshake ends before a request is written."""


class _Session(requests.Session):
    """Its own proxies and TLS settings override the environment's; in requests it is the other way round."""

    def __init__(self, profile: ServiceProfile, follow_redirects: bool) -> None:
        super().__init__()
        self._profile = profile
        self._follow_redirects = follow_redirects
        if follow_redirects:
            self.hooks["response"].append(leave_redirect_unread)
        else:
            # A cookie that came with one thread's reply would go out with another's request.
            self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self.verify = profile.verify
        for scheme in ("http://", "https://"):
            self.mount(scheme, TellingAdapter(pool_maxsize=_MOST_THREADS))

    def merge_environment_settings(self, url: Any, proxies: Any, stream: Any, verify: Any, cert: Any) -> Any:
        own_verify = self.verify if verify is None else verify
        settings = super().merge_environment_settings(url, {}, stream, own_verify, cert)
        return {**settings, "proxies": self._proxies(url)}

    def rebuild_proxies(self, prepared_request: Any, proxies: Any) -> Any:
        """For the request that a redirect leads to."""
        return self._proxies(prepared_request.url)

    def get_redirect_target(self, resp: Any) -> Any:
        """Where a redirect leads; requests asks even if it does not follow, and fails on odd addresses."""
        return super().get_redirect_target(resp) if self._follow_redirects else None

    def _proxies(self, url: str) -> dict[str, str]:
        proxy = proxy_for(url, self._profile)
        return {"all": proxy} if proxy else {}


def open_session(profile: ServiceProfile, *, follow_redirects: bool = False) -> requests.Session:
    """A session with the profile's proxies and TLS settings.

    :param profile: of the connection.
    :param follow_redirects: whether it follows any; their bodies are never read.
    :raises ConfigurationError: the CA file cannot be used.
    """
    session = _Session(profile, follow_redirects)
    # Without an auth of its own, requests would replace our Authorization with one from ~/.netrc.
    session.auth = lambda request: request
    if isinstance(profile.verify, str):
        tls_context(profile.verify)
    return session


def send(
    session: requests.Session, request: HttpRequest, profile: ServiceProfile, *, limit: float | None = None
) -> HttpReply | TransportFailure:
    """Send one request and read its whole reply.

    The exchange runs in a thread of its own: neither a hanging socket nor a very slow one can hold the caller longer
    than the limit.

    :param session: from ``open_session``; not used for a new call after ``no-reply``. Threads may share it.
    :param request: what is sent.
    :param profile: gives the time-outs.
    :param limit: seconds for the whole exchange, at most the profile's total time-out.
    :raises BaseException: an error that is not of the network, such as a KeyboardInterrupt. For what may be a
        submission, only those that end the task; all others are ``no-reply``.
    """
    limit = profile.total_timeout if limit is None else min(limit, profile.total_timeout)
    try:
        return within(limit, partial(_exchange, session, request, profile), "video-creation-request")
    except OutOfTimeError:
        return TransportFailure("no-reply", f"no complete answer within {limit:.3g} s")


def _exchange(
    session: requests.Session, request: HttpRequest, profile: ServiceProfile
) -> HttpReply | TransportFailure:
    nothing_sent_yet()
    try:
        with (
            urls_not_logged(),
            session.request(
                request.method,
                request.url,
                headers=dict(request.headers),
                data=request.body or None,
                timeout=(profile.connect_timeout, profile.read_timeout),
                allow_redirects=False,
                stream=True,
            ) as response,
        ):
            body, most = bytearray(), request.most_bytes(response.status_code)
            for chunk in response.iter_content(64 * 1024):
                body += chunk
                if len(body) > most:
                    return request.too_large(response.status_code)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return HttpReply(response.status_code, headers, bytes(body))
    except Exception as error:
        # Whatever goes wrong here may have gone wrong after a submission was sent, and must say so.
        if request.method == "GET" and not isinstance(error, _NETWORK_TROUBLE):
            raise
        reason = failure_reason(error, request.url)
        return TransportFailure("not-sent" if not begun() and _never_sent(error) else "no-reply", reason)


def _never_sent(error: BaseException) -> bool:
    """Whether an error is one of connecting; a proxy's and TLS's errors look the same after the request is written."""
    return isinstance(error, _NEVER_SENT) or any(
        isinstance(cause, _NEVER_CONNECTED)
        or (isinstance(cause, ssl.SSLError) and cause.reason == _NO_TLS_THERE)
        for cause in _beneath(error)
    )


def _beneath(error: BaseException) -> Iterator[object]:
    for argument in error.args:
        yield argument
        reason = getattr(argument, "reason", None)
        yield reason
        if isinstance(reason, BaseException):
            yield from reason.args
