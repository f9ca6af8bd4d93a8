"""Runs that a feed's trigger starts: each article goes to one of them, whatever Airflow does with the events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.operators.articles import FetchArticlesOperator

from .conftest import TONIGHT, Site

Fetch = Callable[..., Any]
PUBLISHED = "Sat, 21 Nov 2026 00:05:00 GMT"


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes after the event that the run has its moment of."""
    monkeypatch.setattr(FetchArticlesOperator, "now", staticmethod(lambda: TONIGHT + timedelta(minutes=10)))


def event(*links: str) -> Any:
    """What Airflow makes of an event of the trigger."""
    payload = {"feed_url": "-", "entries": [{"id": link, "url": link, "title": "T"} for link in links]}
    return SimpleNamespace(extra={"from_trigger": True, "payload": payload})


def urls(found: tuple[list[dict[str, Any]], Any]) -> list[str]:
    return [article["url"] for article in found[0]]


def test_a_run_takes_what_was_told_after_its_own_event_too(site: Site, fetch_articles: Fetch) -> None:
    """While a run is active, Airflow keeps the moment of the first event that waits, and drops the later ones."""
    link = f"{site.url}/tide-mill.html"
    feed = site.put_feed("/feed", link, date=PUBLISHED)
    assert urls(fetch_articles(feed_url=feed, run_type="asset_triggered")) == [link]


def test_a_scheduled_run_still_ends_when_it_was_due(site: Site, fetch_articles: Fetch) -> None:
    feed = site.put_feed("/feed", f"{site.url}/tide-mill.html", date=PUBLISHED)
    assert urls(fetch_articles(feed_url=feed)) == []


def test_what_was_told_twice_is_given_once(site: Site, fetch_articles: Fetch) -> None:
    link = f"{site.url}/tide-mill.html"
    feed = site.put_feed("/feed", link)
    events = {"news": [event(link)]}
    first = fetch_articles(feed_url=feed, run="1", run_type="asset_triggered", events=events)
    again = fetch_articles(feed_url=feed, run="2", run_type="asset_triggered", events=events)
    assert (urls(first), urls(again)) == ([link], [])


@pytest.mark.parametrize("date", ["", "Mon, 02 Nov 2026 08:00:00 GMT"])
def test_what_started_the_run_is_new_without_a_date_and_with_an_old_one(
    site: Site, fetch_articles: Fetch, date: str
) -> None:
    link, other = f"{site.url}/tide-mill.html", f"{site.url}/winter-bread.html"
    feed = site.put_feed("/feed", link, other, date=date)
    found = fetch_articles(feed_url=feed, run_type="asset_triggered", events={"news": [event(link)]})
    assert urls(found) == [link]


@pytest.mark.parametrize(
    "extra", [None, {}, {"payload": None}, {"payload": "ready"}, {"payload": {"entries": ["x", {"id": 5}]}}]
)
def test_events_of_others_tell_nothing(site: Site, fetch_articles: Fetch, extra: Any) -> None:
    feed = site.put_feed("/feed", f"{site.url}/tide-mill.html", date="")
    events = {"news": [SimpleNamespace(extra=extra)]}
    assert urls(fetch_articles(feed_url=feed, run_type="asset_triggered", events=events)) == []
