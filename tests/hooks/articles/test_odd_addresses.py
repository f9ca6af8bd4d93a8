"""Addresses that others wrote and no browser would take: each is refused by itself, with one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.articles.fetch import fetch as fetch_one
from airflow_video_creation.hooks.articles.fetch import open_session, without_credentials, without_secrets
from airflow_video_creation.hooks.articles.polite_fetch import PoliteFetcher
from airflow_video_creation.provider.articles.selection.memory import NO_VALIDATORS, Validators
from airflow_video_creation.provider.errors import ArticleError

ODD = [
    "http://[v1.a:b]/x",
    "http://a\0b.example.com/",
    "http://\ud800.example.com/",
    "http://[::1",
    "http://a:b/",
]


@pytest.mark.parametrize("address", ODD)
@pytest.mark.parametrize("anywhere", [True, False])
def test_an_odd_address_is_refused(address: str, anywhere: bool) -> None:
    with PoliteFetcher(pause=0, allow_private_addresses=anywhere) as polite, pytest.raises(ArticleError):
        polite.fetch(address)


@pytest.mark.parametrize("address", ["http://[v1.a:b]/x", "http://a\0b/", "http://[::1", "//", "http://a:b/"])
def test_a_redirect_to_an_odd_address_is_refused(service: Any, address: str) -> None:
    service.will("404", on="/robots.txt")
    service.will(service.reply(302, Location=address), on="/a")
    with PoliteFetcher(trusted=[service.url], pause=0) as polite, pytest.raises(ArticleError):
        polite.fetch(f"{service.url}/a")


@pytest.mark.parametrize(
    "address",
    [
        " http://reader:hunter2@example.com/a",
        "\nhttp://reader:hunter2@example.com/a",
        "\0http://reader:hunter2@example.com/a",
        "ht\ntp://reader:hunter2@example.com/a",
        "http:/\t/reader:hunt\ner2@example.com/a",
    ],
)
def test_white_space_hides_no_password(address: str) -> None:
    assert without_credentials(address) == "http://example.com/a"
    assert "hunt" not in without_secrets(address)


@pytest.mark.parametrize(
    ("tag", "kept"),
    [
        ('W/"a b"', 'W/"a b"'),
        ("\xa0abc", ""),
        ('"\xe9"', ""),
        ('"a\tb"', ""),
        ('"\x01"', ""),
        ('"' + "x" * 501, ""),
        ('"' + "x" * 500, '"' + "x" * 500),
    ],
)
def test_a_validator_that_cannot_be_sent_back_is_not_kept(service: Any, tag: str, kept: str) -> None:
    service.will(service.reply(200, b"<rss>", ETag=tag, Last_Modified=tag))
    with open_session() as session:
        answer = fetch_one(session, f"{service.url}/feed.xml")
    assert answer.validators == (Validators(kept, kept) if kept else NO_VALIDATORS)
