"""Every entry is told, and once: through restarts, outages of the memory, and several watchers of a feed."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from .conftest import STORED_IS_TOLD, Stores, Watching

needs_3_3 = pytest.mark.skipif(
    not STORED_IS_TOLD, reason="Airflow below 3.3 does not tell what it has stored"
)


def counted_writes(store: Any) -> list[str]:
    """The keys that are written from now on, in order."""
    writes: list[str] = []
    write = store.aset

    async def counted(key: str, value: Any) -> None:
        writes.append(key)
        await write(key, value)

    store.aset = counted
    return writes


async def test_an_event_tells_what_is_published_after_the_first_look(watching: Watching) -> None:
    await watching.begins_with("old")
    watching.shows("new", "old")
    await watching.looks()
    await watching.looks()
    (event,) = watching.database
    assert event == {
        "feed_url": watching.url,
        "entries": [{"id": "new", "url": "https://news.example.com/new", "title": "new"}],
    }


async def test_what_is_published_while_no_triggerer_runs_is_told_by_the_next_one(watching: Watching) -> None:
    await watching.begins_with("old")
    await watching.triggerer.stop()
    watching.shows("new", "old")
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]


async def test_a_restart_tells_nothing_again(watching: Watching) -> None:
    await watching.begins_with("old")
    watching.shows("new", "old")
    await watching.looks()
    for _ in range(3):
        await watching.restart()
        await watching.looked()
    assert watching.told == ["new"]


@needs_3_3
async def test_an_event_that_died_with_the_triggerer_is_told_by_the_next_one(watching: Watching) -> None:
    await watching.begins_with("old")
    watching.shows("new", "old")
    await watching.fires()
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]


@needs_3_3
async def test_what_is_stored_but_not_remembered_is_told_again_and_never_lost(watching: Watching) -> None:
    """Airflow cannot store both at once; ``FetchArticlesOperator`` knows the entry again."""
    await watching.begins_with("old")
    watching.shows("new", "old")
    watching.stores["news"].away = True
    await watching.looks()
    watching.stores["news"].away = False
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new", "new"]


async def test_while_the_memory_cannot_be_written_nothing_is_told_twice(watching: Watching) -> None:
    await watching.begins_with("old")
    watching.shows("new", "old")
    watching.stores["news"].away = True
    await watching.looks()
    await watching.looks()
    watching.stores["news"].away = False
    await watching.looks()
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]


async def test_while_the_memory_cannot_be_read_nothing_is_told_and_later_nothing_is_lost(
    watching: Watching,
) -> None:
    await watching.begins_with("old")
    watching.stores["news"].away = True
    watching.shows("new", "old")
    await watching.restart()
    await watching.looked()
    assert watching.told == []
    watching.stores["news"].away = False
    await watching.looks()
    assert watching.told == ["new"]


@pytest.mark.parametrize("held", ["{}", {"mine": 1}, []])
async def test_a_memory_that_holds_something_else_stays_and_nothing_is_told(
    watching: Watching, held: Any
) -> None:
    await watching.begins_with("old")
    (key,) = watching.stores["news"].values
    watching.stores["news"].values[key] = held
    watching.shows("new", "old")
    await watching.restart()
    await watching.looked()
    await watching.looks()
    assert watching.told == []
    assert watching.stores["news"].values == {key: held}


@needs_3_3
async def test_watchers_of_a_feed_share_its_looks_and_each_tells_its_own_asset(watching: Watching) -> None:
    watching.shows("old")
    watching.watch()
    watching.stores = Stores("archive")
    watching.watch(lookback=7 * 86_400)
    await watching.looked()
    watching.shows("new", "old")
    await watching.looks()
    assert watching.told == ["new", "new"]
    assert watching.asked == ["/robots.txt", "/feed.xml", "/feed.xml"]


@needs_3_3
async def test_one_watcher_of_two_assets_remembers_for_both(watching: Watching) -> None:
    await watching.begins_with("old")
    one = watching.stores["news"]
    watching.stores = Stores("news", "archive")
    watching.stores._by_name["news"] = one
    watching.shows("new", "old")
    await watching.restart()
    await watching.looked()
    del watching.stores._by_name["news"]
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]


@needs_3_3
async def test_an_asset_that_is_gone_keeps_none_of_the_others_from_remembering(watching: Watching) -> None:
    watching.stores = Stores("gone", "news")
    await watching.begins_with("old")
    watching.stores["gone"].away = True
    watching.shows("new", "old")
    await watching.looks()
    del watching.stores._by_name["gone"]
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]


@needs_3_3
async def test_an_asset_that_is_gone_is_told_of_once_and_the_others_are_not_written_again(
    watching: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    watching.stores = Stores("gone", "news")
    await watching.begins_with("old")
    watching.stores["gone"].away = True
    writes = counted_writes(watching.stores["news"])
    for new in ("new", "newer"):
        watching.shows(new, "old")
        for _ in range(5):
            await watching.looks()
    assert len(writes) == 2
    [warning] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "in the state store of an asset" in warning.message
    assert "no database" in warning.message


async def test_without_a_store_a_variable_remembers(watching: Watching, variables: dict[str, str]) -> None:
    watching.stores = None
    await watching.begins_with("old")
    watching.shows("new", "old")
    await watching.restart()
    await watching.looked()
    await watching.restart()
    await watching.looked()
    assert watching.told == ["new"]
    (key,) = variables
    assert key.startswith("feed_told.127.0.0.1.")


async def test_a_watcher_may_have_a_variable_of_its_own(
    watching: Watching, variables: dict[str, str]
) -> None:
    watching.stores = None
    watching.shows("old")
    watching.watch(remember="mine")
    await watching.looked()
    assert list(variables) == ["mine"]


async def test_a_variable_named_after_a_long_dag_id_has_a_key_that_airflow_can_store(
    watching: Watching, variables: dict[str, str]
) -> None:
    watching.stores = None
    watching.shows("old")
    watching.watch(remember=f"feed_told.{'d' * 250}")
    await watching.looked()
    [key] = variables
    assert key.startswith("feed_told.ddd")
    assert len(key) == 250


async def test_five_thousand_entries_at_the_first_look_and_a_hundred_and_fifty_new_ones(
    watching: Watching,
) -> None:
    old = [f"old-{number}" for number in range(5000)]
    watching.shows(*old)
    watching.watch()
    await watching.looked()
    new = [f"new-{number}" for number in range(150)]
    watching.shows(*new, *old)
    await watching.looks()
    assert [len(event["entries"]) for event in watching.database] == [100, 50]
    assert sorted(watching.told) == sorted(new)
    await watching.restart()
    await watching.looked()
    assert len(watching.told) == 150


async def test_an_entry_of_a_podcast_may_have_no_page(watching: Watching) -> None:
    watching.shows("old")
    watching.watch(podcast=True)
    await watching.looked()
    sound = '<enclosure url="https://news.example.com/2.mp3" type="audio/mpeg" length="1"/>'
    item = f'<item><title>Two</title><guid isPermaLink="false">2</guid>{sound}</item>'
    body = f'<rss version="2.0"><channel>{item}</channel></rss>'
    watching.service.will(watching.service.reply(200, body.encode()), on="/feed.xml")
    await watching.looks()
    (event,) = watching.database
    assert event["entries"] == [{"id": "2", "url": "https://news.example.com/2.mp3", "title": "Two"}]


async def test_the_memory_is_not_written_while_nothing_happens(watching: Watching) -> None:
    writes = counted_writes(watching.stores["news"])
    await watching.begins_with("old")
    for _ in range(20):
        await watching.looks()
    assert len(writes) == 1
