"""Whether a network address is a public host's."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_NAT64 = ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ip_network("2000::/3")


def is_public(address: str) -> bool:
    """Tell whether an address is a public host's, even if it wraps an IPv4 address (source: ours).

    Loopback, private, link-local, shared (100.64.0.0/10), multicast and reserved addresses are not public, nor are IPv6
    addresses that lead to one of these (IPv4-mapped, NAT64, 6to4, Teredo).

    :param address: IPv4 or IPv6; a zone such as ``%eth0`` is ignored.
    :raises ValueError: it is not an address.
    """
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast
    if inner := _wrapped(ip):
        return all(is_public(str(address)) for address in inner)
    return ip in _GLOBAL_UNICAST and ip.is_global


def _wrapped(ip: IPv6Address) -> list[IPv4Address]:
    inner = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64:
        inner.append(IPv4Address(int(ip) & 0xFFFFFFFF))
    return [address for address in inner if address is not None]
