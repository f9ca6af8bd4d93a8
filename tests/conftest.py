"""What tests of Airflow code share: a home for Airflow, connections, and a service that can misbehave."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from urllib.request import Request, urlopen

import pytest
import structlog.testing
from hypothesis import settings

from .airflow_process import AirflowProcess, Run, airflow_in
from .forked_python import ForkedPython, forked_python_in

settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")

ANSWERS = Path(__file__).with_name("answer_approvals.py")
AIRFLOW_HOME = tempfile.mkdtemp(prefix="airflow-home-")
# Airflow reads these when a test module first imports it.
os.environ.update(AIRFLOW_HOME=AIRFLOW_HOME, AIRFLOW__CORE__LOAD_EXAMPLES="False")
for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
    os.environ.pop(name, None)
    os.environ.pop(name.lower(), None)

RUNTIME = tempfile.mkdtemp(prefix="runtime-")
TOKEN = "a-token-that-nobody-may-see"
USER_ID = "user-7"
TLS_HANDSHAKE = b"\x16"
ASKED_JOB = "{job_id}"
"""Stands in an answer for the job that is asked for."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test after a text even if it holds what cannot be sent between the processes of the tests."""
    return ascii(val) if isinstance(val, str) and val.encode(errors="replace").decode() != val else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[Any]:
    """Make what was logged such that it can be sent between the processes of the tests."""
    report = yield
    report.sections = [
        (name, text.encode(errors="backslashreplace").decode()) for name, text in report.sections
    ]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector what is kept until the end: all tests, and the modules that they import."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    shutil.rmtree(AIRFLOW_HOME, ignore_errors=True)
    shutil.rmtree(RUNTIME, ignore_errors=True)


@pytest.fixture(scope="session")
def airflow_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AirflowProcess]:
    """Runs DAGs of any folder; who asks for it is marked by ``needs_airflow_process``."""
    with airflow_in(tmp_path_factory.mktemp("airflow")) as process:
        yield process


@pytest.fixture
def run_dag(
    airflow_process: AirflowProcess, video_creation_emulator: Any, tmp_path: Path
) -> Callable[..., Run]:
    """Runs a DAG of a folder once, against the emulator; ``variables`` and ``connections`` by their ids."""
    numbers = count()

    def run(
        dag_id: str,
        *,
        dags: Path,
        variables: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        connections: Mapping[str, str] | None = None,
    ) -> Run:
        log = tmp_path / f"run-{next(numbers)}.log"
        connections = {
            "video_creation_default": video_creation_emulator.connection_json,
            **(connections or {}),
        }
        environment = {
            **{f"AIRFLOW_CONN_{conn_id.upper()}": text for conn_id, text in connections.items()},
            **{f"AIRFLOW_VAR_{name.upper()}": text for name, text in (variables or {}).items()},
        }
        told = airflow_process.run(dag_id, dags=dags, environment=environment, log=log, params=params)
        return Run(
            state=told["state"],
            tasks={(task_id, map_index): state for task_id, map_index, state in told["tasks"]},
            xcoms={(task_id, key, index): value for task_id, key, index, value in told["xcoms"]},
            log=log.read_text(),
        )

    return run


@pytest.fixture
def person(airflow_process: AirflowProcess) -> Callable[[dict[str, str]], subprocess.Popen[str]]:
    """Somebody who answers what Airflow asks: ``person({"0": "Approve"})``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")}

    def answer(answers: dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, ANSWERS, json.dumps(answers)],
            env={
                **environment,
                "AIRFLOW_HOME": str(airflow_process.home),
                "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            },
            stdout=subprocess.PIPE,
            text=True,
        )

    return answer


@pytest.fixture
def aws_connection() -> Iterator[str]:
    """A connection to a cloud account that moto plays over HTTP."""
    pytest.importorskip("airflow.providers.amazon", reason="not installed: pip install '.[amazon]'")
    moto_server = pytest.importorskip(
        "moto.server", reason="not installed: pip install 'moto[iam,s3,sts]' flask flask-cors"
    )
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    # The servers of one process share what was made.
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
    yield json.dumps(
        {
            "conn_type": "aws",
            "login": "testing",
            "password": "testing",
            "extra": {"endpoint_url": f"http://{host}:{port}", "region_name": "us-east-1"},
        }
    )
    server.stop()


@pytest.fixture(scope="session")
def forked_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedPython]:
    """Runs programs that need a process of their own; who asks for it is marked by ``needs_forked_python``."""
    with forked_python_in(tmp_path_factory.mktemp("forked")) as python:
        yield python


@pytest.fixture(autouse=True)
def own_runtime_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test find what another has left for the processes of this machine."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.path.join(RUNTIME, uuid.uuid4().hex))  # noqa: PTH118 - no test needs it


@pytest.fixture(scope="module")
def nothing_to_finalize() -> None:
    """For tests of what is nested too deeply: in that depth Python cannot tell what finalizing others' garbage says."""
    gc.collect()


