"""Running the emulator in the thread that calls: what the command line, a thread and a child process share."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from ..application import create_application
from ..conduct.connection_control import ReachableProtocol
from ..jobs.state_store import StateStore
from ..settings import Settings
from .listening import base_url_of

OnReady = Callable[[uvicorn.Server], None]


class _AnnouncingServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_ready: OnReady) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready(self)


@contextmanager
def _folder(asked_for: Path | None) -> Iterator[Path]:
    if asked_for is not None:
        yield asked_for
    else:
        with tempfile.TemporaryDirectory(prefix="video-emulator-") as temporary:
            yield Path(temporary)


def serve(settings: Settings, listener: socket.socket, on_ready: OnReady) -> None:
    """Serve until told to stop; jobs and media without a folder go to a temporary one, removed at the end.

    :param settings: the emulator's
    :param listener: from `open_listener`
    :param on_ready: called when requests are answered, with the server, whose `should_exit` stops it
    :raises UnusableFolderError: when the folder cannot be used, as when another emulator works in it
    """
    with _folder(settings.folder) as folder:
        store = StateStore(folder)
        try:
            config = uvicorn.Config(
                create_application(settings, base_url_of(listener), folder, store),
                http=ReachableProtocol,
                log_config=None,
                log_level="warning",
                access_log=False,
                lifespan="on",
                ws="none",
                timeout_graceful_shutdown=1,
            )
            _AnnouncingServer(config, on_ready).run([listener])
        finally:
            store.close()
