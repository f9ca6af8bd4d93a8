"""Connections for requests that lead to public hosts only: other people's content must not reach into your own
network."""

from __future__ import annotations

import contextlib
import socket
import threading
import weakref
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from ...provider.articles.public_address import is_public


class PrivateAddressError(Exception):
    """A host that is not trusted has a private address; nothing was sent.

    :param named: the host, and its address where that is another text.
    :param host: in lower case.
    """

    def __init__(self, named: str, host: str) -> None:
        super().__init__(named)
        self.host = host


class PublicAddressAdapter(HTTPAdapter):
    """An adapter whose connections check the address that they reached, before anything is sent (source: ours).

    So a name that resolves to another address each time gains nothing. Behind an HTTP proxy, the proxy resolves and
    connects: then only ``refuse_private_literal`` can check anything.

    :param trusted: host names, in lower case, that may have any address; one that a public address answers for is
        removed, since it is somebody else's and could later resolve to an address of your own network. None: every host
        may.
    """

    def __init__(self, trusted: set[str] | None) -> None:
        self._trusted = trusted
        self._lock = threading.Lock()
        self._open: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._ended = False
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make a pool manager whose connections check."""
        super().init_poolmanager(*args, **kwargs)
        trusted, connected = self._trusted, self._connected

        class CheckedHTTP(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return _checked(super()._new_conn(), self.host, trusted)

            def connect(self) -> None:
                super().connect()
                connected(self.sock)

        class CheckedHTTPS(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return _checked(super()._new_conn(), self.host, trusted)

            def connect(self) -> None:
                super().connect()
                connected(self.sock)

        class HTTPPool(HTTPConnectionPool):
            ConnectionCls = CheckedHTTP

        class HTTPSPool(HTTPSConnectionPool):
            ConnectionCls = CheckedHTTPS

        self.poolmanager.pool_classes_by_scheme = {"http": HTTPPool, "https": HTTPSPool}

    def drop_connections(self, *, for_good: bool = False) -> None:
        """End all connections, from any thread: a read of an answer then reaches its end (source: ours).

        :param for_good: whether connections that are made later end at once too.
        """
        with self._lock:
            self._ended = self._ended or for_good
            under_way = list(self._open)
        for connection in under_way:
            _shut(connection)

    def _connected(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)
            ended = self._ended
        if ended:
            _shut(connection)


def host_of(url: str) -> str:
    """Return the host in an address, in lower case, empty where there is none.

    :param url: any text.
    """
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def refuse_private_literal(url: str, trusted: Collection[str]) -> None:
    """Refuse an address that directly names a host of your own network, such as ``localhost`` or ``10.0.0.1``.

    :param url: where a request would go.
    :param trusted: host names, in lower case, that may have any address.
    :raises PrivateAddressError: it is one, and not trusted.
    """
    host = host_of(url)
    if host in trusted:
        return
    if host == "localhost" or host.endswith(".localhost"):
        raise PrivateAddressError(host, host)
    try:
        # This includes short and hexadecimal IPv4 addresses, which resolvers accept.
        address = host if ":" in host else socket.inet_ntoa(socket.inet_aton(host))
    # A name, or something that is neither a name nor an address, such as one with a NUL.
    except (OSError, ValueError):
        return
    if not _known_to_be_public(address):
        raise PrivateAddressError(host, host)


def _known_to_be_public(address: str) -> bool:
    try:
        return is_public(address)
    # Such as v1.a:b, an address of a future kind.
    except ValueError:
        return False


def _shut(connection: socket.socket) -> None:
    # It may be closed already.
    with contextlib.suppress(OSError, ValueError):
        connection.shutdown(socket.SHUT_RDWR)


def _checked(connected: socket.socket, host: str, trusted: set[str] | None) -> socket.socket:
    if trusted is None:
        return connected
    address = connected.getpeername()[0]
    if is_public(address):
        trusted.discard(host)
    elif host not in trusted:
        connected.close()
        raise PrivateAddressError(f"{host} ({address})" if host != address else host, host)
    return connected
