"""A feed that a watcher polls."""

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
"""Seconds for which a robots.txt is valid after it was read (RFC 9309, 2.4)."""
WHOLE_AGAIN = 21_600.0
"""Seconds after which the whole feed is asked for again: some servers always call it unchanged (ours)."""
READ_AT_ONCE = 2
"""Feeds that a triggerer parses at the same time, each in a process of about 60 MB (ours)."""
MAX_READING = 120.0
"""Seconds after which an idle parsing process, which uses no computing time, is given up (ours)."""
MAX_ENTRIES = 10_000
"""A watcher remembers every entry that a feed shows (ours)."""


_slots = threading.BoundedSemaphore(READ_AT_ONCE)


class Sight(NamedTuple):
    """The result of a poll.

    ``entries`` are the same object while the feed is unchanged. ``interval`` and ``cached_for``: seconds that the feed
    and its server ask for between two polls, None if they do not say. ``moved_to``: the address that answered, if it is
    another one.
    """

    entries: tuple[FeedEntry, ...]
    interval: float | None = None
    cached_for: float | None = None
    moved_to: str | None = None


class WatchedFeed:
    """Polls one feed, one poll after the other, each possibly in another thread (source: ours).

    A poll is one request, with the validators of the last answer, and without a second try. The feed is parsed in a
    process of its own, and only when it has changed. If it has moved permanently, its new address is asked from then
    on, until there is an error or a day has passed.

    :param url: of the feed; it may be anywhere, but its redirects must lead to public addresses.
    :param recordings: whether it is a podcast's.
    :param respect_robots: whether to obey robots.txt.
    :param allow_private_addresses: whether it may redirect to any host.
    :param pause: seconds between two requests to one host.
    :param clock: seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        recordings: bool = False,
        respect_robots: bool = True,
        allow_private_addresses: bool = False,
        pause: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = self._address = url
        self._recordings = recordings
        self._respect_robots = respect_robots
        self._allow_private_addresses = allow_private_addresses
        self._pause = pause
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
        """Poll the feed once.

        :raises VideoCreationError: it cannot be read.
        """
        try:
            return self._look()
        except BaseException:
            # The new one may be the cause.
            self._address = self._url
            raise

    def _look(self) -> Sight:
        if self._clock() - self._whole_since > WHOLE_AGAIN:
            self._validators = NO_VALIDATORS
        try:
            answer = self._politely().fetch(self._address, validators=self._validators)
        except BaseException:
            # What it knows of a robots.txt may be the cause.
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
        """End a poll that is under way, from any thread: its thread and its process end too."""
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
                pause=self._pause,
                tries=1,
                sleep=self._sleep,
            )
            # It may have been told to end while there was none.
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
                f"{without_secrets(self._url)} shows {len(feed.entries)} entries, but at most {MAX_ENTRIES} can be "
                "watched. Use a shorter feed of that site."
            )
        # They are part of events; a site's own credentials do not belong in a feed.
        entries = tuple(replace(entry, url=without_credentials(entry.url)) for entry in feed.entries)
        return Sight(entries, feed.interval)
