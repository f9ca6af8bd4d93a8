"""FetchArticlesOperator and a page that is busy while others can be read: the next runs try it again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from .conftest import TONIGHT

DAY = timedelta(days=1)


def pages(articles: list[dict[str, Any]]) -> list[str]:
    return [article["url"].rpartition("/")[2].removesuffix(".html") for article in articles]


def busy_feed(site: Any) -> str:
    busy = site.put("/busy.html", "", status=503)
    feed: str = site.put_feed(
        "/own.xml", f"{site.url}/tide-mill.html", busy, f"{site.url}/gone.html", ETag='"1"'
    )
    return feed


def test_a_busy_page_is_the_next_runs(site: Any, fetch_articles: Callable[..., Any], log: Any) -> None:
    feed = busy_feed(site)
    first, left_out = fetch_articles(feed_url=feed, run="monday")
    assert pages(first) == ["tide-mill"]
    assert {entry["url"].rpartition("/")[2]: entry["kind"] for entry in left_out} == {
        "busy.html": "later",
        "gone.html": "wrong",
    }
    assert ["The next run tries" in entry["reason"] for entry in left_out] == [False, True]

    site.put("/busy.html", site.pages["/city-swifts.html"][2])
    second, left_out = fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY)
    assert (pages(second), left_out) == (["busy"], [])
    assert "Took over what earlier runs could not read: monday" in log()
    # What was read stays with its run.
    assert pages(fetch_articles(feed_url=feed, run="monday")[0]) == ["tide-mill"]
    assert pages(fetch_articles(feed_url=feed, run="tuesday")[0]) == ["busy"]
    assert fetch_articles(feed_url=feed, run="wednesday", run_after=TONIGHT + 2 * DAY)[0] == []


def test_a_cleared_run_may_read_it_before_the_next(site: Any, fetch_articles: Callable[..., Any]) -> None:
    feed = busy_feed(site)
    fetch_articles(feed_url=feed, run="monday")
    site.put("/busy.html", site.pages["/city-swifts.html"][2])
    assert pages(fetch_articles(feed_url=feed, run="monday")[0]) == ["tide-mill", "busy"]
    assert fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY)[0] == []


def test_a_page_that_stays_busy_is_given_up_after_three_runs(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    feed = busy_feed(site)
    told = []
    for day in range(5):
        site.put(f"/new-{day}.html", site.pages["/city-swifts.html"][2])
        links = [f"{site.url}/new-{day}.html", f"{site.url}/busy.html"]
        date = (TONIGHT + (day - 0.1) * DAY).strftime("%a, %d %b %Y %H:%M:%S GMT")
        site.put_feed("/own.xml", *links, date=date)
        articles, left_out = fetch_articles(feed_url=feed, run=str(day), run_after=TONIGHT + day * DAY)
        assert pages(articles) == [f"new-{day}"]
        told += [entry["reason"] for entry in left_out]
    assert ["The next run tries" in reason for reason in told] == [True, True, False, False]
    assert "given up" in told[-1]
