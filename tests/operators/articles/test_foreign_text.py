"""FetchArticlesOperator on what others wrote to break it: one bad entry stops no other, and XCom can hold the rest."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.articles import sources as article_sources
from airflow_video_creation.provider.text.readable_text import NOT_READABLE

from ...told_errors import raises_telling
from .conftest import TONIGHT

SOON = datetime.now(UTC) + timedelta(hours=1)
TEXT = "The council of the city has decided that the bridge will be repaired. " * 3


def test_a_link_that_is_no_address_stops_no_other_article(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    moved = site.put("/moved.html", "", status=302, Location="http://[v1.a:b]/x")
    feed = site.put_feed("/odd.xml", "http://[v1.a:b]/x", moved, f"{site.url}/tide-mill.html")
    articles, left_out = fetch_articles(feed_url=feed)
    assert [article["url"] for article in articles] == [f"{site.url}/tide-mill.html"]
    assert [entry["url"] for entry in left_out] == ["http://[v1.a:b]/x", moved]


def test_an_error_that_nobody_thought_of_stops_no_other_article(
    site: Any, fetch_articles: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_page = article_sources.read_web_page

    def breaks(fetcher: Any, reader: Any, entry: Any, language: Any, **options: Any) -> Any:
        if entry.url.endswith("tide-mill.html"):
            raise RuntimeError("s3cr3t")
        return read_page(fetcher, reader, entry, language, **options)

    monkeypatch.setattr(article_sources, "read_web_page", breaks)
    articles, [left] = fetch_articles(feed_url=f"{site.url}/feed.xml")
    assert len(articles) == 2
    assert left["url"] == f"{site.url}/tide-mill.html"
    assert "RuntimeError" in left["reason"]
    assert "s3cr3t" not in left["reason"]
    with raises_telling(AirflowFailException, r"None of 1 articles could be read\..*RuntimeError"):
        fetch_articles(urls=[f"{site.url}/tide-mill.html"])


def test_characters_that_xcom_cannot_hold_do_not_reach_it(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    body = (
        '<html lang="e&#1;n"><head><meta name="author" content="An\x1bna"><script type="application/ld+json">'
        r'{"@context":"https://schema.org","@type":"NewsArticle","author":{"name":"An\u0000na \ud800 Bo"}}'
        f"</script></head><body><article><p>{TEXT}\x01\x1b[31m</p></article></body></html>"
    )
    page = site.put("/odd.html", body)
    feed = site.put(
        "/odd.xml",
        '<rss version="2.0"><channel><title>F</title><item><title>A&amp;#0;B\x1b &amp;#xD800;\0</title>'
        f"<link>{page}</link><pubDate>Fri, 20 Nov 2026 22:00:00 GMT</pubDate></item></channel></rss>",
    )
    [article], _ = fetch_articles(feed_url=feed)
    assert not any(NOT_READABLE.search(value) for value in article.values() if value)
    json.dumps(article, ensure_ascii=False).encode()


def test_file_names_and_texts_that_are_not_utf_8(tmp_path: Path, fetch_articles: Callable[..., Any]) -> None:
    (tmp_path / os.fsdecode(b"mill \xff.txt")).write_text(f"A title\n{TEXT}")
    (tmp_path / "nul.txt").write_text(f"A title\n{TEXT}\0")
    [article], [left] = fetch_articles(files=f"{tmp_path}/", run_after=SOON)
    assert article["url"] == f"file://{tmp_path}/mill %FF.txt"
    assert left["url"].endswith("/nul.txt")
    assert "is not a text in UTF-8" in left["reason"]


def test_what_is_left_out_can_be_stored_too(
    site: Any, tmp_path: Path, fetch_articles: Callable[..., Any]
) -> None:
    (tmp_path / os.fsdecode(b"\xff.txt")).write_text("short")
    (tmp_path / "a.txt").write_text(f"A title\n{TEXT}")
    _, [left] = fetch_articles(files=f"{tmp_path}/", run_after=SOON)
    assert left["url"] == f"file://{tmp_path}/%FF.txt"
    assert left["reason"].startswith("it holds no article")


def test_an_odd_etag_does_not_stop_the_next_run(site: Any, fetch_articles: Callable[..., Any]) -> None:
    feed = site.put_feed("/odd.xml", f"{site.url}/tide-mill.html", ETag="\xa0abc")
    assert len(fetch_articles(feed_url=feed)[0]) == 1
    assert fetch_articles(feed_url=feed, run="next", run_after=TONIGHT + timedelta(hours=1)) == ([], [])