@dataclass
class Answer:
    """What the service does with one request."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "whole"

    async def send(self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.kind == "reset":
            no_linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_linger)
            writer.transport.abort()
            return
        if self.kind == "hang":
            await reader.read()
            return
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        body = body.replace(ASKED_JOB.encode(), asked_job(path).encode())
        length = len(body) + (1000 if self.kind in ("truncated", "drip") else 0)
        headers = {"content-type": "application/json", "content-length": length, **self.headers}
        lines = [f"HTTP/1.1 {self.status} -", *(f"{name}: {value}" for name, value in headers.items())]
        writer.write("\r\n".join([*lines, "connection: close", "", ""]).encode() + body)
        hung_up = asyncio.ensure_future(reader.read())
        while self.kind == "drip" and not hung_up.done():
            writer.write(b" ")
            await asyncio.wait([hung_up], timeout=0.02)
        hung_up.cancel()


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)


def asked_job(path: str) -> str:
    """The id at the end of a path."""
    return unquote(path.partition("?")[0].rpartition("/")[2])


class Service:
    """A local server that answers what a test told it to; the last answer is repeated."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.seen: list[Seen] = []
        self.asked = threading.Event()
        self._answers: dict[str, list[Answer]] = {"*": [_named("404")]}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls), self._loop
        )
        self._server = starting.result(10)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def will(self, *answers: str | Answer, on: str = "*") -> None:
        """Answer so, one after the other, on one path or on all others.

        A text is a status (``"503"``), a job's state (``"completed"``) or a way to fail (see ``BROKEN``).
        """
        self._answers[on] = [_named(answer) if isinstance(answer, str) else answer for answer in answers]

    def reply(self, status: int, body: Any = b"", **headers: str) -> Answer:
        return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})

    def job(self, state: str, **data: Any) -> Answer:
        return job(state, **data)

    def stop_listening(self) -> None:
        """Refuse connections from now on."""
        asyncio.run_coroutine_threadsafe(self._stop_listening(), self._loop).result(10)

    async def _stop_listening(self) -> None:
        self._server.close()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first = await reader.readexactly(1)
            if first == TLS_HANDSHAKE:
                writer.write(b"HTTP/1.1 400 This is not HTTP\r\n\r\n")
                return
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.seen.append(Seen(method, path, headers, body))
            self.asked.set()
            queue = self._answers.get(path.partition("?")[0], self._answers["*"])
            await (queue.pop(0) if len(queue) > 1 else queue[0]).send(path, reader, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


def _named(name: str) -> Answer:
    if name in BROKEN:
        return BROKEN[name]
    if name.isdigit():
        return Answer(int(name), {"message": "the service's own words"})
    return job(name)


def job(state: str, **data: Any) -> Answer:
    """What the service says on a job."""
    return Answer(body={"job_id": ASKED_JOB, "success": state != "failed", "data": {"status": state, **data}})


BROKEN = {
    "reset": Answer(kind="reset"),
    "hang": Answer(kind="hang"),
    "drip": Answer(kind="drip", body=b"{"),
    "truncated": Answer(kind="truncated", body=b'{"job_id": "j-1"'),
    "html": Answer(200, b"<html>Welcome</html>", {"content-type": "text/html"}),
    "html 404": Answer(404, b"<html>Not here</html>", {"content-type": "text/html"}),
    "malformed": Answer(200, b'{"job_id": "j-1", "data"'),
}


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.stop()


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the default connection: ``connect(host, read_timeout=0.1)``; what is not a field goes into extra."""

    def define(
        host: str = "https://video.example.com", password: str = TOKEN, login: str = "", **extra: Any
    ) -> None:
        fields = {"conn_type": "video_creation", "host": host, "login": login, "password": password}
        value = json.dumps({**fields, "extra": {"user_id": USER_ID, "requests_per_minute": 1e6, **extra}})
        monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", value)

    return define


@pytest.fixture(autouse=True)
def nothing_learned() -> Iterator[None]:
    """No test knows the durations of another's jobs."""
    yield
    if waiter := sys.modules.get("airflow_video_creation.triggers.polling.job_waiter"):
        waiter.JobWaiter.forget()


@pytest.fixture
def log() -> Iterator[Callable[[], str]]:
    """What our code has logged: ``log()``."""
    with structlog.testing.capture_logs() as entries:
        yield lambda: "\n".join(str(entry) for entry in entries)


@pytest.fixture
def fast_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sensors and triggers see time run a thousand times as fast; nobody else does."""
    from airflow_video_creation.sensors.video_job import VideoJobSensor
    from airflow_video_creation.triggers.video_job import VideoJobTrigger
    from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

    start = time.time()
    for waiting in (VideoJobSensor, VideoJobTrigger, VideoJobsTrigger):
        monkeypatch.setattr(waiting, "clock", lambda self: start + (time.time() - start) * 1000)


class Clock:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sleeping_passes_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time of sensors and triggers pass while a trigger sleeps, which takes none, and at no other time."""
    from airflow_video_creation.sensors.video_job import VideoJobSensor
    from airflow_video_creation.triggers.video_job import VideoJobTrigger
    from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    for trigger in (VideoJobTrigger, VideoJobsTrigger):
        monkeypatch.setattr(trigger, "sleep", staticmethod(sleep))
    for waiting in (VideoJobSensor, VideoJobTrigger, VideoJobsTrigger):
        monkeypatch.setattr(waiting, "clock", staticmethod(clock.time))


@pytest.fixture
def hook(connect: Callable[..., None], clock: Clock) -> Any:
    """A hook on the default connection that never really sleeps."""
    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    connect()
    return VideoCreationHook(clock=clock.time, sleep=clock.sleep)


@pytest.fixture
def until() -> Callable[[Callable[[], object]], Any]:
    """Waits until something is so."""

    async def waits(condition: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while True:
                if condition():
                    return
                await asyncio.sleep(0.001)

    return waits
