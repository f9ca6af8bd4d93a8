"""Whether writing a request has begun: after that the result of a failure is in doubt, whatever its class says."""

from __future__ import annotations

import threading
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

_progress = threading.local()


def nothing_sent_yet() -> None:
    """Begin a request in this thread."""
    _progress.begun = False


def begun() -> bool:
    """Whether this thread has begun to write its request; CONNECT to a proxy is not yet the request."""
    return bool(getattr(_progress, "begun", True))


class _Telling:
    """What a connection adds: connecting (with TLS and CONNECT) is not yet sending."""

    _connecting = False

    def connect(self) -> None:
        self._connecting = True
        try:
            super().connect()  # type: ignore[misc]  # the connection class that this is mixed into
        finally:
            self._connecting = False

    def send(self, data: Any) -> None:
        if not self._connecting:
            if self.sock is None:  # type: ignore[attr-defined]  # of the connection class
                self.connect()
            _progress.begun = True
        super().send(data)  # type: ignore[misc]  # the connection class that this is mixed into


class _HttpConnection(_Telling, HTTPConnection):
    pass


class _HttpsConnection(_Telling, HTTPSConnection):
    pass


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _HttpConnection


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _HttpsConnection


_POOLS = {"http": _HttpPool, "https": _HttpsPool}


class TellingAdapter(HTTPAdapter):
    """requests' adapter over connections that tell when they begin to write."""

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        """Make the pools for direct connections."""
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: Any, **options: Any) -> Any:
        """Make the pools for connections through a proxy; those of a SOCKS proxy cannot tell: all counts as begun."""
        manager = super().proxy_manager_for(proxy, **options)
        if str(proxy).lower().startswith("socks"):
            _progress.begun = True
        else:
            manager.pool_classes_by_scheme = _POOLS
        return manager
