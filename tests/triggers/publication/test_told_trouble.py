"""What the log says while the memory of a watcher cannot be reached: once, and whether the entries are reported."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import pytest

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.triggers.publication.looks import Look, Settled
from airflow_video_creation.triggers.publication.teller import Teller
from airflow_video_creation.triggers.publication.told_store import AssetStore

from .conftest import Store

URL = "https://news.example.com/feed.xml"
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def look(*names: str) -> Look:
    date = NOW - timedelta(minutes=1)
    return Look(
        tuple(FeedEntry(f"https://news.example.com/{name}", guid=name, published=date) for name in names), NOW
    )


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def teller(store: Store) -> Teller:
    return Teller(URL, AssetStore([store], "told"), timedelta(days=1), logging.getLogger("watcher"))


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


async def test_entries_that_are_reported_but_cannot_be_stored(
    teller: Teller, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await teller.take(look("old"))
    await teller.take(Settled())
    store.away = True
    assert await teller.take(look("new", "old"))
    for _ in range(3):
        await teller.take(Settled())
        await teller.take(look("new", "old"))
    [warning] = warned(caplog)
    assert warning.startswith(
        f"New entries of {URL} are reported, but which ones cannot be stored. If the triggerer restarts, they are "
        "reported again. "
    )


async def test_entries_that_wait_until_the_memory_can_be_read(
    teller: Teller, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.away = True
    for _ in range(3):
        assert not await teller.take(look("new"))
        await teller.take(Settled())
    [warning] = warned(caplog)
    assert warning.startswith(f"New entries of {URL} cannot be reported now, ")
