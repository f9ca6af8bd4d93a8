"""The items of a feed's stream; importing this does not block the event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...provider.articles.feed import FeedEntry

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True)
class FeedSettings:
    """The settings that two watchers share if they poll a feed in the same way.

    ``pause``: seconds between two requests to one host.
    """

    feed_url: str
    podcast: bool = False
    poll_interval: float = 60.0
    respect_robots: bool = True
    respect_ttl: bool = True
    allow_private_addresses: bool = False
    pause: float = 1.0


@dataclass(frozen=True)
class Look:
    """What the feed showed at a moment; ``entries`` is the same object while the feed is unchanged."""

    entries: tuple[FeedEntry, ...]
    at: datetime


class Settled:
    """Follows a poll: its events are stored in Airflow's database."""
