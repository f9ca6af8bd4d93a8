"""A running emulator, and a caller who has its credentials."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import TOKEN, USER_ID, Emulator
from airflow_video_creation.emulator.pytest_plugin import (
    video_creation_emulator as video_creation_emulator,
)
from airflow_video_creation.emulator.pytest_plugin import (
    video_creation_emulator_server as video_creation_emulator_server,
)

HANG_UP = 0
"""The status of no answer at all."""

STORYBOARD = {"videoName": "trees", "scenes": [{"text": "Ten thousand trees."}]}


class Caller:
    """Calls an emulator's operations as a client with valid credentials does."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.http = requests.Session()
        self.http.headers.update({"Authorization": TOKEN, "X-Service-User-Id": USER_ID})

    def post(self, path: str, body: Any, **options: Any) -> requests.Response:
        return self.http.post(self.base_url + path, json=body, timeout=10, **options)

    def put(self, path: str, body: Any, **options: Any) -> requests.Response:
        return self.call("PUT", path, body, **options)

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> requests.Response:
        return self.http.request(method, self.base_url + path, json=body, timeout=10, **options)

    def get(self, path_or_url: str, **options: Any) -> requests.Response:
        url = path_or_url if path_or_url.startswith("http") else self.base_url + path_or_url
        return self.http.get(url, timeout=10, **options)

    def storyboard(self, **fields: Any) -> str:
        """Create a storyboard and return its job id."""
        reply = self.post("/api/v1/video/storyboard", {**STORYBOARD, **fields})
        assert reply.status_code == 200, reply.text
        return str(reply.json()["job_id"])

    def render(self, **fields: Any) -> str:
        """Create a storyboard, wait for it, render it, and return the render's job id."""
        settings = self.finished(self.storyboard(**fields))["data"]["render_settings"]
        return str(self.post("/api/v1/video/render", settings).json()["job_id"])

    def job(self, job_id: str) -> dict[str, Any]:
        reply: dict[str, Any] = self.get(f"/api/v1/job/{job_id}").json()
        return reply

    def finished(self, job_id: str) -> dict[str, Any]:
        """Poll a job until it is no longer in progress."""
        return until(lambda: self.job(job_id), lambda job: job["data"]["status"] != "in-progress")


def until(ask: Callable[[], Any], is_right: Callable[[Any], bool], seconds: float = 30) -> Any:
    """Ask again and again until the answer is right."""
    deadline = time.monotonic() + seconds
    while not is_right(answer := ask()):
        assert time.monotonic() < deadline, f"still {answer!r} after {seconds} s"
        time.sleep(0.02)
    return answer


@pytest.fixture
def emulator(video_creation_emulator: Emulator) -> Emulator:
    return video_creation_emulator


@pytest.fixture
def caller(emulator: Emulator) -> Caller:
    return Caller(emulator.base_url)


@pytest.fixture
def call_emulator() -> Callable[[Emulator], Caller]:
    """For tests that start an emulator of their own."""
    return lambda emulator: Caller(emulator.base_url)


class Receiver:
    """A small web server: answers GET from `files`, POST with the next of `statuses`; after them 200."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, bytes]] = {}
        self.statuses: list[int] = []
        self.posted: list[Any] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                kind, content = receiver.files.get(self.path, ("", b""))
                self.send_response(200 if content else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self) -> None:
                receiver.posted.append(self.rfile.read(int(self.headers["Content-Length"])))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if status == HANG_UP:
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def wait_until() -> Callable[..., Any]:
    """Waits for a condition: `wait_until(ask, is_right)`."""
    return until
