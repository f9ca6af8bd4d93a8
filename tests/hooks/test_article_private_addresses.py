"""What a feed's content names must not lead into the own network; what the DAG's author names may be anywhere."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from airflow_video_creation.hooks.polite_fetch import PoliteFetcher
from airflow_video_creation.provider.protocol.errors import ArticleError

REFUSED = r"leads to .*which is not a public host.*allow_private_addresses=True"


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server to which every name ending in .example.com is this machine."""
    resolve = socket.getaddrinfo

    def answer(host: str, *arguments: Any, **named: Any) -> Any:
        return resolve("127.0.0.1" if host.endswith(".example.com") else host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", answer)


def test_a_public_name_with_a_private_address_is_refused_before_anything_is_sent(
    service: Any, names: None
) -> None:
    with PoliteFetcher(trusted=["https://news.example.com/feed.xml"], pause=0) as polite:
        for scheme in ("http", "https"):
            with pytest.raises(ArticleError, match=rf"inner\.example\.com \(127\.0\.0\.1\).*{REFUSED[9:]}"):
                polite.fetch(f"{scheme}://inner.example.com:{service.port}/a")
    assert service.seen == []


def test_the_hosts_that_the_author_gave_may_be_private_at_any_port(service: Any, names: None) -> None:
    service.will(service.reply(200, b"<rss>"))
    service.will("404", on="/robots.txt")
    with PoliteFetcher(trusted=["https://News.Example.com/feed.xml"], pause=0) as polite:
        assert polite.fetch(f"http://news.example.com:{service.port}/a").body == b"<rss>"
    with PoliteFetcher(allow_private_addresses=True) as polite:
        assert polite.fetch(f"http://inner.example.com:{service.port}/a").body == b"<rss>"


def test_a_redirect_into_the_own_network_is_not_followed(service: Any, names: None) -> None:
    service.will(service.reply(302, Location=f"http://inner.example.com:{service.port}/secret"), on="/a")
    service.will(service.reply(301, Location=f"http://127.0.0.1:{service.port}/robots.txt"), on="/robots.txt")
    url = f"http://news.example.com:{service.port}/a"
    with PoliteFetcher(trusted=[url]) as polite, pytest.raises(ArticleError, match=f"{url} {REFUSED}"):
        polite.fetch(url)
    assert "/secret" not in [seen.path for seen in service.seen]
    assert {seen.headers["host"] for seen in service.seen} == {f"news.example.com:{service.port}"}


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "a.localhost",
        "127.1",
        "0x7f000001",
        "2130706433",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "10.0.0.1",
    ],
)
def test_a_private_host_is_refused_by_its_name_also_where_a_proxy_would_connect(
    service: Any, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("http_proxy", service.url)
    monkeypatch.setenv("no_proxy", "")
    with PoliteFetcher() as polite, pytest.raises(ArticleError, match=REFUSED):
        polite.fetch(f"http://{host}/a")
    assert service.seen == []


def test_behind_a_proxy_public_names_are_the_proxys_to_resolve(
    service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", service.url)
    monkeypatch.setenv("no_proxy", "")
    service.will(service.reply(200, b"<html>"))
    with PoliteFetcher(respect_robots=False) as polite:
        assert polite.fetch("http://news.example.com/a").body == b"<html>"
    assert [seen.path for seen in service.seen] == ["http://news.example.com/a"]
