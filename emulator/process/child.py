"""The process of `Emulator(process=True)`: `python -m ...emulator.process.child SETTINGS LISTENER`."""

from __future__ import annotations

import socket
import sys
import threading

import uvicorn

from ..settings import Settings
from ..start_errors import CannotStartError
from .serving import serve


def main(settings: str, listener: str) -> None:
    """Serve on a port which the parent has opened, until the parent closes our standard input or ends.

    :param settings: as JSON
    :param listener: file number of the open port
    """

    def stop_with_parent(server: uvicorn.Server) -> None:
        def wait() -> None:
            sys.stdin.read()
            server.should_exit = True

        threading.Thread(target=wait, daemon=True).start()

    try:
        serve(Settings.model_validate_json(settings), socket.socket(fileno=int(listener)), stop_with_parent)
    except CannotStartError as error:
        # The parent reads this; what is logged goes to the standard error that both share. It has to be out before
        # the port closes, as then the parent looks for it and ends us.
        sys.stdout.write(str(error))
        sys.stdout.flush()
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
