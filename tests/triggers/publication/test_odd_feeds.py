"""A feed that is odd, in trouble or gone is waited for quietly: asked more seldom, told once, and nothing is lost."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

import pytest

from airflow_video_creation.hooks.articles import watched_feed
from airflow_video_creation.triggers.publication import feed_stream, teller

from .conftest import Watching


async def lost_nothing(watching: Watching) -> None:
    """The feed is back, with one entry more: it is told."""
    watching.shows("new", "old")
    await watching.looks()
    assert watching.told == ["new"]


async def watched(watching: Watching, **arguments: Any) -> None:
    """The first look was good."""
    watching.shows("old")
    watching.watch(**arguments)
    await watching.looked()
    watching.service.seen.clear()


async def test_an_unchanged_feed_costs_one_request_and_no_answer(watching: Watching) -> None:
    watching.shows("old", ETag='"1"', Last_Modified="Sun, 22 Nov 2026 11:00:00 GMT")
    watching.watch()
    await watching.looked()
    watching.service.seen.clear()
    watching.service.will("304", on="/feed.xml")
    await watching.looks()
    (request,) = watching.service.seen
    assert request.headers["if-none-match"] == '"1"'
    assert request.headers["if-modified-since"] == "Sun, 22 Nov 2026 11:00:00 GMT"
    await lost_nothing(watching)


async def test_a_feed_that_moves_is_followed_and_its_new_address_told_once(
    watching: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    await watched(watching)
    watching.shows("new", "old")
    there = watching.service._answers["/feed.xml"]
    watching.service.will(watching.service.reply(301, location="/moved.xml"), on="/feed.xml")
    watching.service._answers["/moved.xml"] = there
    await watching.looks()
    await watching.looks()
    assert watching.told == ["new"]
    assert [r.message for r in caplog.records if "change feed_url" in r.message] == [
        f"{watching.url} now redirects to {watching.service.url}/moved.xml, which is read instead. If the feed has "
        "moved permanently, change feed_url."
    ]


@pytest.mark.parametrize("answer", ["404", "410", "500", "503", "reset", "truncated", "html"])
async def test_a_feed_in_trouble_is_asked_more_seldom_and_that_is_told_once(
    watching: Watching, caplog: pytest.LogCaptureFixture, answer: str
) -> None:
    await watched(watching)
    watching.service.will(answer, on="/feed.xml")
    waits = [await watching.looks() for _ in range(4)]
    assert waits == [120, 240, 480, 960]
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1
    assert len([path for path in watching.asked if path == "/feed.xml"]) == 4, "one try a look"
    await lost_nothing(watching)


async def test_a_busy_site_is_left_alone_for_as_long_as_it_wants(watching: Watching) -> None:
    await watched(watching)
    watching.service.will(watching.service.reply(429, retry_after="5000"), on="/feed.xml")
    assert await watching.looks() == 5000
    assert watching.asked == ["/feed.xml"]
    await lost_nothing(watching)


async def test_what_robots_txt_forbids_is_not_asked_for(
    watching: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    watching.service.will(watching.service.reply(200, b"User-agent: *\nDisallow: /"), on="/robots.txt")
    watching.shows("old")
    watching.watch()
    assert await watching.looked() == 120
    assert watching.asked == ["/robots.txt"]
    assert "robots.txt of 127.0.0.1 forbids it" in caplog.text


async def test_robots_txt_is_read_once_and_not_at_every_look(watching: Watching) -> None:
    await watched(watching)
    for _ in range(3):
        await watching.looks()
    assert watching.asked == ["/feed.xml"] * 3


@pytest.mark.parametrize(
    ("channel", "headers", "seconds"),
    [("<ttl>30</ttl>", {}, 1800), ("", {"Cache-Control": "max-age=300"}, 300), ("<ttl>0</ttl>", {}, 60)],
)
async def test_the_feeds_own_wish_counts_unless_the_author_may_ask_more_often(
    watching: Watching, channel: str, headers: dict[str, str], seconds: float
) -> None:
    watching.shows("old", channel=channel, **headers)
    watching.watch()
    assert await watching.looked() == seconds
    await watching.restart(respect_ttl=False)
    assert await watching.looked() == 60


async def test_broken_xml_is_read_as_far_as_it_goes(watching: Watching) -> None:
    await watched(watching)
    watching.shows("new", "old")
    whole = watching.service._answers["/feed.xml"][0].body
    watching.service.will(watching.service.reply(200, whole[:-30]), on="/feed.xml")
    await watching.looks()
    assert watching.told == ["new"]


async def test_an_empty_feed_is_waited_for(watching: Watching) -> None:
    watching.shows()
    watching.watch()
    assert await watching.looked() == 60
    watching.shows("first")
    await watching.looks()
    assert watching.told == ["first"]


async def test_a_feed_that_is_too_large_is_one_clear_sentence(
    watching: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    await watched(watching)
    watching.service.will(watching.service.reply(200, b" " * (11 << 20)), on="/feed.xml")
    assert await watching.looks() == 120
    assert "is larger than 10 MiB" in caplog.text
    await lost_nothing(watching)


async def test_what_is_on_the_wire_is_not_waited_for_when_the_watcher_is_stopped(watching: Watching) -> None:
    """The fixture sees that no thread is left."""
    await watched(watching)
    watching.service.asked.clear()
    watching.service.will("drip", on="/feed.xml")
    watching.gate.release()
    await asyncio.to_thread(watching.service.asked.wait, 10)
    start = time.monotonic()
    await watching.triggerer.stop()
    assert time.monotonic() - start < 4, "a wait of its own would be 5 s, the site's a minute"


async def test_a_site_that_drips_leaves_no_thread_behind(
    watching: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    await watched(watching)
    monkeypatch.setattr("airflow_video_creation.hooks.articles.fetch.TOTAL_TIMEOUT", 0.3)
    watching.service.will("drip", on="/feed.xml")
    assert [await watching.looks() for _ in range(3)] == [120, 240, 480]
    while left := [thread for thread in threading.enumerate() if "article" in thread.name]:
        await asyncio.to_thread(left[0].join, 5)


async def test_what_is_news_is_worked_out_beside_the_loop_and_not_at_all_while_nothing_changes(
    watching: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10,000 entries would hold all other triggers for half a second, at every look."""
    threads = []
    work_out = teller.news

    def noted(*arguments: Any, **named: Any) -> Any:
        threads.append(threading.current_thread())
        return work_out(*arguments, **named)

    monkeypatch.setattr(teller, "news", noted)
    await watched(watching)
    for _ in range(3):
        await watching.looks()
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    await lost_nothing(watching)


