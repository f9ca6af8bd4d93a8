"""Connections which the emulator makes itself: to background pictures and to webhooks, never elsewhere."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from errno import EACCES
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import aiohttp


@asynccontextmanager
async def open_session(
    seconds: float, *, allow_private_networks: bool
) -> AsyncIterator[aiohttp.ClientSession]:
    """Open a session which connects to public addresses only, also after a redirect, unless it is allowed more.

    :param seconds: time-out of a whole request
    :param allow_private_networks: whether an address may lead to a host that is not public
    """
    aiohttp = await asyncio.to_thread(_import_aiohttp)

    def open_socket(address: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _name, target = address
        if not allow_private_networks and not ip_address(target[0].partition("%")[0]).is_global:
            raise PermissionError(EACCES, f"{target[0]} is not public: --allow-private-networks opens it")
        return socket.socket(family, kind, protocol)

    connector = aiohttp.TCPConnector(limit=8, socket_factory=open_socket)
    client_timeout = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(connector=connector, timeout=client_timeout) as session:
        yield session


def _import_aiohttp() -> Any:
    """Import aiohttp, which takes too long for an event loop."""
    import aiohttp

    return aiohttp
