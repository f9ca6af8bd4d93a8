"""Several threads of one task make calls through one hook: one session, one token, and none meets another's reply."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook

THREADS, CALLS = 8, 20
NAMES = [f"{thread}-{number}" for thread in range(THREADS) for number in range(CALLS)]


class Busy(ThreadingHTTPServer):
    """A service that keeps connections open, and fetches, refuses and breaks off as a test says."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.lock = threading.Lock()
        self.connections = 0
        self.tokens = 0
        self.refused_from: dict[str, int] = {}
        """From how many calls on a token is refused."""
        self.calls = 0
        self.broken_off: set[str] = set()
        """The names whose first request is reset."""
        self.asked: list[str] = []
        self.cookies: list[str] = []
        self.first_answer: Callable[[], int] | None = None
        """Gives the status of the first submission."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Busy

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        self._answer(name, {"job_id": name, "data": {"status": "completed"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/token":
            with self.server.lock:
                self.server.tokens += 1
                value = {"access_token": f"token-{self.server.tokens}"}
            self._send(200, value)
            return
        self._answer(body["videoName"], {"job_id": f"job of {body['videoName']}"})

    def _answer(self, name: str, answer: Any) -> None:
        service, token = self.server, self.headers["authorization"]
        with service.lock:
            service.calls += 1
            service.asked.append(name)
            service.cookies += self.headers.get_all("cookie", [])
            is_refused = service.calls > service.refused_from.get(token, 1_000_000)
            is_broken_off = name in service.broken_off
            service.broken_off.discard(name)
            first_answer, service.first_answer = service.first_answer, None
        if is_broken_off:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        status = first_answer() if first_answer else 401 if is_refused else 200
        self._send(status, answer if status == 200 else {"message": "no"}, name)

    def _send(self, status: int, body: Any, cookie: str = "none") -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Set-Cookie", f"who={cookie}; Path=/")
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def busy() -> Iterator[Busy]:
    with Busy() as service:
        serving = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serving.start()
        yield service
        service.shutdown()


@pytest.fixture
def shared(connect: Any, busy: Busy) -> VideoCreationHook:
    """A hook that all threads use; it fetches its token, and pauses for no time."""
    connect(busy.url, auth_url=f"{busy.url}/token", login="client-1", password="secret", share_tokens=False)
    return VideoCreationHook(clock=time.time, sleep=lambda seconds: None)


def in_threads(call: Callable[[str], Any], threads: int = THREADS) -> dict[str, Any]:
    """What each call gave, or raised, by its name; all threads begin at the same time."""
    together = threading.Barrier(threads)
    given: dict[str, Any] = {}

    def work(thread: int) -> None:
        together.wait(20)
        for number in range(CALLS):
            name = f"{thread}-{number}"
            try:
                given[name] = call(name)
            except Exception as error:
                given[name] = error

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    return given


def submitted(hook: VideoCreationHook) -> Callable[[str], str]:
    return lambda name: hook.create_storyboard({"videoName": name, "scenes": [{"text": name}]})


def test_each_reply_is_of_its_own_request_and_one_token_serves_all(
    shared: VideoCreationHook, busy: Busy
) -> None:
    assert in_threads(submitted(shared)) == {name: f"job of {name}" for name in NAMES}
    assert in_threads(lambda name: shared.get_job(name).job_id) == {name: name for name in NAMES}

    assert busy.tokens == 1
    assert sorted(busy.asked) == sorted(NAMES * 2)


def test_a_token_that_is_refused_in_the_middle_is_replaced_once(
    shared: VideoCreationHook, busy: Busy
) -> None:
    busy.refused_from["token-1"] = 60

    assert in_threads(submitted(shared)) == {name: f"job of {name}" for name in NAMES}

    assert busy.tokens == 2


def test_a_connection_that_breaks_off_disturbs_no_other_thread(shared: VideoCreationHook, busy: Busy) -> None:
    broken = {f"3-{number}" for number in range(CALLS)}
    busy.broken_off |= broken

    assert in_threads(lambda name: shared.get_job(name).job_id) == {name: name for name in NAMES}

    assert sorted(busy.asked) == sorted([*NAMES, *broken])


def test_no_cookie_of_one_reply_goes_out_with_another_request(shared: VideoCreationHook, busy: Busy) -> None:
    in_threads(lambda name: shared.get_job(name).job_id)

    assert busy.cookies == []


def test_each_thread_keeps_its_connection(shared: VideoCreationHook, busy: Busy) -> None:
    in_threads(lambda name: shared.get_job(name).job_id, threads=16)

    assert busy.connections <= 16


def test_a_token_that_another_thread_replaces_ends_no_submission(
    shared: VideoCreationHook, busy: Busy
) -> None:
    """Only a submission that was itself sent with a refused token may have been sent twice already."""
    arrived, answered = threading.Event(), threading.Event()

    def too_many() -> int:
        arrived.set()
        assert answered.wait(20)
        return 429

    busy.first_answer = too_many
    with ThreadPoolExecutor(1) as pool:
        submission = pool.submit(submitted(shared), "news")
        assert arrived.wait(20)
        busy.refused_from["token-1"] = 0
        shared.get_job("j-1")
        answered.set()

        assert submission.result(20) == "job of news"
    assert busy.tokens == 2


def test_threads_that_begin_at_once_have_one_session(connect: Any, busy: Busy) -> None:
    connect(busy.url)
    hook = VideoCreationHook()

    sessions = in_threads(lambda name: hook.get_conn()).values()

    assert {id(session) for session in sessions} == {id(hook.get_conn())}
