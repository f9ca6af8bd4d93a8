"""Serves the sample site over HTTP, with dates that are always news to the example DAG."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ..emulator import CannotStartError
from ..example_dags.sample_site.placeholders import fill_placeholders

FOLDER = Path(__file__).resolve().parent.parent / "example_dags" / "sample_site"
_FILLED = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}


@contextmanager
def sample_site(port: int = 0) -> Iterator[str]:
    """Serve the sample site while the block runs, and give its address.

    :param port: of 127.0.0.1; 0 takes a free one.
    :raises CannotStartError: the port is taken.
    """
    try:
        listening = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(FOLDER)))
    except OSError as error:
        raise CannotStartError(
            f"port {port} for the sample site cannot be opened ({error.strerror}): choose another with --port"
        ) from None
    with listening as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, name="sample-site", daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def last_night(now: datetime) -> datetime:
    """The last 03:00 UTC, when the example DAG is due: what was published before it is news to that night's run.

    :param now: a moment in UTC.
    """
    due = now.replace(hour=3, minute=0, second=0, microsecond=0)
    return due if due <= now else due - timedelta(days=1)


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        content_type = _FILLED.get(path.suffix)
        if content_type is None or not path.is_file():
            super().do_GET()
            return
        site = f"http://{self.headers.get('Host', '')}"
        text = fill_placeholders(path.read_text("utf-8"), site=site, now=last_night(datetime.now(UTC)))
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the demo prints one line a step."""
