"""A feed, and a triggerer whose database and restarts a test decides on; waits between looks take no time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from airflow.jobs.triggerer_job_runner import TriggerRunner
from airflow.triggers.base import BaseEventTrigger

from airflow_video_creation.triggers.feed import SETTLING, FeedEventTrigger

from ...described_variables import described_variables

STORED_IS_TOLD = hasattr(BaseEventTrigger, "create_shared_stream_producer")
"""Whether Airflow tells when it has stored an event (3.3)."""


class Stores:
    """The state stores of the assets that a watcher belongs to, as Airflow gives them to a trigger."""

    def __init__(self, *assets: str) -> None:
        self._by_name = {name: Store() for name in assets or ("news",)}
        self._by_uri: dict[str, Store] = {}

    def __getitem__(self, name: str) -> Store:
        return self._by_name[name]


class Store:
    """One asset's."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.away = False

    async def aget(self, key: str, default: Any = None) -> Any:
        self._reach()
        return self.values.get(key, default)

    async def aset(self, key: str, value: Any) -> None:
        self._reach()
        self.values[key] = value

    def _reach(self) -> None:
        if self.away:
            raise ConnectionError("no database")


class Triggerer:
    """Airflow's own runner of triggers, without its supervisor: the test stores the events, or does not."""

    def __init__(self, database: list[dict[str, Any]]) -> None:
        self.database = database
        self.runner = TriggerRunner()
        self.tasks: list[asyncio.Task[None]] = []

    def start(self, trigger: FeedEventTrigger, stores: Any) -> None:
        """Start a stored trigger, as a triggerer does."""
        _, kwargs = trigger.serialize()
        again = FeedEventTrigger(**kwargs)
        again.asset_state_store = stores
        number = len(self.tasks) + 1
        self.runner.triggers[number] = {"name": f"ID {number}", "events": 0}  # type: ignore[typeddict-item]
        self.tasks.append(asyncio.create_task(self.runner.run_trigger(number, again)))

    @property
    def fired(self) -> list[dict[str, Any]]:
        """The events that are on their way to the database."""
        return [entry[1].payload for entry in self.runner.events]

    def store_events(self) -> None:
        """Do what the supervisor does once a second."""
        events = [self.runner.events.popleft() for _ in list(self.runner.events)]
        self.database += [entry[1].payload for entry in events]
        numbers = [entry[2] for entry in events if len(entry) > 2 and entry[2] is not None]
        if STORED_IS_TOLD:
            self.runner._shared_streams.confirm_persisted(numbers)

    @property
    def remembering(self) -> bool:
        """Whether a watcher is not done with the last look."""
        groups = self.runner._shared_streams._groups.values() if STORED_IS_TOLD else ()
        return any(group._outstanding for group in groups)

    async def stop(self) -> None:
        """Stop all triggers at once, whatever they are doing."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Watching:
    """A world with one feed: its pauses, its clock, and the triggerer of the moment."""

    def __init__(self, service: Any) -> None:
        self.service = service
        self.url = f"{service.url}/feed.xml"
        self.now = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
        self.pauses: asyncio.Queue[float] = asyncio.Queue()
        self.gate = asyncio.Semaphore(0)
        self.stores: Any = Stores()
        self.database: list[dict[str, Any]] = []
        self.triggerer = Triggerer(self.database)
        service.will("404", on="/robots.txt")

    async def sleep(self, seconds: float) -> None:
        if seconds == SETTLING:
            self.triggerer.store_events()
            return
        await self.pauses.put(seconds)
        await self.gate.acquire()
        self.now += seconds

    def shows(self, *names: str, status: int = 200, channel: str = "", **headers: str) -> None:
        """Let the feed show these entries from now on, all of them dated a minute ago."""
        date = datetime.fromtimestamp(self.now - 60, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
        items = "".join(
            f"<item><title>{name}</title><link>https://news.example.com/{name}</link>"
            f'<guid isPermaLink="false">{name}</guid><pubDate>{date}</pubDate></item>'
            for name in names
        )
        body = f'<rss version="2.0"><channel><title>F</title>{channel}{items}</channel></rss>'
        answer = self.service.reply(status, body.encode(), **{"content_type": "application/xml", **headers})
        self.service.will(answer, on="/feed.xml")

    def watch(self, **arguments: Any) -> FeedEventTrigger:
        """Start a watcher in the triggerer of the moment."""
        trigger = FeedEventTrigger(self.url, **arguments)
        self.triggerer.start(trigger, self.stores)
        return trigger

    async def begins_with(self, *names: str) -> None:
        """Start a watcher, and let it look for the first time at what is no news."""
        self.shows(*names)
        self.watch()
        await self.looked()

    async def looked(self, *, storing: bool = True) -> float:
        """Wait until the look is over, its events stored; the seconds to the next one."""
        while self.pauses.empty():
            if storing:
                self.triggerer.store_events()
            self._raise_what_ended()
            await asyncio.sleep(0.005)
        while storing and self.triggerer.remembering:
            self.triggerer.store_events()
            await asyncio.sleep(0.005)
        return self.pauses.get_nowait()

    async def looks(self, **how: Any) -> float:
        """Let the time to the next look pass, and that look too."""
        self.gate.release()
        return await self.looked(**how)

    async def fires(self) -> None:
        """Let the time to the next look pass, and wait until it has fired: nothing is stored yet."""
        self.gate.release()
        while not self.triggerer.fired:
            self._raise_what_ended()
            await asyncio.sleep(0.005)

    async def restart(self, **arguments: Any) -> None:
        """Kill the triggerer with what it has not stored, and start the watcher in another one."""
        await self.triggerer.stop()
        while not self.pauses.empty():
            self.pauses.get_nowait()
        self.triggerer = Triggerer(self.database)
        self.watch(**arguments)

    @property
    def told(self) -> list[str]:
        """The titles of the entries in the stored events."""
        return [entry["title"] for payload in self.database for entry in payload["entries"]]

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for since the last look at them."""
        paths = [seen.path for seen in self.service.seen]
        self.service.seen.clear()
        return paths

    def _raise_what_ended(self) -> None:
        for task in self.triggerer.tasks:
            assert not task.done(), f"a watcher has ended: {task}"


@pytest.fixture
async def watching(service: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watching]:
    world = Watching(service)
    monkeypatch.setattr(FeedEventTrigger, "sleep", staticmethod(world.sleep))
    monkeypatch.setattr(FeedEventTrigger, "pause", 0.0)
    monkeypatch.setattr(FeedEventTrigger, "clock", staticmethod(lambda: world.now))
    yield world
    await world.triggerer.stop()
    for thread in [one for one in threading.enumerate() if one.name in ("watched-feed", "article")]:
        thread.join(5)
        assert not thread.is_alive(), "a thread that nobody waits for"


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Airflow's Variables."""
    return described_variables(monkeypatch)
