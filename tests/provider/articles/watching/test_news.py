"""What of a watched feed is news, whatever the feed does, and the events that tell of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.selection.memory import Memory
from airflow_video_creation.provider.articles.selection.memory_document import read_memory, write_memory
from airflow_video_creation.provider.articles.watching.news import (
    AHEAD,
    MAX_EVENT_ENTRIES,
    MAX_EVENT_SIZE,
    event_payloads,
    news,
    worth_storing,
)

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(name: str, published: datetime | None = NOON, guid: str | None = None) -> FeedEntry:
    return FeedEntry(f"https://example.com/{name}", name, published, None, guid)


class Watcher:
    """Looks every minute, and remembers through its document."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.now = NOON

    def sees(self, *entries: FeedEntry) -> list[str]:
        """The names of what is news."""
        self.now += timedelta(minutes=1)
        found = news(self.memory, entries, source="feed", now=self.now, lookback=DAY)
        self.memory = read_memory(write_memory(found.memory), where="the store")
        return [one.title for one in found.entries]


def watcher(*first: FeedEntry) -> Watcher:
    """One who has looked for the first time."""
    new = Watcher()
    assert new.sees(*first) == [], "what is there at the first look is no news"
    return new


def test_what_comes_after_the_first_look_is_news_once() -> None:
    watching = watcher(entry("old"), entry("undated", None))
    assert watching.sees(entry("new"), entry("old"), entry("undated", None)) == ["new"]
    assert watching.sees(entry("new"), entry("old")) == []


def test_an_empty_feed_counts_as_looked_at() -> None:
    assert watcher().sees(entry("first")) == ["first"]


def test_what_left_the_feed_and_comes_back_is_no_news() -> None:
    watching = watcher(entry("old"))
    assert watching.sees() == []
    assert watching.sees(entry("old")) == []


def test_an_entry_is_known_by_its_guid_or_its_address() -> None:
    watching = watcher(entry("a", guid="1"), entry("b", guid="2"))
    assert watching.sees(entry("a-moved", guid="1"), entry("b", guid="3")) == []


def test_what_is_dated_in_the_future_waits_for_its_time_and_is_told_then() -> None:
    soon = entry("soon", NOON + AHEAD + timedelta(minutes=2, seconds=30))
    watching = watcher()
    assert [watching.sees(soon) for _ in range(4)] == [[], ["soon"], [], []]


def test_a_site_that_writes_its_own_time_as_utc_is_not_waited_for() -> None:
    """In Tokyo an article of this minute is then dated nine hours ahead."""
    ahead = timedelta(hours=9)
    watching = watcher(entry("old", NOON + ahead - timedelta(hours=1)))
    assert watching.sees(entry("new", NOON + ahead)) == ["new"]
    assert watching.sees(entry("new", NOON + ahead)) == []


def test_a_clock_that_was_years_ahead_for_a_moment_loses_nothing_later() -> None:
    watching = watcher(entry("old"))
    right, watching.now = watching.now, NOON + 4000 * DAY
    watching.sees(entry("old"))
    watching.now = right
    before = watching.memory
    watching.sees(entry("old"))
    assert worth_storing(before, watching.memory)
    # No triggerer ran for three days.
    watching.now += 3 * DAY
    assert watching.sees(entry("meanwhile", watching.now - 2 * DAY)) == ["meanwhile"]


def test_a_site_that_renames_all_its_entries_makes_news_of_the_last_day_only() -> None:
    dates = [NOON - hours * timedelta(hours=1) for hours in range(0, 240, 12)]
    watching = watcher(*(entry(f"old-{n}", date) for n, date in enumerate(dates)))
    told = watching.sees(*(entry(f"renamed-{n}", date) for n, date in enumerate(dates)))
    assert told == ["renamed-1", "renamed-0"]


def test_entries_without_a_date_are_news_when_they_were_not_there_before() -> None:
    assert watcher(entry("a", None)).sees(entry("b", None), entry("a", None)) == ["b"]


def test_news_is_told_oldest_first() -> None:
    entries = [entry(str(n), NOON - n * timedelta(hours=1)) for n in range(5)]
    assert watcher().sees(*entries) == ["4", "3", "2", "1", "0"]


names = st.sampled_from([f"{n}" for n in range(12)])
dates = st.one_of(st.none(), st.integers(-3000, 30).map(lambda m: NOON + timedelta(minutes=m)))


@settings(max_examples=60)
@given(
    st.dictionaries(names, dates),
    st.lists(st.sets(names), min_size=1, max_size=8),
    st.sets(names),
)
def test_whatever_a_feed_shows_no_entry_is_told_twice_and_no_new_one_is_lost(
    dated: dict[str, datetime | None], looks: list[set[str]], first: set[str]
) -> None:
    def shown(which: set[str]) -> list[FeedEntry]:
        return [entry(name, dated.get(name, NOON)) for name in sorted(which)]

    watching = watcher(*shown(first))
    told: list[str] = []
    for which in looks:
        told += watching.sees(*shown(which))
    # Once more, when all that was dated in the future is due.
    watching.now += timedelta(hours=1)
    told += watching.sees(*shown(looks[-1]))
    assert len(told) == len(set(told))

    def young(name: str) -> bool:
        date = dated.get(name, NOON)
        return date is None or date >= NOON

    assert set(told) >= {name for name in looks[-1] if name not in first and young(name)}


def test_a_memory_is_stored_when_it_says_more_and_once_an_hour() -> None:
    watching = watcher(entry("a"))
    stored = watching.memory
    assert worth_storing(Memory(), stored)
    watching.sees(entry("a"))
    assert not worth_storing(stored, watching.memory)
    watching.sees(entry("a"), entry("b"))
    assert worth_storing(stored, watching.memory)
    stored = watching.memory
    watching.now += timedelta(hours=1)
    watching.sees(entry("a"), entry("b"))
    assert worth_storing(stored, watching.memory)


@given(st.lists(st.integers(0, 2000), max_size=400))
def test_events_tell_of_each_entry_once_and_are_bounded(lengths: list[int]) -> None:
    entries = [FeedEntry(f"https://example.com/{n}", "t" * length) for n, length in enumerate(lengths)]
    payloads = list(event_payloads("https://example.com/feed.xml", entries))
    assert [one["url"] for payload in payloads for one in payload["entries"]] == [e.url for e in entries]
    for payload in payloads:
        assert len(payload["entries"]) <= MAX_EVENT_ENTRIES
        assert len(json.dumps(payload)) <= MAX_EVENT_SIZE + 2 * MAX_EVENT_ENTRIES + 100


def test_an_event_holds_ids_addresses_and_titles_only() -> None:
    (payload,) = event_payloads("https://example.com/feed.xml", [entry("a", guid="1"), entry("b")])
    assert payload == {
        "feed_url": "https://example.com/feed.xml",
        "entries": [
            {"id": "1", "url": "https://example.com/a", "title": "a"},
            {"id": "https://example.com/b", "url": "https://example.com/b", "title": "b"},
        ],
    }
