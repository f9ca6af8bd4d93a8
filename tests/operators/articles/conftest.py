"""What tests of FetchArticlesOperator share: a web site, Airflow's Variables, and runs of a DAG."""

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
from airflow_video_creation.operators.articles import FetchArticlesOperator

from ...described_variables import described_variables

SAMPLE_SITE = Path(str(example_dags.__file__)).parent / "sample_site"
TONIGHT = datetime(2026, 11, 21, tzinfo=UTC)
Page = tuple[int, dict[str, str], bytes]


@dataclass
class Site:
    """A web site: what it answers at each path, and the paths and headers of the requests it got.

    A page with an ETag is answered with 304 to who has it. The answer at ``/drips.html`` does not end before the test
    does.
    """

    url: str = ""
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for since the last look at them, without robots.txt."""
        paths = [path for path, _ in self.requests if path != "/robots.txt"]
        self.requests.clear()
        return paths

    def put(self, path: str, body: str | bytes, *, status: int = 200, **headers: str) -> str:
        """Answer with a body at a path, and return its address."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, names, body.encode() if isinstance(body, str) else body)
        return self.url + path

    def put_feed(
        self,
        path: str,
        *links: str,
        date: str = "Fri, 20 Nov 2026 22:00:00 GMT",
        more: str = "",
        **headers: str,
    ) -> str:
        """Answer with a feed of these links at a path, and return its address."""
        dated = f"<pubDate>{date}</pubDate>" if date else ""
        items = (f"<item><title>T</title><link>{link}</link>{dated}</item>" for link in links)
        channel = f"<channel><title>Feed</title>{''.join(items)}{more}</channel>"
        return self.put(path, f'<rss version="2.0">{channel}</rss>', **headers)


@pytest.fixture
def site() -> Iterator[Site]:
    """The sample site, served at ``TONIGHT``."""
    served = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append((self.path, dict(self.headers)))
            status, headers, body = served.pages.get(self.path, (404, {}, b""))
            if headers.get("ETag", "none") == self.headers["If-None-Match"]:
                status, body = 304, b""
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
            text = fill_placeholders(file.read_text("utf-8"), site=served.url, now=TONIGHT)
            served.put(f"/{file.name}", text)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Airflow's Variables."""
    return described_variables(monkeypatch)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that the operator made, without their time."""
    pauses: list[float] = []
    monkeypatch.setattr(FetchArticlesOperator, "sleep", staticmethod(pauses.append))
    return pauses


@pytest.fixture
def fetch_articles(variables: dict[str, str], slept: list[float]) -> Callable[..., Any]:
    """``FetchArticlesOperator`` run as Airflow would: its articles and what it left out, as they come out of XCom."""
    return _fetch_articles


def _fetch_articles(
    *,
    run: str = "scheduled",
    run_after: datetime = TONIGHT,
    run_type: str = "scheduled",
    last_success: datetime | None = None,
    map_index: int = -1,
    events: Any = None,
    **arguments: Any,
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    pushed: dict[str, Any] = {}

    def get_previous_dagrun(state: str | None) -> Any:
        assert state == "success"
        return SimpleNamespace(run_after=last_success) if last_success else None

    def xcom_push(key: str, value: Any) -> None:
        pushed[key] = value

    context: Any = {
        "dag_run": SimpleNamespace(run_after=run_after, run_type=run_type),
        "triggering_asset_events": events,
        "ti": SimpleNamespace(
            dag_id="night",
            task_id="fetch",
            run_id=run,
            map_index=map_index,
            get_previous_dagrun=get_previous_dagrun,
            xcom_push=xcom_push,
        ),
    }
    result = FetchArticlesOperator(task_id="fetch", **arguments).execute(context)
    return json.loads(json.dumps(result)), json.loads(json.dumps(pushed["left_out"]))
