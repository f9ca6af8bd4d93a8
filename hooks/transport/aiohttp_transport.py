"""Sends one request with aiohttp, within a limit on connecting and on the whole answer."""

from __future__ import annotations

import asyncio

import aiohttp

from ...provider.connection.profile import ServiceProfile
from ...provider.protocol.messages import HttpReply, HttpRequest, TransportFailure
from .failures import failure_reason
from .tls_trust import tls_context

_NEVER_SENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientHttpProxyError,
    aiohttp.ClientProxyConnectionError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
)


class _BrokenOffError(aiohttp.ClientError):
    """Replaces its cause, after which aiohttp would send a PUT or DELETE again by itself."""


async def open_session(profile: ServiceProfile) -> aiohttp.ClientSession:
    """A session with the profile's limits on connecting and on the whole answer, and its TLS settings.

    A limit on each read would need timers, a quarter of the cost of a poll. So the whole answer, which is small, gets
    the time of one read: a hanging service must not hold all connections for longer.

    :param profile: of the connection.
    :raises ConfigurationError: the CA file cannot be used.
    """
    tls = await asyncio.to_thread(tls_context, profile.verify)
    timeout = aiohttp.ClientTimeout(
        total=profile.connect_timeout + profile.read_timeout, sock_connect=profile.connect_timeout
    )
    # A cookie that came with one user's reply would go out with another's request.
    jar = aiohttp.DummyCookieJar()
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=tls), timeout=timeout, cookie_jar=jar)


async def send(
    session: aiohttp.ClientSession, request: HttpRequest, proxy: str | None = None
) -> HttpReply | TransportFailure:
    """Send one request and read its whole reply.

    :param session: from ``open_session``.
    :param request: what is sent.
    :param proxy: the URL of the proxy; None to ask directly.
    :return: for all but a GET, the result of sending it once.
    """
    try:
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body or None,
            allow_redirects=False,
            proxy=proxy,
            middlewares=None if request.method == "GET" else (_once,),
        ) as response:
            body, most = b"", request.most_bytes(response.status)
            while not response.content.at_eof():
                body += await response.content.readany()
                if len(body) > most:
                    return request.too_large(response.status)
            # Header names are looked up in any case.
            return HttpReply(response.status, response.headers, body)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        if isinstance(error, _BrokenOffError) and error.__cause__:
            reason = failure_reason(error.__cause__, request.url)
        else:
            reason = failure_reason(error, request.url)
        return TransportFailure("not-sent" if isinstance(error, _NEVER_SENT) else "no-reply", reason)


async def _once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    try:
        return await handler(request)
    except _NEVER_SENT:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _BrokenOffError from error
