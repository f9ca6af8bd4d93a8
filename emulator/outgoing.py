"""Connections which the emulator makes itself: to background pictures and to webhooks, never elsewhere."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from errno import EACCES
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import aiohttp

NAT64 = ip_network("64:ff9b::/96")
"""Addresses that lead to the IPv4 address in their last 32 bits."""


@asynccontextmanager
async def open_session(
    seconds: float, *, allow_private_networks: bool
) -> AsyncIterator[aiohttp.ClientSession]:
    """Open a session that connects to public addresses only, even after a redirect, unless it is allowed more.

    :param seconds: time-out of a whole request
    :param allow_private_networks: whether an address may lead to a host that is not public
    """
    aiohttp = await asyncio.to_thread(_import_aiohttp)

    def open_socket(address: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _name, target = address
        if not allow_private_networks and not is_public(target[0].partition("%")[0]):
            raise PermissionError(EACCES, f"{target[0]} is not public: --allow-private-networks allows it")
        return socket.socket(family, kind, protocol)

    connector = aiohttp.TCPConnector(limit=8, socket_factory=open_socket)
    client_timeout = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(connector=connector, timeout=client_timeout) as session:
        yield session


def is_public(address: str) -> bool:
    """Tell whether an address is a public host's, even if it wraps an IPv4 address (NAT64, 6to4, Teredo).

    :param address: IPv4 or IPv6, without a zone
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        inner = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in NAT64:
            inner.append(IPv4Address(int(ip) & 0xFFFFFFFF))
        if not all(is_public(str(wrapped)) for wrapped in inner if wrapped is not None):
            return False
    return ip.is_global and not ip.is_multicast


def _import_aiohttp() -> Any:
    """Import aiohttp, which takes too long for an event loop."""
    import aiohttp

    return aiohttp
