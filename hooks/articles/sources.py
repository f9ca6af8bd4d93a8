"""Where a task's articles come from: a feed, pages given by their address, files in a storage."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ...provider.articles.feed import FeedEntry, parse_feed
from ...provider.articles.page import SHORTEST_TEXT, Article, read_page, read_text
from ...provider.articles.selection.memory import Validators, digest
from ...provider.articles.selection.new_entries import Shown
from .fetch import without_credentials, without_secrets
from .files import list_files, read_file, without_connection
from .polite_fetch import PoliteFetcher
from .reading_process import ReadingProcess

log = logging.getLogger(__name__)


class ArticleSource(Protocol):
    """What a task reads (source: ours).

    ``address`` identifies the source in its memory, ``named`` is how messages show it.
    """

    address: str
    named: str

    def show(self, validators: Validators) -> Shown:
        """Return the entries that are there now.

        :param validators: of the last poll; empty to always get all entries.
        """

    def read(self, entry: FeedEntry, language: str | None) -> Article:
        """Return the article of one entry.

        :param entry: from ``show``, of this run or an earlier one.
        :param language: of an article that names none.
        """


class FeedSource:
    """An RSS or Atom feed (source: ours).

    :param url: of the feed.
    :param fetcher: for the feed and its pages.
    :param reader: what parses them.
    :param shortest_text: the fewest characters that an article needs.
    """

    def __init__(
        self,
        url: str,
        fetcher: PoliteFetcher,
        reader: ReadingProcess,
        *,
        shortest_text: int = SHORTEST_TEXT,
    ) -> None:
        self._shortest_text = shortest_text
        self._url = url
        self.address = without_credentials(url)
        self.named = without_secrets(url)
        self._fetcher = fetcher
        self._reader = reader

    def show(self, validators: Validators) -> Shown:
        """Fetch the feed, unless it has not changed."""
        answer = self._fetcher.fetch(self._url, validators=validators)
        source = digest(self.address)
        if answer.unchanged:
            log.info("The feed has not changed since the last poll")
            return Shown(source, unchanged=True)
        feed = self._reader.run(
            answer.url, parse_feed, answer.body, url=answer.url, content_type=answer.content_type
        )
        if feed.damage:
            log.warning("The feed's XML is damaged and was read as far as possible: %s", feed.damage)
        if feed.without_link:
            log.warning("%d entries have no link to a web page, and are left out", feed.without_link)
        # They would be stored in the memory; a site's own credentials belong in feed_url.
        entries = tuple(replace(entry, url=without_credentials(entry.url)) for entry in feed.entries)
        return Shown(source, entries, feed.language, answer.validators)

    def read(self, entry: FeedEntry, language: str | None) -> Article:
        """Fetch and read a page."""
        return read_web_page(self._fetcher, self._reader, entry, language, shortest_text=self._shortest_text)


class PagesSource:
    """Pages given by their addresses (source: ours).

    :param urls: the addresses.
    :param fetcher: for the pages.
    :param reader: what parses them.
    :param shortest_text: the fewest characters that an article needs.
    """

    def __init__(
        self,
        urls: Sequence[str],
        fetcher: PoliteFetcher,
        reader: ReadingProcess,
        *,
        shortest_text: int = SHORTEST_TEXT,
    ) -> None:
        self._shortest_text = shortest_text
        self._urls = urls
        self.address = "\n".join(map(without_credentials, urls))
        self.named = f"{len(urls)} addresses"
        self._fetcher = fetcher
        self._reader = reader

    def show(self, validators: Validators) -> Shown:
        """Return the addresses, each once."""
        return Shown(digest(self.address), tuple(FeedEntry(url) for url in dict.fromkeys(self._urls)))

    def read(self, entry: FeedEntry, language: str | None) -> Article:
        """Fetch and read a page."""
        return read_web_page(self._fetcher, self._reader, entry, language, shortest_text=self._shortest_text)


class FilesSource:
    """HTML, text and Markdown files in any storage that Airflow can read (source: ours).

    :param places: see ``hooks.articles.files.list_files``.
    :param reader: what parses them.
    :param shortest_text: the fewest characters that an article needs.
    """

    def __init__(
        self, places: Sequence[str], reader: ReadingProcess, *, shortest_text: int = SHORTEST_TEXT
    ) -> None:
        self._shortest_text = shortest_text
        self._places = places
        self.address = "\n".join(places)
        self.named = ", ".join(map(without_connection, places))
        self._reader = reader

    def show(self, validators: Validators) -> Shown:
        """List the files."""
        return Shown(digest(self.address), list_files(self._places))

    def read(self, entry: FeedEntry, language: str | None) -> Article:
        """Read a file."""
        answer = read_file(entry.url)
        public = replace(entry, url=without_connection(entry.url))
        if answer.content_type in ("text/plain", "text/markdown"):
            return read_text(
                answer.body,
                entry=public,
                default_language=language,
                shortest_text=self._shortest_text,
                is_markdown=answer.content_type == "text/markdown",
            )
        return self._reader.run(
            public.url,
            read_page,
            answer.body,
            entry=public,
            default_language=language,
            shortest_text=self._shortest_text,
        )


def read_web_page(
    fetcher: PoliteFetcher,
    reader: ReadingProcess,
    entry: FeedEntry,
    language: str | None,
    *,
    shortest_text: int = SHORTEST_TEXT,
) -> Article:
    """Fetch and read one page (source: ours).

    :param fetcher: fetches it.
    :param reader: parses it.
    :param entry: what is known of it.
    :param language: of a page that names none.
    :param shortest_text: the fewest characters that an article needs.
    """
    answer = fetcher.fetch(entry.url)
    return reader.run(
        entry.url,
        read_page,
        answer.body,
        entry=replace(entry, url=without_credentials(entry.url)),
        base_url=answer.url,
        content_type=answer.content_type,
        default_language=language,
        shortest_text=shortest_text,
    )