async def test_what_waits_for_its_time_is_news_then_though_the_feed_is_unchanged(watching: Watching) -> None:
    await watched(watching)
    now, watching.now = watching.now, watching.now + 15 * 3600
    watching.shows("planned", "old")
    watching.now = now
    await watching.looks()
    assert watching.told == []
    watching.now = now + 2 * 3600
    await watching.looks()
    assert watching.told == ["planned"]


async def test_watchers_that_begin_together_look_by_turns(
    watching: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To begin 200 threads at once would hold the loop for seconds."""
    monkeypatch.setattr(feed_stream, "LOOKS_AT_ONCE", 2)
    under_way = most = 0

    class Slow(feed_stream.WatchedFeed):
        def look(self) -> Any:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            try:
                return super().look()
            finally:
                under_way -= 1

    monkeypatch.setattr(feed_stream, "WatchedFeed", Slow)
    watching.service.will("404", on="/feed.xml")
    for number in range(6):
        watching.watch(poll_interval=60 + number)
    waits = [await watching.looked() for _ in range(6)]
    assert sorted(waits) == [120, 122, 124, 126, 128, 130]
    assert most == 2


async def test_few_feeds_are_parsed_at_once_and_one_that_hangs_holds_no_other(
    watching: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 watchers that begin together would be 200 processes."""
    monkeypatch.setattr(watched_feed, "MAX_READING", 0.3)
    running: set[object] = set()
    most = 0

    class Hanging(watched_feed.ReadingProcess):
        def run(self, url: str, read: Any, /, *arguments: Any, **named: Any) -> Any:
            nonlocal most
            running.add(self)
            most = max(most, len(running))
            try:
                return super().run(url, time.sleep, 3600)
            finally:
                running.discard(self)

    monkeypatch.setattr(watched_feed, "ReadingProcess", Hanging)
    watching.shows("old")
    for number in range(6):
        watching.watch(poll_interval=60 + number)
    waits = [await watching.looked() for _ in range(6)]
    assert len(waits) == 6
    assert most == watched_feed.READ_AT_ONCE


async def test_the_event_loop_goes_on_while_a_feed_is_read(watching: Watching) -> None:
    """5,000 entries take a second to read, and a site that hangs a minute."""
    await watched(watching)
    watching.shows(*(f"n-{number}" for number in range(5000)))
    turns = 0
    watching.gate.release()
    while watching.pauses.empty():
        watching.triggerer.store_events()
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 20
    assert len(watching.told) == 5000
