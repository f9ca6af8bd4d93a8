"""WatchedFeed on the wire: which address is asked for, and what a server may get wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from airflow_video_creation.hooks.articles.polite_fetch import PoliteFetcher
from airflow_video_creation.hooks.articles.watched_feed import ROBOTS_KEPT, WHOLE_AGAIN, WatchedFeed
from airflow_video_creation.provider.articles.feed import Feed, FeedEntry
from airflow_video_creation.provider.errors import ArticleError, VideoCreationError


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed's text is the title of its one entry, and needs no process to be read."""

    def run(self: Any, url: str, read: Any, body: bytes, /, **_: Any) -> Feed:
        if body == b"no feed":
            raise ArticleError("no feed")
        return Feed((FeedEntry(url, body.decode()),))

    monkeypatch.setattr("airflow_video_creation.hooks.articles.reading_process.ReadingProcess.run", run)
    monkeypatch.setattr(PoliteFetcher, "_wait_for", lambda self, url: None)


class Watched:
    """A feed at /feed.xml, without robots.txt."""

    def __init__(self, service: Any, clock: Any) -> None:
        self.service = service
        self.clock = clock
        self.feed = WatchedFeed(f"{service.url}/feed.xml", clock=clock.time)
        service.will("404", on="/robots.txt")

    def answers(self, path: str, status: int = 200, body: str = "", **headers: str) -> None:
        self.service.will(self.service.reply(status, body.encode(), **headers), on=path)

    def sees(self) -> str:
        """The title in the feed, or ``trouble``."""
        try:
            return self.feed.look().entries[0].title
        except VideoCreationError:
            return "trouble"

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for since the last look at them."""
        paths = [seen.path for seen in self.service.seen if seen.path != "/robots.txt"]
        self.service.seen.clear()
        return paths


@pytest.fixture
def watched(service: Any, clock: Any, quick: None) -> Iterator[Watched]:
    world = Watched(service, clock)
    yield world
    world.feed.end()


@pytest.mark.parametrize("status", [301, 308])
def test_an_address_that_has_moved_for_good_is_not_asked_again(watched: Watched, status: int) -> None:
    watched.answers("/feed.xml", status, location="/moved.xml")
    watched.answers("/moved.xml", body="news")
    assert [watched.sees(), watched.sees()] == ["news", "news"]
    assert watched.asked == ["/feed.xml", "/moved.xml", "/moved.xml"]


@pytest.mark.parametrize("status", [302, 303, 307])
def test_an_address_that_leads_elsewhere_for_now_is_asked_each_time(watched: Watched, status: int) -> None:
    watched.answers("/feed.xml", status, location="/moved.xml")
    watched.answers("/moved.xml", 301, location="/there.xml")
    watched.answers("/there.xml", body="news")
    assert [watched.sees(), watched.sees()] == ["news", "news"]
    assert watched.asked == ["/feed.xml", "/moved.xml", "/there.xml"] * 2


def test_of_several_redirects_those_before_the_first_passing_one_are_remembered(watched: Watched) -> None:
    watched.answers("/feed.xml", 301, location="/moved.xml")
    watched.answers("/moved.xml", 302, location="/there.xml")
    watched.answers("/there.xml", body="news")
    assert [watched.sees(), watched.sees()] == ["news", "news"]
    assert watched.asked == ["/feed.xml", "/moved.xml", "/there.xml", "/moved.xml", "/there.xml"]


@pytest.mark.parametrize(("status", "body"), [(404, ""), (410, ""), (503, ""), (200, "no feed")])
def test_trouble_at_the_new_address_leads_back_to_the_old_one(
    watched: Watched, status: int, body: str
) -> None:
    watched.answers("/feed.xml", 301, location="/moved.xml")
    watched.answers("/moved.xml", body="news")
    watched.sees()
    watched.answers("/moved.xml", status, body)
    watched.answers("/feed.xml", body="old news")
    assert [watched.sees(), watched.sees()] == ["trouble", "old news"]


def test_the_old_address_is_asked_again_once_a_day(watched: Watched) -> None:
    watched.answers("/feed.xml", 301, location="/moved.xml")
    watched.answers("/moved.xml", body="news")
    watched.sees()
    watched.answers("/feed.xml", body="old news")
    watched.clock.now += ROBOTS_KEPT + 1
    assert watched.sees() == "old news"


def test_a_private_address_is_never_taken_for_the_feeds(watched: Watched) -> None:
    inside = watched.service.url.replace("127.0.0.1", "127.0.0.2")
    watched.answers("/feed.xml", 301, location=f"{inside}/moved.xml")
    watched.answers("/moved.xml", body="secret")
    assert [watched.sees(), watched.sees()] == ["trouble", "trouble"]
    assert watched.asked == ["/feed.xml", "/feed.xml"]


def test_a_server_that_calls_everything_unchanged_is_asked_for_the_whole_feed_now_and_then(
    watched: Watched,
) -> None:
    watched.answers("/feed.xml", body="old", etag='"never changes"')
    assert watched.sees() == "old"
    watched.service.will("304", on="/feed.xml")
    assert watched.sees() == "old"
    watched.clock.now += WHOLE_AGAIN + 1
    watched.answers("/feed.xml", body="new", etag='"never changes"')
    assert watched.sees() == "new"
    assert "if-none-match" not in watched.service.seen[-1].headers
