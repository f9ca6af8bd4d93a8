"""What is read in a process of its own comes back as it is; what is made to be slow to read ends that process only."""

from __future__ import annotations

import operator
import os
import signal
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from airflow_video_creation.hooks.articles.reading_process import ReadingProcess
from airflow_video_creation.provider.articles.feed import FeedEntry, parse_feed
from airflow_video_creation.provider.articles.page import read_page
from airflow_video_creation.provider.errors import ArticleError

URL = "https://news.example.com/a"
PARAGRAPH = (
    b"<p>" + b"The mill stands where the river meets the sea, and has done so since 1886. " * 3 + b"</p>"
)
PAGE = b"<html><body><article>" + PARAGRAPH + b"</article></body></html>"
SLOW_PAGE = b"<html><body><article>" + PARAGRAPH + b"<p>x" * 60_000
SLOW_FEED = b"\n" * 100_000 + b"<rss>"


@pytest.fixture
def reader() -> Iterator[ReadingProcess]:
    with ReadingProcess(cpu_seconds=2) as running:
        yield running


def read(reader: ReadingProcess, body: bytes) -> Any:
    return reader.run(URL, read_page, body, entry=FeedEntry(URL))


def test_an_article_and_a_feed_come_back_as_values(reader: ReadingProcess) -> None:
    feed = b'<rss version="2.0"><channel><item><link>/a</link></item></channel></rss>'

    assert read(reader, PAGE) == read_page(PAGE, entry=FeedEntry(URL))
    assert reader.run(URL, parse_feed, feed, url=URL).entries == (FeedEntry(URL),)


def test_an_error_comes_back_as_it_is(reader: ReadingProcess) -> None:
    with pytest.raises(ArticleError, match="has no article text") as there:
        read(reader, b"<p>Loading")
    with pytest.raises(ArticleError) as here:
        read_page(b"<p>Loading", entry=FeedEntry(URL))
    assert str(there.value) == str(here.value)


@pytest.mark.parametrize(
    ("work", "body", "arguments"),
    [(read_page, SLOW_PAGE, {"entry": FeedEntry(URL)}), (parse_feed, SLOW_FEED, {"url": URL})],
    ids=["page", "feed"],
)
def test_what_takes_too_long_is_given_up_and_the_next_is_read(
    reader: ReadingProcess, work: Any, body: bytes, arguments: dict[str, Any]
) -> None:
    with pytest.raises(
        ArticleError, match=f"Reading {URL} takes more than 2 s of computing time. Leave it out"
    ):
        reader.run(URL, work, body, **arguments)

    assert read(reader, PAGE).url == URL


# Which limit a huge page meets first is the reading library's affair: of memory from trafilatura 2.3 on.
@pytest.mark.parametrize(
    ("work", "argument", "limit"),
    [
        (bytes, 1 << 30, "1 GiB of memory"),
        (
            partial(read_page, entry=FeedEntry(URL)),
            b"<p>x</p>" * 1_300_000,
            "(1 GiB of memory|2 s of computing time)",
        ),
    ],
    ids=["function", "page"],
)
def test_what_takes_too_much_is_given_up_and_the_next_is_read(
    reader: ReadingProcess, work: Any, argument: Any, limit: str
) -> None:
    with pytest.raises(ArticleError, match=f"Reading {URL} takes more than {limit}. Leave it out"):
        reader.run(URL, work, argument)

    assert read(reader, PAGE).url == URL


def test_a_result_that_takes_too_much_memory_is_given_up(reader: ReadingProcess) -> None:
    with pytest.raises(ArticleError, match="takes more than 1 GiB of memory"):
        reader.run(URL, operator.mul, ["x" * 100], 1 << 27)


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_page_that_ends_the_process_ends_no_task(reader: ReadingProcess, signal_number: int) -> None:
    with pytest.raises(ArticleError, match=f"{URL} cannot be read: .* ended with {-signal_number}. Leave it"):
        reader.run(URL, signal.raise_signal, signal_number)

    assert read(reader, PAGE).url == URL


def test_what_a_library_prints_disturbs_nothing(reader: ReadingProcess) -> None:
    assert reader.run(URL, print, "a word of the parser") is None
    assert read(reader, PAGE).url == URL


def test_no_process_is_left() -> None:
    with ReadingProcess() as reader:
        pid = reader.run(URL, os.getpid)
        assert pid != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_nothing_to_read_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")

    with ReadingProcess():
        pass
