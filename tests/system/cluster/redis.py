"""A Redis server of a cluster's own, Celery's broker."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from .role import Role
from .software import program
from .until import until


class Redis:
    """The server; nothing is kept on disk.

    :param folder: for its log.
    :param port: to listen on.
    :raises NotInstallableError: there is no Redis.
    """

    def __init__(self, folder: Path, port: int) -> None:
        server = program("redis-server", package="redis-server")
        self._port = port
        command = [server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._role = Role("redis", command, os.environ, folder)

    @property
    def url(self) -> str:
        """For Celery."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Serve; returns when connections are taken."""
        self._role.start()

        def answers() -> bool:
            with socket.create_connection(("127.0.0.1", self._port), timeout=2):
                return True

        until("a connection to Redis", answers)

    def stop(self) -> None:
        """End it."""
        self._role.stop()
