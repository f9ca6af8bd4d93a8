"""What a feed's stream is made of; costs the event loop nothing to import."""

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
    """What makes two watchers of a feed look at it in the same way."""

    feed_url: str
    podcast: bool = False
    poll_interval: float = 60.0
    respect_robots: bool = True
    respect_ttl: bool = True
    allow_private_addresses: bool = False


@dataclass(frozen=True)
class Look:
    """What the feed showed at a moment; the same object of entries while it is unchanged."""

    entries: tuple[FeedEntry, ...]
    at: datetime


class Settled:
    """Follows a look: the events that it made are stored in Airflow's database."""
