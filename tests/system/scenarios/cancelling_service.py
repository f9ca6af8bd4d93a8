"""A service that can cancel jobs, which the emulator cannot: it forwards everything else to an emulator."""

from __future__ import annotations

import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from airflow_video_creation.emulator import Emulator

CANCEL_PATH = "/api/v1/job/{job_id}/cancel"


class CancellingService:
    """Started by ``with``.

    :param behind: the emulator that does everything else.
    """

    def __init__(self, behind: Emulator) -> None:
        self.cancelled: list[str] = []
        self._behind = behind

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        service = self
        before, after = CANCEL_PATH.split("{job_id}")

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._pass_on()

            def do_POST(self) -> None:
                if not self.path.endswith(after):
                    self._pass_on()
                    return
                job_id = self.path.removeprefix(before).removesuffix(after)
                service._behind.admin.set_job_state(job_id, "failed")
                service.cancelled.append(job_id)
                self._answer(202, "application/json", b"{}")

            def _pass_on(self) -> None:
                address = urlsplit(service._behind.base_url)
                connection = HTTPConnection(address.hostname or "", address.port, timeout=30)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection.request(self.command, self.path, body, dict(self.headers))
                reply = connection.getresponse()
                self._answer(reply.status, reply.headers.get("Content-Type", ""), reply.read())
                connection.close()

            def _answer(self, status: int, content_type: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
