from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation import example_dags
from airflow_video_creation.example_dags.sample_site.placeholders import fill_placeholders

SAMPLE_SITE = Path(str(example_dags.__file__)).parent / "sample_site"
TONIGHT = datetime(2026, 11, 21, tzinfo=UTC)


class Store:
    """Airflow's task state store: survives tries and clears; refuses as often as told."""

    def __init__(self):
        self.values = {}
        self.refuse = []

    def get(self, key, default=None):
        return self.values.get(key, default)

    def set(self, key, value):
        if self.refuse and self.refuse.pop(0):
            raise ConnectionError("the API server is away")
        self.values[key] = value


class Task:
    """One task: its store, and its tries."""

    def __init__(self, store=True, retries=2):
        self.store = Store() if store else None
        self.ti = SimpleNamespace(
            max_tries=retries,
            try_number=1,
            task=SimpleNamespace(retries=retries),
            start_date=datetime.now(UTC),
        )

    def context(self):
        return {"ti": self.ti, "task_state_store": self.store}

    def retry(self):
        self.ti.try_number += 1

    def clear(self):
        self.ti.max_tries = self.ti.try_number + self.ti.task.retries
        self.ti.try_number += 1


@pytest.fixture
def make_task() -> type[Task]:
    return Task


@pytest.fixture
def task() -> Task:
    return Task()


@pytest.fixture
def emulator(video_creation_emulator: Any) -> Any:
    return video_creation_emulator


@pytest.fixture
def served(connect: Any, service: Any) -> Any:
    """A service with one finished render, r-1, whose video is at /media/v.mp4."""
    connect(service.url, read_timeout=0.3)
    video = f"{service.url}/media/v.mp4?X-Signature=only-for-you-7"
    service.will(service.job("completed", videoURL=video), on="/api/v1/job/r-1")
    mp4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
    service.will(service.reply(200, mp4), on="/media/v.mp4")
    return service


Page = tuple[int, dict[str, str], bytes]


@dataclass
class Site:
    """A web site: what it answers at each path, and the requests (path, user agent) it got.

    The answer at ``/drips.html`` does not end before the test does.
    """

    url: str = ""
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def put(self, path: str, body: str | bytes, *, status: int = 200, **headers: str) -> str:
        """Answer with a body at a path, and return its address."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, names, body.encode() if isinstance(body, str) else body)
        return self.url + path

    def put_feed(
        self, path: str, *links: str, date: str = "Fri, 20 Nov 2026 22:00:00 GMT", more: str = ""
    ) -> str:
        """Answer with a feed of these links at a path, and return its address."""
        items = (
            f"<item><title>T</title><link>{link}</link><pubDate>{date}</pubDate></item>" for link in links
        )
        channel = f"<channel><title>Feed</title>{''.join(items)}{more}</channel>"
        return self.put(path, f'<rss version="2.0">{channel}</rss>')


@pytest.fixture
def site() -> Iterator[Site]:
    """The sample site, served at ``TONIGHT``."""
    served = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append((self.path, self.headers["User-Agent"]))
            status, headers, body = served.pages.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if self.path == "/drips.html":
                served.over.wait(30)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_port}"
    for file in SAMPLE_SITE.iterdir():
        if file.suffix in (".xml", ".html"):
            served.put(
                f"/{file.name}", fill_placeholders(file.read_text("utf-8"), site=served.url, now=TONIGHT)
            )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def fetch_articles() -> Callable[..., Any]:
    """``FetchArticlesOperator`` run as Airflow would: its articles and what it left out, as they come out of XCom."""
    return _fetch_articles


def _fetch_articles(
    *,
    run_after: datetime = TONIGHT,
    run_type: str = "scheduled",
    last_success: datetime | None = None,
    **arguments: Any,
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    from airflow_video_creation.operators.articles import FetchArticlesOperator

    pushed: dict[str, Any] = {}

    def get_previous_dagrun(state: str | None) -> Any:
        assert state == "success"
        return SimpleNamespace(run_after=last_success) if last_success else None

    def xcom_push(key: str, value: Any) -> None:
        pushed[key] = value

    context: Any = {
        "dag_run": SimpleNamespace(run_after=run_after, run_type=run_type),
        "ti": SimpleNamespace(get_previous_dagrun=get_previous_dagrun, xcom_push=xcom_push),
    }
    result = FetchArticlesOperator(task_id="fetch", **arguments).execute(context)
    return json.loads(json.dumps(result)), json.loads(json.dumps(pushed["left_out"]))
