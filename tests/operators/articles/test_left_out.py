"""FetchArticlesOperator against a web server of this machine: what is left out, what fails, what stays secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.hooks.articles import fetch as article_fetch
from airflow_video_creation.hooks.articles import reading_process
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.provider.articles.page import SHORTEST_TEXT
from airflow_video_creation.provider.errors import ArticleError

from ...told_errors import raises_telling, told


def test_one_bad_article_stops_no_other(site: Any, fetch_articles: Callable[..., Any]) -> None:
    links = [
        site.put("/empty.html", "<html><body><p>Loading…</p></body></html>"),
        f"{site.url}/gone.html",
        "http://127.0.0.1:1/refused.html",
        f"{site.url}/tide-mill.html",
    ]
    site.put_feed("/mixed.xml", *links)

    articles, left_out = fetch_articles(feed_url=f"{site.url}/mixed.xml")

    assert [article["url"] for article in articles] == [links[3]]
    assert [entry["url"] for entry in left_out] == links[:3]
    told = [
        "it has no article text",
        "it answered 404",
        "it was not requested, since it is not known whether",
    ]
    for entry, words in zip(left_out, told, strict=True):
        assert entry["reason"].startswith(words)
        assert entry["url"] not in entry["reason"]
        assert entry["title"] == "T"


def test_an_entry_without_a_date_is_left_out_and_said(site: Any, fetch_articles: Callable[..., Any]) -> None:
    undated = f"<item><title>T</title><link>{site.url}/tide-mill.html</link></item>"
    site.put_feed("/some.xml", f"{site.url}/city-swifts.html", more=undated)
    articles, left_out = fetch_articles(feed_url=f"{site.url}/some.xml")
    assert [article["url"] for article in articles] == [f"{site.url}/city-swifts.html"]
    [entry] = left_out
    assert entry["url"] == f"{site.url}/tide-mill.html"
    assert "the feed gives no date and this is the first poll" in entry["reason"]
    assert entry["kind"] == "other"


def test_without_a_memory_a_feed_needs_dates(site: Any, fetch_articles: Callable[..., Any]) -> None:
    feed = site.put_feed("/undated.xml", f"{site.url}/tide-mill.html", date="")
    with raises_telling(AirflowFailException, rf"No entry of {feed} has a date .* Use remember=True"):
        fetch_articles(feed_url=feed, remember=False)


def test_a_user_name_and_password_stay_out_of_xcom_and_messages(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    secret = site.url.replace("://", "://reader:hunter2@")
    site.put_feed("/relative.xml", "/tide-mill.html", "/gone.html")
    outcome = fetch_articles(feed_url=f"{secret}/relative.xml")
    assert "hunter2" not in json.dumps(outcome)
    assert len(outcome[0]) == 1
    with pytest.raises(ArticleError) as caught:
        fetch_articles(urls=[f"{secret}/gone.html"])
    assert "hunter2" not in str(caught.value)


def test_a_query_stays_out_of_left_out_logs_and_errors(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    links = [f"{site.url}/{page}.html?key=s3cr3t" for page in ("gone", "empty", "tide-mill")]
    site.put("/empty.html?key=s3cr3t", "<html><body><p>Loading…</p></body></html>")
    site.put("/tide-mill.html?key=s3cr3t", site.pages["/tide-mill.html"][2])
    site.put_feed("/keyed.xml?key=s3cr3t", *links)

    articles, left_out = fetch_articles(feed_url=f"{site.url}/keyed.xml?key=s3cr3t")

    assert [article["url"] for article in articles] == links[2:]
    assert [entry["url"] for entry in left_out] == [
        f"{site.url}/{page}.html?***" for page in ("gone", "empty")
    ]
    assert "s3cr3t" not in json.dumps(left_out)
    assert "Left out: " in log()
    assert "s3cr3t" not in log()
    site.put("/keyed.xml?key=s3cr3t", "<html>")
    with pytest.raises(ArticleError) as caught:
        fetch_articles(feed_url=f"{site.url}/keyed.xml?key=s3cr3t", run="the next")
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "says", "retryable"),
    [
        ("{site}/no-such-feed.xml", "answered 404", False),
        ("{site}/tide-mill.html", "is not an RSS or Atom feed", False),
        ("{site}/hollow.xml", "is empty", False),
        ("{site}/round.xml", "redirects endlessly", False),
        ("{site}/huge.xml", "is larger than", False),
        ("{site}/busy.xml", "answered 503", True),
        ("{site}/cut.xml", "cannot be reached", True),
        ("http://127.0.0.1:1/feed.xml", "connection refused", True),
        ("http://no-such-host.invalid/feed.xml", "cannot be reached", True),
        ("{site}/to-nowhere.xml", "an address that can be fetched", False),
        ("www.example.com/feed.xml", "an address that can be fetched", False),
        ("file:///etc/passwd", "an address that can be fetched", False),
        ("http://", "an address that can be fetched", False),
        ("http://[::1", "an address that can be fetched", False),
        ("http://a..b/feed.xml", "an address that can be fetched", False),
    ],
)
def test_a_feed_that_cannot_be_read_fails_with_one_sentence(
    site: Any,
    fetch_articles: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    says: str,
    retryable: bool,
) -> None:
    monkeypatch.setattr(article_fetch, "MAX_ANSWER", 1 << 20)
    site.put_feed("/hollow.xml")
    site.put("/round.xml", "", status=302, Location="/round.xml")
    site.put("/to-nowhere.xml", "", status=302, Location="http://[::1")
    site.put("/huge.xml", b"<rss>" + b" " * (1 << 20))
    site.put("/busy.xml", "", status=503)
    site.put("/cut.xml", "<rss>", Content_Length="1000")
    url = address.format(site=site.url)

    with pytest.raises(ArticleError) as caught:
        fetch_articles(feed_url=url)

    assert isinstance(caught.value, AirflowException)
    assert isinstance(caught.value, AirflowFailException) is not retryable
    assert url in told(caught.value)
    assert told(caught.value).endswith(".")
    assert says in told(caught.value)


def test_a_site_that_drips_cannot_hold_the_task(
    site: Any, fetch_articles: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(article_fetch, "TOTAL_TIMEOUT", 0.1)
    site.put("/drips.html", "<html>")
    with raises_telling(ArticleError, r"sent no complete answer within 0\.1 s"):
        fetch_articles(urls=[f"{site.url}/drips.html"])


def test_a_page_that_is_shorter_than_the_author_wants_is_left_out(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    sentence = "High water is at 11:52, and again at midnight."
    short = site.put("/short.html", f"<html><body><article><p>{sentence}</p></article></body></html>")
    feed = site.put_feed("/short.xml", short)

    with pytest.raises(AirflowFailException, match="shortest_text"):
        fetch_articles(urls=[short])
    [article], _ = fetch_articles(urls=[short], shortest_text=20)
    assert article["text"] == sentence
    [article], _ = fetch_articles(feed_url=feed, shortest_text=20)
    assert article["text"] == sentence
    [article], [left] = fetch_articles(urls=[short, f"{site.url}/tide-mill.html"], shortest_text=1000)
    assert article["url"] == f"{site.url}/tide-mill.html"
    assert "at least 1000 characters" in left["reason"]


def test_what_counts_as_short_is_the_readers_own_rule_by_default() -> None:
    assert signature(FetchArticlesOperator).parameters["shortest_text"].default == SHORTEST_TEXT


def test_a_page_that_is_slow_to_read_stops_no_other(
    site: Any, fetch_articles: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "MAX_CPU_SECONDS", 2.0)
    body = site.pages["/tide-mill.html"][2].partition(b"</article>")[0]
    slow = site.put("/slow.html", body + b"<p>x" * 60_000)

    articles, left_out = fetch_articles(urls=[slow, f"{site.url}/tide-mill.html"])

    assert [article["url"] for article in articles] == [f"{site.url}/tide-mill.html"]
    [entry] = left_out
    assert "Reading it takes more than 2 s of computing" in entry["reason"]


def test_a_feed_in_a_charset_that_does_not_exist_fails_the_task(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    feed = site.put("/odd.xml", "<rss>", Content_Type="application/xml; charset=undefined")

    with raises_telling(AirflowFailException, r"odd\.xml cannot be read as a feed \(UnicodeError\)"):
        fetch_articles(feed_url=feed)


def test_the_task_fails_when_no_article_can_be_read(site: Any, fetch_articles: Callable[..., Any]) -> None:
    urls = [f"{site.url}/gone.html", f"{site.url}/gone-too.html"]
    with raises_telling(AirflowFailException, r"None of 2 articles could be read.*answered 404"):
        fetch_articles(urls=urls)


def test_a_missing_extra_fails_the_task_and_says_how_to_install_it(
    site: Any, fetch_articles: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "trafilatura.py").write_text("raise ModuleNotFoundError('not here', name='trafilatura')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with raises_telling(AirflowFailException, r"pip install 'airflow-provider-video-creation\[articles\]'"):
        fetch_articles(urls=[f"{site.url}/tide-mill.html"])
