"""A feed that is looked at again and again by one who watches it."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ...provider.articles.feed import FeedEntry, parse_feed
from ...provider.articles.selection.memory import NO_VALIDATORS
from ...provider.articles.watching.pace import cached_for
from ...provider.errors import ArticleError, ArticleUnreachableError
from .fetch import Answer, without_credentials, without_secrets
from .polite_fetch import PoliteFetcher
from .reading_process import ReadingProcess

ROBOTS_KEPT = 86_400.0
"""Seconds for which a robots.txt that was read counts (RFC 9309, 2.4)."""
WHOLE_AGAIN = 21_600.0
"""Seconds after which the whole feed is asked for again: some servers call it unchanged whatever is in it (ours)."""
READ_AT_ONCE = 2
"""Feeds that are parsed at once in a triggerer, each in a process of some 60 MB (ours)."""
MAX_READING = 120.0
"""Seconds after which a parsing process is given up that does nothing, and so uses up no computing time (ours)."""
MAX_ENTRIES = 10_000
"""A watcher remembers every entry that a feed shows (ours)."""


_slots = threading.BoundedSemaphore(READ_AT_ONCE)


class Sight(NamedTuple):
    """What a look saw.

    ``entries`` are the same object while the feed is unchanged. ``interval`` and ``cached_for``: seconds that the feed
    and its server ask for between two looks, None where they do not say. ``moved_to``: the address that answered,
    where that is another one.
    """

    entries: tuple[FeedEntry, ...]
    interval: float | None = None
    cached_for: float | None = None
    moved_to: str | None = None


class WatchedFeed:
    """Looks at one feed, one look after the other, each of which may be in another thread (source: ours).

    A look is one request: with the validators of the last answer, and without another try. The feed is parsed in a
    process of its own, and only when it has changed. An address to which it has moved for good is asked from then on,
    until there is trouble or a day has gone by.

    :param url: of the feed; it may be anywhere, what it redirects to must have a public address.
    :param recordings: whether it is a podcast's.
    :param respect_robots: whether robots.txt counts.
    :param allow_private_addresses: whether it may redirect to any host.
    :param clock: seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        recordings: bool = False,
        respect_robots: bool = True,
        allow_private_addresses: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = self._address = url
        self._recordings = recordings
        self._respect_robots = respect_robots
        self._allow_private_addresses = allow_private_addresses
        self._clock = clock
        self._ended = threading.Event()
        self._fetcher: PoliteFetcher | None = None
        self._fetcher_since = 0.0
        self._reader: ReadingProcess | None = None
        self._validators = NO_VALIDATORS
        self._whole_since = 0.0
        self._digest = b""
        self._seen: Sight | None = None

    def look(self) -> Sight:
        """Look at the feed once.

        :raises VideoCreationError: it cannot be read.
        """
        try:
            return self._look()
        except BaseException:
            # The new one may be the trouble.
            self._address = self._url
            raise

    def _look(self) -> Sight:
        if self._clock() - self._whole_since > WHOLE_AGAIN:
            self._validators = NO_VALIDATORS
        try:
            answer = self._politely().fetch(self._address, validators=self._validators)
        except BaseException:
            # What it knows of a robots.txt may be the trouble.
            self._drop_fetcher()
            raise
        if answer.unchanged and self._seen:
            self._seen = self._seen._replace(cached_for=cached_for(answer.cache_control))
            return self._seen
        body_digest = hashlib.sha256(answer.body).digest()
        if not self._seen or body_digest != self._digest:
            self._seen = self._read(answer)
        moved = answer.url if answer.url != without_credentials(self._url) else None
        self._seen = self._seen._replace(cached_for=cached_for(answer.cache_control), moved_to=moved)
        # Only now: an answer that cannot be read must be sent again.
        self._validators, self._digest = answer.validators, body_digest
        self._whole_since = self._clock()
        self._address = answer.moved_to or self._address
        return self._seen

    def end(self) -> None:
        """End a look that is under way, from any thread: its thread and its process end too."""
        self._ended.set()
        if fetcher := self._fetcher:
            fetcher.end()
        if reader := self._reader:
            reader.end()

    def _politely(self) -> PoliteFetcher:
        if self._fetcher and self._clock() - self._fetcher_since > ROBOTS_KEPT:
            self._drop_fetcher()
            self._address = self._url
        if self._fetcher is None:
            self._fetcher_since = self._clock()
            self._fetcher = PoliteFetcher(
                trusted=[self._url],
                allow_private_addresses=self._allow_private_addresses,
                respect_robots=self._respect_robots,
                tries=1,
                sleep=self._sleep,
            )
            # It may have been told while there was none.
            self._sleep(0)
        return self._fetcher

    def _drop_fetcher(self) -> None:
        if self._fetcher:
            self._fetcher.__exit__(None, None, None)
        self._fetcher = None

    def _sleep(self, seconds: float) -> None:
        if self._ended.wait(seconds):
            raise ArticleUnreachableError(f"Nobody watches {without_secrets(self._url)} any more.")

    @contextlib.contextmanager
    def _slot(self) -> Iterator[None]:
        while not _slots.acquire(timeout=1):
            self._sleep(0)
        try:
            yield
        finally:
            _slots.release()

    def _read(self, answer: Answer) -> Sight:
        with self._slot(), ReadingProcess() as reader:
            self._reader = reader
            self._sleep(0)
            give_up = threading.Timer(MAX_READING, reader.end)
            give_up.daemon = True
            give_up.start()
            try:
                feed = reader.run(
                    answer.url,
                    parse_feed,
                    answer.body,
                    url=answer.url,
                    content_type=answer.content_type,
                    may_be_empty=True,
                    recordings=self._recordings,
                )
            finally:
                give_up.cancel()
        if len(feed.entries) > MAX_ENTRIES:
            raise ArticleError(
                f"{without_secrets(self._url)} shows {len(feed.entries)} entries, and at most {MAX_ENTRIES} can be "
                "watched: use a shorter feed of that site."
            )
        # They stand in events; a site's own credentials belong into no feed.
        entries = tuple(replace(entry, url=without_credentials(entry.url)) for entry in feed.entries)
        return Sight(entries, feed.interval)
