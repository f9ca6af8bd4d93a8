"""Sends one request with aiohttp, within a limit on connecting, on each read and on the whole answer."""

from __future__ import annotations

import asyncio
import importlib
import os
import ssl
from pathlib import Path
from typing import TYPE_CHECKING

import certifi

from ..provider.protocol.messages import MAX_REPLY_BYTES, HttpReply, HttpRequest, TransportFailure
from ..provider.protocol.profile import ServiceProfile
from .transport_failures import failure_reason

if TYPE_CHECKING:
    import aiohttp


async def open_session(profile: ServiceProfile) -> aiohttp.ClientSession:
    """A session with the profile's time-outs, proxies and TLS settings.

    aiohttp is imported in a thread: the import takes long enough to block a triggerer's loop.

    :param profile: of the connection.
    :raises OSError: the CA file cannot be read.
    """
    await asyncio.to_thread(importlib.import_module, "aiohttp")
    import aiohttp

    tls = await asyncio.to_thread(_tls, profile.verify)
    timeout = aiohttp.ClientTimeout(
        total=profile.total_timeout, sock_connect=profile.connect_timeout, sock_read=profile.read_timeout
    )
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(ssl=tls), timeout=timeout, trust_env=not profile.proxies
    )


async def send(
    session: aiohttp.ClientSession, request: HttpRequest, profile: ServiceProfile
) -> HttpReply | TransportFailure:
    """Send one request and read its whole reply.

    :param session: from ``open_session``.
    :param request: what is sent.
    :param profile: gives the proxy.
    """
    import aiohttp

    proxy = (profile.proxies or {}).get(request.url.partition(":")[0])
    try:
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body or None,
            allow_redirects=False,
            proxy=proxy,
        ) as response:
            body = bytearray()
            async for chunk in response.content.iter_chunked(64 * 1024):
                body += chunk
                if len(body) > MAX_REPLY_BYTES:
                    return TransportFailure("too-large", f"the answer is larger than {MAX_REPLY_BYTES} bytes")
            headers = {name.lower(): value for name, value in response.headers.items()}
            return HttpReply(response.status, headers, bytes(body))
    except (aiohttp.ClientError, OSError, ValueError) as error:
        reason = failure_reason(error, request.url)
        return TransportFailure("not-sent" if _never_sent(error) else "no-reply", reason)


def _tls(verify: bool | str) -> ssl.SSLContext | bool:
    """The certificates that requests would trust, so that worker and triggerer agree."""
    if verify is False:
        return False
    if isinstance(verify, str):
        trusted = verify
    else:
        trusted = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or certifi.where()
    folder = Path(trusted).is_dir()
    return ssl.create_default_context(cafile=None if folder else trusted, capath=trusted if folder else None)


def _never_sent(error: BaseException) -> bool:
    """Whether the service cannot have seen the request: only what happens before it is written counts."""
    import aiohttp

    kinds = (
        aiohttp.ClientConnectorError,
        aiohttp.ClientProxyConnectionError,
        aiohttp.ClientHttpProxyError,
        aiohttp.ConnectionTimeoutError,
        ValueError,
    )
    return isinstance(error, kinds)
