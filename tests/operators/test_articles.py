"""FetchArticlesOperator against a web server of this machine: what is new, what is left out, what fails."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation import example_dags
from airflow_video_creation.example_dags.sample_site.placeholders import fill_placeholders
from airflow_video_creation.hooks import article_fetch
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.provider.protocol.errors import ArticleError, ConfigurationError

SAMPLE_SITE = Path(str(example_dags.__file__)).parent / "sample_site"
TONIGHT = datetime(2026, 11, 21, tzinfo=UTC)
HOUR = timedelta(hours=1)

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


def run(
    operator: FetchArticlesOperator,
    *,
    run_after: datetime = TONIGHT,
    run_type: str = "scheduled",
    last_success: datetime | None = None,
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Run a task as Airflow would; return its articles and what it left out, as they come out of XCom."""
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
    result = operator.execute(context)
    return json.loads(json.dumps(result)), json.loads(json.dumps(pushed["left_out"]))


def feed_of(*links: str, date: str = "Fri, 20 Nov 2026 22:00:00 GMT") -> str:
    items = (f"<item><title>T</title><link>{link}</link><pubDate>{date}</pubDate></item>" for link in links)
    return f'<rss version="2.0"><channel><title>Feed</title>{"".join(items)}</channel></rss>'


@pytest.mark.parametrize("name", ["feed.xml", "atom.xml"])
def test_a_night_reads_what_is_new_oldest_first(site: Site, name: str) -> None:
    articles, left_out = run(FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/{name}"))

    assert left_out == []
    assert [article["url"] for article in articles] == [
        f"{site.url}/{page}.html" for page in ("winter-bread", "city-swifts", "tide-mill")
    ]
    last = articles[-1]
    assert last["title"] == "After 140 years, the tide mill makes electricity again"
    assert last["published"] == "2026-11-20T22:00:00+00:00"
    assert last["author"] == "Marguerite Vallé"
    assert last["language"] == "en-GB"
    assert last["picture"] == f"{site.url}/tide-mill.jpg"
    assert last["text"].startswith("At eleven minutes past six")
    assert {agent for _, agent in site.requests} == {article_fetch.USER_AGENT}


@pytest.mark.parametrize(
    ("run_type", "last_success", "lookback", "pages"),
    [
        ("scheduled", TONIGHT - 6 * HOUR, timedelta(days=1), ["city-swifts", "tide-mill"]),
        ("scheduled", TONIGHT - HOUR, timedelta(days=1), []),
        ("scheduled", None, timedelta(hours=3), ["tide-mill"]),
        ("manual", None, "PT6H", ["city-swifts", "tide-mill"]),
        ("manual", TONIGHT - HOUR, 3 * 3600, ["tide-mill"]),
        ("manual", TONIGHT - 6 * HOUR, 3 * 3600, ["city-swifts", "tide-mill"]),
        ("asset_triggered", None, "PT3H", ["tide-mill"]),
    ],
)
def test_new_is_what_was_published_since_the_last_successful_run(
    site: Site, run_type: str, last_success: datetime | None, lookback: Any, pages: list[str]
) -> None:
    operator = FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/feed.xml", lookback=lookback)
    articles, _ = run(operator, run_type=run_type, last_success=last_success)
    assert [article["url"] for article in articles] == [f"{site.url}/{page}.html" for page in pages]


def test_a_run_for_an_earlier_night_takes_nothing_of_a_later_one(site: Site) -> None:
    operator = FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/feed.xml")
    articles, _ = run(operator, run_after=TONIGHT - 4 * HOUR, last_success=TONIGHT - 6 * HOUR)
    assert [article["url"] for article in articles] == [f"{site.url}/city-swifts.html"]


def test_the_newest_are_kept_when_there_are_too_many(site: Site) -> None:
    articles, left_out = run(
        FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/feed.xml", max_articles=1)
    )
    assert [article["url"] for article in articles] == [f"{site.url}/tide-mill.html"]
    assert [entry["url"] for entry in left_out] == [
        f"{site.url}/winter-bread.html",
        f"{site.url}/city-swifts.html",
    ]
    assert "max_articles=1" in left_out[0]["reason"]


def test_pages_can_be_given_by_address(site: Site) -> None:
    urls = [f"{site.url}/{page}.html" for page in ("tide-mill", "winter-bread", "tide-mill", "city-swifts")]
    articles, left_out = run(FetchArticlesOperator(task_id="fetch", urls=urls, max_articles=2))
    assert [article["url"] for article in articles] == urls[:2]
    assert [entry["url"] for entry in left_out] == [urls[3]]


def test_one_bad_article_stops_no_other(site: Site) -> None:
    links = [
        site.put("/empty.html", "<html><body><p>Loading…</p></body></html>"),
        f"{site.url}/gone.html",
        "http://127.0.0.1:1/refused.html",
        f"{site.url}/tide-mill.html",
    ]
    site.put("/mixed.xml", feed_of(*links))

    articles, left_out = run(FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/mixed.xml"))

    assert [article["url"] for article in articles] == [links[3]]
    assert [entry["url"] for entry in left_out] == links[:3]
    for entry, words in zip(left_out, ["No article text", "answered 404", "connection refused"], strict=True):
        assert words in entry["reason"]
        assert entry["url"] in entry["reason"]


def test_an_entry_without_a_date_is_left_out_and_said(site: Site) -> None:
    undated = f"<item><title>T</title><link>{site.url}/tide-mill.html</link></item>"
    site.put(
        "/some.xml", feed_of(f"{site.url}/city-swifts.html").replace("</channel>", undated + "</channel>")
    )
    articles, left_out = run(FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/some.xml"))
    assert [article["url"] for article in articles] == [f"{site.url}/city-swifts.html"]
    assert left_out == [
        {
            "url": f"{site.url}/tide-mill.html",
            "reason": "the feed gives no date, whether it is new cannot be told.",
        }
    ]


def test_redirects_are_followed_and_the_feeds_address_is_kept(site: Site) -> None:
    moved = site.put("/old.html", "", status=301, Location="/tide-mill.html")
    ((article,), _) = run(FetchArticlesOperator(task_id="fetch", urls=[moved]))
    assert article["url"] == moved
    assert article["picture"] == f"{site.url}/tide-mill.jpg"


def test_the_charset_of_the_header_counts(site: Site) -> None:
    text = "Le café de la gare est fermé depuis l'été, et personne ne sait s'il rouvrira avant Noël. " * 3
    html = f"<html><head><title>T</title></head><body><article><p>{text}</p></article></body></html>"
    url = site.put("/fr.html", html.encode("latin-1"), Content_Type="text/html; charset=ISO-8859-1")
    ((article,), _) = run(FetchArticlesOperator(task_id="fetch", urls=[url]))
    assert "fermé depuis l'été" in article["text"]


def test_a_user_name_and_password_stay_out_of_xcom_and_messages(site: Site) -> None:
    secret = site.url.replace("://", "://reader:hunter2@")
    site.put("/relative.xml", feed_of("/tide-mill.html", "/gone.html"))
    outcome = run(FetchArticlesOperator(task_id="fetch", feed_url=f"{secret}/relative.xml"))
    assert "hunter2" not in json.dumps(outcome)
    assert len(outcome[0]) == 1
    with pytest.raises(ArticleError) as caught:
        run(FetchArticlesOperator(task_id="fetch", urls=[f"{secret}/gone.html"]))
    assert "hunter2" not in str(caught.value)


def test_a_query_stays_out_of_left_out_logs_and_errors(site: Site, log: Any) -> None:
    links = [f"{site.url}/{page}.html?key=s3cr3t" for page in ("gone", "empty", "tide-mill")]
    site.put("/empty.html?key=s3cr3t", "<html><body><p>Loading…</p></body></html>")
    site.put("/tide-mill.html?key=s3cr3t", site.pages["/tide-mill.html"][2])
    site.put("/keyed.xml?key=s3cr3t", feed_of(*links))

    articles, left_out = run(
        FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/keyed.xml?key=s3cr3t")
    )

    assert [article["url"] for article in articles] == links[2:]
    assert [entry["url"] for entry in left_out] == [
        f"{site.url}/{page}.html?***" for page in ("gone", "empty")
    ]
    assert "s3cr3t" not in json.dumps(left_out)
    assert "Left out: " in log()
    assert "s3cr3t" not in log()
    site.put("/keyed.xml?key=s3cr3t", "<html>")
    with pytest.raises(ArticleError) as caught:
        run(FetchArticlesOperator(task_id="fetch", feed_url=f"{site.url}/keyed.xml?key=s3cr3t"))
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "says", "retryable"),
    [
        ("{site}/no-such-feed.xml", "answered 404", False),
        ("{site}/tide-mill.html", "is not an RSS or Atom feed", False),
        ("{site}/hollow.xml", "is empty", False),
        ("{site}/undated.xml", "has a date that can be read", False),
        ("{site}/round.xml", "redirects without end", False),
        ("{site}/huge.xml", "is larger than", False),
        ("{site}/busy.xml", "answered 503", True),
        ("{site}/cut.xml", "cannot be reached", True),
        ("http://127.0.0.1:1/feed.xml", "connection refused", True),
        ("http://no-such-host.invalid/feed.xml", "cannot be reached", True),
        ("www.example.com/feed.xml", "is no address", False),
        ("file:///etc/passwd", "is no address", False),
        ("http://", "is no address", False),
        ("http://a..b/feed.xml", "is no address", False),
    ],
)
def test_a_feed_that_cannot_be_read_fails_with_one_sentence(
    site: Site, monkeypatch: pytest.MonkeyPatch, address: str, says: str, retryable: bool
) -> None:
    monkeypatch.setattr(article_fetch, "LARGEST_ANSWER", 1 << 20)
    site.put("/hollow.xml", feed_of())
    site.put("/undated.xml", feed_of(f"{site.url}/tide-mill.html", date=""))
    site.put("/round.xml", "", status=302, Location="/round.xml")
    site.put("/huge.xml", b"<rss>" + b" " * (1 << 20))
    site.put("/busy.xml", "", status=503)
    site.put("/cut.xml", "<rss>", Content_Length="1000")
    url = address.format(site=site.url)

    with pytest.raises(ArticleError) as caught:
        run(FetchArticlesOperator(task_id="fetch", feed_url=url))

    assert isinstance(caught.value, AirflowException)
    assert isinstance(caught.value, AirflowFailException) is not retryable
    assert url in str(caught.value)
    assert str(caught.value).endswith(".")
    assert says in str(caught.value)


def test_a_site_that_drips_cannot_hold_the_task(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(article_fetch, "TOTAL_TIMEOUT", 0.1)
    site.put("/drips.html", "<html>")
    with pytest.raises(ArticleError, match=r"sent no whole answer within 0\.1 s"):
        run(FetchArticlesOperator(task_id="fetch", urls=[f"{site.url}/drips.html"]))


def test_the_task_fails_when_no_article_can_be_read(site: Site) -> None:
    urls = [f"{site.url}/gone.html", f"{site.url}/gone-too.html"]
    with pytest.raises(AirflowFailException, match=r"None of 2 articles could be read.*answered 404"):
        run(FetchArticlesOperator(task_id="fetch", urls=urls))


def test_a_missing_extra_fails_the_task_and_says_how_to_install_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(
        AirflowFailException, match=r"pip install 'airflow-provider-video-creation\[articles\]'"
    ):
        run(FetchArticlesOperator(task_id="fetch", urls=[f"{site.url}/tide-mill.html"]))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "Task 'fetch' needs one of feed_url= and urls=; neither"),
        ({"feed_url": "https://example.com/feed.xml", "urls": []}, "both were given"),
        ({"urls": ["https://example.com/a"], "max_articles": 0}, "max_articles=0"),
    ],
)
def test_wrong_arguments_are_refused_when_the_dag_is_parsed(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        FetchArticlesOperator(task_id="fetch", **arguments)
    assert isinstance(caught.value, AirflowFailException)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"urls": "https://example.com/a"}, "urls= as one string"),
        ({"lookback": "a week"}, "lookback='a week'"),
    ],
)
def test_wrong_values_of_templates_fail_the_task(site: Site, arguments: dict[str, Any], says: str) -> None:
    given = {"feed_url": f"{site.url}/feed.xml"} if "urls" not in arguments else {}
    with pytest.raises(AirflowFailException, match=says):
        run(FetchArticlesOperator(task_id="fetch", **given, **arguments))


def test_importing_the_operator_imports_nothing_heavy() -> None:
    program = (
        "import sys; import airflow.providers.common.compat.sdk as sdk; sdk.BaseOperator; before = set(sys.modules);"
        "import airflow_video_creation.operators.articles; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    added = {name.split(".")[0] for name in done.stdout.split()}
    assert not added & {"requests", "feedparser", "trafilatura", "sentencex", "lxml", "pydantic", "aiohttp"}
