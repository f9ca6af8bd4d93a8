"""The port of an emulator, opened before anything else starts, so that its number is known."""

from __future__ import annotations

import socket

from ..start_errors import PortInUseError


def open_listener(host: str, port: int) -> socket.socket:
    """Open the port, so that its number is known before anything else starts.

    :param host: address to bind
    :param port: 0 takes a free one
    :raises PortInUseError: when it cannot be opened
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise PortInUseError(
            f"Port {port} of {host} cannot be opened: {error.strerror or error}. "
            "Choose another port, or 0 for a free one."
        ) from error


def base_url_of(listener: socket.socket) -> str:
    """Return the address under which an open port is reached from this machine.

    :param listener: from `open_listener`
    """
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
