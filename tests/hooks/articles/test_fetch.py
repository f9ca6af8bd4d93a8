"""Fetching a feed or a page: what it costs at most, what is shown of an address, and what is told of a failure."""

from __future__ import annotations

import logging
import tracemalloc
import zlib
from typing import Any

import pytest

from airflow_video_creation.hooks.articles.fetch import (
    fetch,
    open_session,
    without_credentials,
    without_secrets,
)
from airflow_video_creation.provider.articles.selection.memory import Validators
from airflow_video_creation.provider.errors import ArticleError

MIB = 1 << 20


@pytest.mark.parametrize("status", [200, 302, 404])
def test_a_gzip_bomb_costs_no_more_memory_than_the_limit(service: Any, gzip_bomb: bytes, status: int) -> None:
    service.will(service.reply(status, gzip_bomb, Content_Encoding="gzip", Location="/gone"), on="/feed.xml")

    tracemalloc.start()
    try:
        with open_session() as session, pytest.raises(ArticleError) as caught:
            fetch(session, f"{service.url}/feed.xml")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert ("is larger than 10 MiB" if status == 200 else "answered 404") in str(caught.value)
    assert most < 64 * MIB


def test_what_is_packed_and_small_is_read(service: Any) -> None:
    packed = zlib.compress(b"<rss>", wbits=16 + zlib.MAX_WBITS)
    service.will(service.reply(200, packed, Content_Encoding="gzip"))
    with open_session() as session:
        assert fetch(session, f"{service.url}/feed.xml").body == b"<rss>"


@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit, TimeoutError, MemoryError])
def test_what_ends_the_exchange_reaches_the_caller_as_it_is(
    service: Any, failure: type[BaseException]
) -> None:
    service.will("404")

    def fail(*_: object, **__: object) -> None:
        raise failure

    with open_session() as session:
        session.hooks["response"].append(fail)
        with pytest.raises(failure):
            fetch(session, f"{service.url}/feed.xml")


@pytest.mark.parametrize("how", ["503", "reset", "404", "truncated"])
def test_a_token_in_the_query_stays_out_of_errors_and_logs(
    service: Any, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    caplog.set_level(logging.DEBUG)
    service.will(how)
    address = service.url.replace("://", "://reader:hunter2@") + "/feed.xml?key=s3cr3t"

    with open_session() as session, pytest.raises(ArticleError) as caught:
        fetch(session, address)

    assert f"{service.url}/feed.xml?***" in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    for secret in ("hunter2", "s3cr3t"):
        assert secret not in str(caught.value)
        assert secret not in caplog.text


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [
        ("https://example.com/a?id=7#top", "https://example.com/a?***"),
        ("https://reader:hunter2@example.com/a", "https://example.com/a"),
        ("https://reader:p@ss@example.com/a", "https://example.com/a"),
        ("reader:hunter2@example.com/a", "example.com/a"),
        ("https://example.com/@reader/a", "https://example.com/@reader/a"),
        ("", "''"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address: str, is_shown: str) -> None:
    assert without_secrets(address) == is_shown


def test_an_answer_names_its_address_without_user_name_and_password(service: Any) -> None:
    service.will(service.reply(200, b"<rss>"))

    with open_session() as session:
        answer = fetch(session, service.url.replace("://", "://reader:hunter2@") + "/feed.xml?id=7")

    assert answer.url == f"{service.url}/feed.xml?id=7"


def test_not_modified_is_an_answer_only_to_who_has_asked_for_changes(service: Any) -> None:
    service.will("304")

    with open_session() as session:
        assert fetch(session, service.url, validators=Validators('"v1"', "")).unchanged
        with pytest.raises(ArticleError, match="answered 304"):
            fetch(session, service.url)


def test_the_address_of_an_article_keeps_its_query() -> None:
    assert without_credentials("https://reader:x@example.com/a?id=7") == "https://example.com/a?id=7"
