"""Why a request got no reply, in words fit for a message: no URL query, no credentials, no pool internals."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

BROKEN_OFF = ("ChunkedEncodingError", "ClientPayloadError", "ProtocolError")
"""The names that requests, aiohttp and urllib3 have for an incomplete answer."""


def failure_reason(error: BaseException, url: str) -> str:
    """Say in a few words why no reply came.

    :param error: what a transport raised.
    :param url: the URL of the request; only its host and port are named.
    """
    where = urlsplit(url).netloc.rpartition("@")[2]
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                why = cause.verify_message or "verification failed"
                return f"the TLS certificate of {where} is not accepted ({why}; a CA file can be set as extra verify)"
            case ssl.SSLError() if cause.reason == "WRONG_VERSION_NUMBER":
                return f"{where} does not speak TLS; its address may begin with http:// instead of https://"
            case ssl.SSLError():
                return f"TLS with {where} failed ({cause.reason or 'no details'})"
            case socket.gaierror():
                return f"the host name of {where} cannot be resolved"
            case ConnectionRefusedError():
                return f"connection refused by {where}"
            case ConnectionResetError() | BrokenPipeError():
                return f"the connection to {where} was reset"
            case TimeoutError():
                return f"{where} did not answer in time"
            case OSError() if cause.strerror:
                return f"{cause.strerror} ({where})"
    name = type(error).__name__
    return f"the answer of {where} broke off" if name in BROKEN_OFF else f"{name} ({where})"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and its causes, innermost first, through the wrappers of both transports."""
    seen: list[BaseException] = []
    queue: list[object] = [error]
    while queue and len(seen) < 20:
        current = queue.pop(0)
        if not isinstance(current, BaseException) or any(current is known for known in seen):
            continue
        seen.append(current)
        queue += [current.__cause__, getattr(current, "reason", None), getattr(current, "os_error", None)]
        queue += [current.__context__, *current.args]
    yield from reversed(seen)
