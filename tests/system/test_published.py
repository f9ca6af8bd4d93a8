"""In a whole Airflow: a feed publishes, and one video is made, even if the triggerer is killed meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from airflow.triggers.base import BaseEventTrigger
from cluster.airflow_cluster import AirflowCluster
from cluster.until import until

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.example_dags.sample_site.placeholders import fill_placeholders

EXAMPLES = Path(__file__).parents[2] / "example_dags"
SITE = EXAMPLES / "sample_site"
JOB_SECONDS = 20.0
PATIENCE = 300.0
# Airflow 3.3 has stores of assets.
REMEMBERED = (
    "SELECT 1 FROM asset_state_store WHERE left(key, 9) = 'feed_told'"
    if hasattr(BaseEventTrigger, "shared_stream_key")
    else "SELECT 1 FROM variable WHERE left(key, 9) = 'feed_told'"
)


class NewsSite:
    """The pages of the sample site, and a feed that shows what was published."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.looks = 0
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = site._answer(self.path, self.headers["If-None-Match"])
                self.send_response(status)
                self.send_header("ETag", f'"{len(site.items)}"')
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def publish(self, title: str, page: str, *, before: timedelta = timedelta(0)) -> None:
        """Show one more entry."""
        date = (datetime.now(UTC) - before).strftime("%a, %d %b %Y %H:%M:%S GMT")
        link = f"<link>{self.url}/{page}</link>"
        self.items.insert(0, f"<item><title>{title}</title>{link}<pubDate>{date}</pubDate></item>")

    def _answer(self, path: str, known: str | None) -> tuple[int, bytes]:
        if path == "/feed.xml":
            self.looks += 1
            if known == f'"{len(self.items)}"':
                return 304, b""
            channel = f"<channel><title>News</title><language>en</language>{''.join(self.items)}</channel>"
            return 200, f'<rss version="2.0">{channel}</rss>'.encode()
        file = SITE / path.lstrip("/")
        if not file.is_file():
            return 404, b""
        if file.suffix != ".html":
            return 200, file.read_bytes()
        return 200, fill_placeholders(file.read_text("utf-8"), site=self.url, now=datetime.now(UTC)).encode()


@pytest.fixture
def news() -> Iterator[NewsSite]:
    site = NewsSite()
    site.publish("Old", "old.html", before=timedelta(days=2))
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def dags(tmp_path: Path) -> Path:
    """The example, switched on as its first lines say."""
    folder = tmp_path / "dags"
    folder.mkdir()
    for name in ("published_to_videos.py", "article_style.yaml"):
        text = (EXAMPLES / name).read_text("utf-8")
        (folder / name).write_text(text.replace("WATCHED = False", "WATCHED = True"), "utf-8")
    return folder


def test_what_is_published_becomes_one_video(
    news: NewsSite, dags: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    videos = tmp_path / "videos"
    videos.mkdir()

    def made() -> set[str]:
        return {file.name.partition("-")[0] for file in videos.glob("*.mp4")}

    with Emulator(process=True, job_seconds=JOB_SECONDS, allow_private_networks=True) as emulator:
        variables = {
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": emulator.connection_json,
            "AIRFLOW_VAR_ARTICLES_FEED_URL": f"{news.url}/feed.xml",
            "AIRFLOW_VAR_VIDEOS_FOLDER": str(videos),
        }
        with AirflowCluster("LocalExecutor", dags, {"published_to_videos"}, variables) as cluster:
            query = cluster.database.query
            until("what the first look remembers", lambda: query(REMEMBERED))

            def seconds_to_video(title: str, page: str) -> None:
                events = len(query("SELECT 1 FROM asset_event"))
                news.publish(title, page)
                start = time.monotonic()
                until("the event", lambda: len(query("SELECT 1 FROM asset_event")) > events)
                record_property(f"{title}: event", time.monotonic() - start)
                until("the video", lambda: title in made(), patience=PATIENCE)
                record_property(f"{title}: video", time.monotonic() - start)

            seconds_to_video("swifts", "city-swifts.html")
            seconds_to_video("mill", "tide-mill.html")
            [job_id] = cluster.triggerers
            cluster.kill_triggerer(job_id)
            news.publish("bread", "winter-bread.html")
            start = time.monotonic()
            cluster.add_triggerer()
            until("the video of what was published meanwhile", lambda: "bread" in made(), patience=PATIENCE)
            record_property("bread: video", time.monotonic() - start)
            until(
                "the end of all runs",
                lambda: not query("SELECT 1 FROM dag_run WHERE state NOT IN ('success', 'failed')"),
                patience=PATIENCE,
            )
        jobs = [job["video_name"].partition("-")[0] for job in emulator.admin.jobs()]
    assert made() == {"swifts", "mill", "bread"}
    assert {name: jobs.count(name) for name in jobs} == {"swifts": 2, "mill": 2, "bread": 2}
