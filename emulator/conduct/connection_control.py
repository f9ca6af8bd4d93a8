"""The caller's connection in our hands, so that a fault can break it off."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import Any

from starlette.types import Receive
from uvicorn.protocols.http.auto import AutoHTTPProtocol

# uvicorn chooses between its two implementations at run time, so their class is not known to a type checker.
HTTPProtocol: Any = AutoHTTPProtocol


class ReachableProtocol(HTTPProtocol):  # type: ignore[misc]
    """Gives a request's scope its connection, so that a fault can break it off."""

    app_state: dict[str, Any]

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Put the connection into the state which uvicorn copies into each request's scope.

        :param transport: of the connection
        """
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


class ConnectionGoneError(Exception):
    """The connection was broken off on purpose; there is nothing left to send."""


@dataclass
class Connection:
    """The caller's connection, to be broken off.

    :param transport: of the connection
    :param receive: of the request
    """

    transport: asyncio.Transport
    receive: Receive

    async def end(self) -> None:
        """Send what is waiting, close, and give up the request."""
        self.transport.close()
        await self._gone()

    async def reset(self) -> None:
        """Break off without a goodbye: the caller sees a reset connection."""
        at_once = struct.pack("ii", 1, 0)
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self.transport.abort()
        await self._gone()

    async def hang(self, seconds: float) -> None:
        """Send nothing until the caller leaves, or for `seconds`; then break off."""
        try:
            async with asyncio.timeout(seconds):
                await self._wait_until_left()
        except TimeoutError:
            self.transport.abort()
        await self._gone()

    async def _gone(self) -> None:
        await self._wait_until_left()
        raise ConnectionGoneError

    async def _wait_until_left(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
