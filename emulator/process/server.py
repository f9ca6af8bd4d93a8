"""An emulator to hold: started and stopped by whoever needs a service."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import urlsplit

from ..airflow_connection import airflow_connection, as_json, as_uri
from ..extra import require_extra
from ..start_errors import CannotStartError
from .admin_client import AdminClient
from .listening import base_url_of, open_listener

if TYPE_CHECKING:
    import uvicorn

    from ..settings import Settings

START_TIMEOUT_SECONDS = 30.0
STOP_TIMEOUT_SECONDS = 10.0


class _Running(Protocol):
    def stop(self) -> None: ...


class Emulator:
    """A stand-in for the service, in a thread of this process or in a process of its own.

    ::

        with Emulator(instant=True) as emulator:
            os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json

    :param port: port to bind; 0 takes a free one
    :param folder: where jobs and media are kept; absent: a temporary folder, removed at the end
    :param process: run in a process of its own, which can be killed
    :param options: the other start options, see `Settings`
    :raises SettingsError: when an option is wrong
    :raises MissingExtraError: when the extra `[emulator]` is not installed
    """

    def __init__(
        self, port: int = 0, folder: Path | str | None = None, *, process: bool = False, **options: Any
    ) -> None:
        require_extra()
        from ..settings import Settings

        self.settings = Settings.of(port=port, folder=folder, **options)
        self._in_process = process
        self._base_url: str | None = None
        self._running: _Running | None = None

    def start(self) -> Self:
        """Start; returns when the emulator answers.

        :raises PortInUseError: when the port is taken
        :raises UnusableFolderError: when the folder cannot be used, as when another emulator works in it
        :raises CannotStartError: when a process of its own ends or does not answer
        """
        if self._running is None:
            with open_listener(self.settings.host, self.settings.port) as listener:
                base_url = base_url_of(listener)
                if self._in_process:
                    self._running = _ChildProcess(self.settings, listener, base_url)
                else:
                    self._running = _Thread(self.settings, listener)
            self._base_url = base_url
        return self

    def kill(self) -> None:
        """Kill the process of its own at once, as `kill -9` does, to see what is lost.

        :raises CannotStartError: when it runs in a thread, which cannot be killed
        """
        if not isinstance(self._running, _ChildProcess):
            raise CannotStartError("Only a started emulator with process=True can be killed.")
        self._running.kill()
        self._running = None

    def stop(self) -> None:
        """Stop; jobs in progress are given up, and taken up again at the next start in the same folder."""
        if self._running is not None:
            self._running.stop()
            self._running = None

    @property
    def base_url(self) -> str:
        """Where the emulator is reached, such as `http://127.0.0.1:8123`."""
        if self._base_url is None:
            raise CannotStartError("The emulator has no address before start().")
        return self._base_url

    @property
    def admin(self) -> AdminClient:
        """What changes the behaviour of the running emulator, and tells what was called."""
        return AdminClient(self.base_url)

    @property
    def connection_json(self) -> str:
        """The Airflow connection with the published token, as JSON."""
        return as_json(self._connection())

    @property
    def connection_uri(self) -> str:
        """The Airflow connection with the published token, as a URI."""
        return as_uri(self._connection())

    @property
    def fetching_connection_json(self) -> str:
        """The Airflow connection which fetches its token with client id and secret, as JSON."""
        return as_json(self._connection(fetch_token=True))

    @property
    def further_connection_json(self) -> str:
        """The Airflow connection which also names what comparable services have, as JSON."""
        return as_json(self._connection(further_paths=True))

    def _connection(self, *, fetch_token: bool = False, further_paths: bool = False) -> dict[str, Any]:
        return airflow_connection(
            self.base_url,
            fetch_token=fetch_token,
            behaviour=self.settings,
            further_paths=further_paths or self.settings.further_paths,
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Thread:
    """The emulator in a thread, with its own event loop."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        # The server closes its own copy of the port.
        self._listener = listener.dup()
        self._settings = settings
        self._server: Future[uvicorn.Server] = Future()
        self._thread = threading.Thread(target=self._serve, name="video-emulator", daemon=True)
        self._thread.start()
        self._server.result(START_TIMEOUT_SECONDS)

    def _serve(self) -> None:
        from .serving import serve

        try:
            serve(self._settings, self._listener, self._server.set_result)
        except BaseException as error:
            if self._server.done():
                raise
            self._server.set_exception(error)
        finally:
            self._listener.close()

    def stop(self) -> None:
        self._server.result().should_exit = True
        self._thread.join(STOP_TIMEOUT_SECONDS)


class _ChildProcess:
    """The emulator in a process of its own, which ends with this one."""

    def __init__(self, settings: Settings, listener: socket.socket, base_url: str) -> None:
        # The folder is ours, so that it goes away even when the process is killed.
        self._temporary = None if settings.folder else tempfile.TemporaryDirectory(prefix="video-emulator-")
        if self._temporary:
            settings = settings.model_copy(update={"folder": Path(self._temporary.name)})
        module = f"{__package__}.child"
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", module, settings.model_dump_json(), str(listener.fileno())],
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        # Only the child holds the port now: if it ends, the request below fails instead of waiting.
        listener.close()
        try:
            self._wait_for_answer(base_url)
        except OSError as error:
            self._process.kill()
            said, _ = self._process.communicate()
            self._clean_up()
            reason = said.decode("utf-8", "replace") or f"Its process ended or did not answer ({error})."
            raise CannotStartError(reason) from None

    def _wait_for_answer(self, base_url: str) -> None:
        address = urlsplit(base_url)
        connection = http.client.HTTPConnection(
            address.hostname or "", address.port, timeout=START_TIMEOUT_SECONDS
        )
        try:
            connection.request("HEAD", "/docs")
            connection.getresponse().read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._clean_up()

    def stop(self) -> None:
        try:
            # Closing its standard input is what tells it to stop.
            self._process.communicate(timeout=STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._clean_up()

    def _clean_up(self) -> None:
        if self._temporary:
            self._temporary.cleanup()
