"""What a feed's content names must not lead into the own network; what the DAG's author names may be anywhere."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from airflow_video_creation.hooks.articles.polite_fetch import PoliteFetcher
from airflow_video_creation.provider.errors import ArticleError

REFUSED = r"leads to .*which is not a public host.*allow_private_addresses=True"


PUBLIC_ADDRESS = "93.184.216.34"


class Names:
    """A name server: a name ending in .example.com is this machine, or a host of the internet where a test says so."""

    def __init__(self, internet: Any) -> None:
        self.internet = internet
        self.next: dict[str, list[str]] = {}

    def are(self, host: str, *where: str) -> None:
        """Resolve a name to ``inside`` or ``outside``, one look after the other; the last one stays."""
        self.next[host] = list(where)

    def is_outside(self, host: str) -> bool:
        where = self.next.get(host.rstrip("."), ["inside"])
        return (where.pop(0) if len(where) > 1 else where[0]) == "outside"


@pytest.fixture
def internet(service: Any) -> Iterator[Any]:
    """A host with a public address."""
    running = type(service)()
    yield running
    running.stop()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch, internet: Any) -> Names:
    served = Names(internet)
    resolve, peer = socket.getaddrinfo, socket.socket.getpeername

    def answer(host: str, port: int, *arguments: Any, **named: Any) -> Any:
        if not host.rstrip(".").endswith(".example.com"):
            return resolve(host, port, *arguments, **named)
        return resolve("127.0.0.1", internet.port if served.is_outside(host) else port, *arguments, **named)

    def told_peer(connected: socket.socket) -> Any:
        address = peer(connected)
        return (PUBLIC_ADDRESS, 80) if address[1] == internet.port else address

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    monkeypatch.setattr(socket.socket, "getpeername", told_peer)
    return served


FEED = "http://news.example.com:{}/feed.xml"


@pytest.fixture
def sites(service: Any, internet: Any) -> None:
    """The same paths inside and outside."""
    for where, site in (("inside", service), ("outside", internet)):
        site.will("404", on="/robots.txt")
        site.will(site.reply(200, where.encode()))


def asked(site: Any) -> list[str]:
    return [seen.path for seen in site.seen]


@pytest.mark.usefixtures("sites")
def test_the_pages_of_a_feed_from_outside_are_outside_whatever_its_name_is_resolved_to_later(
    service: Any, internet: Any, names: Names
) -> None:
    names.are("news.example.com", "outside", "outside", "inside")
    feed = FEED.format(service.port)

    with PoliteFetcher(trusted=[feed], pause=0) as polite:
        assert polite.fetch(feed).body == b"outside"
        with pytest.raises(ArticleError, match=rf"news\.example\.com \(127\.0\.0\.1\).*{REFUSED[9:]}"):
            polite.fetch(f"http://news.example.com:{service.port}/admin")

    assert asked(service) == []
    assert asked(internet) == ["/robots.txt", "/feed.xml"]


@pytest.mark.usefixtures("sites")
def test_it_counts_where_the_feed_came_from_and_not_where_robots_txt_did(service: Any, names: Names) -> None:
    names.are("news.example.com", "inside", "outside", "inside")
    feed = FEED.format(service.port)

    with PoliteFetcher(trusted=[feed], pause=0) as polite:
        assert polite.fetch(feed).body == b"outside"
        with pytest.raises(ArticleError, match=REFUSED):
            polite.fetch(f"http://news.example.com:{service.port}/admin")

    assert asked(service) == ["/robots.txt"]


@pytest.mark.usefixtures("sites")
def test_a_run_that_reads_its_pages_again_asks_where_the_feed_comes_from(
    service: Any, internet: Any, names: Names
) -> None:
    feed = FEED.format(service.port)
    page = f"http://news.example.com:{service.port}/a"

    with PoliteFetcher(trusted=[feed], pause=0) as polite:
        assert polite.fetch(page).body == b"inside"
        assert polite.fetch(page).body == b"inside"
    assert asked(service) == ["/robots.txt", "/feed.xml", "/a", "/a"]

    service.seen.clear()
    names.are("news.example.com", "inside", "inside", "outside", "inside")
    with PoliteFetcher(trusted=[feed], pause=0) as polite, pytest.raises(ArticleError, match=REFUSED):
        polite.fetch(page)
    assert "/a" not in asked(service)


@pytest.mark.usefixtures("sites")
def test_a_feed_from_outside_need_not_be_asked_for_its_pages_to_be_read_again(
    service: Any, internet: Any, names: Names
) -> None:
    names.are("news.example.com", "outside")

    with PoliteFetcher(trusted=[FEED.format(service.port)], pause=0) as polite:
        assert polite.fetch(f"http://news.example.com:{service.port}/a").body == b"outside"

    assert asked(internet) == ["/robots.txt", "/a"]


@pytest.mark.usefixtures("sites")
@pytest.mark.parametrize(("answer", "retryable"), [("404", False), ("503", True)])
def test_a_feed_that_is_gone_proves_nothing_and_one_that_is_busy_is_asked_later(
    service: Any, clock: Any, names: Names, answer: str, retryable: bool
) -> None:
    service.will(answer, on="/feed.xml")

    with PoliteFetcher(trusted=[FEED.format(service.port)], sleep=clock.sleep) as polite:
        for page in ("a", "b"):
            with pytest.raises(ArticleError) as caught:
                polite.fetch(f"http://news.example.com:{service.port}/{page}")
            assert caught.value.retryable is retryable

    assert set(asked(service)) == {"/robots.txt", "/feed.xml"}


@pytest.mark.usefixtures("sites")
def test_the_robots_txt_of_a_host_inside_counts_once_it_may_be_asked(service: Any, names: Names) -> None:
    service.will(service.reply(200, b"User-agent: *\nDisallow: /drafts"), on="/robots.txt")

    with (
        PoliteFetcher(trusted=[FEED.format(service.port)], pause=0) as polite,
        pytest.raises(ArticleError, match="forbids it"),
    ):
        polite.fetch(f"http://news.example.com:{service.port}/drafts")


@pytest.mark.usefixtures("sites")
@pytest.mark.parametrize("host", ["News.Example.com", "news.example.com."])
def test_a_host_is_the_same_however_it_is_written(service: Any, names: Names, host: str) -> None:
    feed = f"http://{host}:{service.port}/feed.xml"

    with PoliteFetcher(trusted=[feed], pause=0) as polite:
        assert polite.fetch(feed).body == b"inside"
        for written in ("news.example.com", "NEWS.example.com", "news.example.com."):
            assert polite.fetch(f"http://{written}:{service.port}/a").body == b"inside"


@pytest.mark.usefixtures("sites")
def test_an_ipv6_address_that_the_author_gave_may_be_private(
    service: Any, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = socket.getaddrinfo

    def answer(host: str, *arguments: Any, **named: Any) -> Any:
        return resolve("127.0.0.1" if host == "::1" else host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with PoliteFetcher(trusted=[f"http://[::1]:{service.port}/feed.xml"], pause=0) as polite:
        assert polite.fetch(f"http://[::1]:{service.port}/a").body == b"inside"


def test_a_public_name_with_a_private_address_is_refused_before_anything_is_sent(
    service: Any, names: Names
) -> None:
    with PoliteFetcher(trusted=["https://news.example.com/feed.xml"], pause=0) as polite:
        for scheme in ("http", "https"):
            with pytest.raises(ArticleError, match=rf"inner\.example\.com \(127\.0\.0\.1\).*{REFUSED[9:]}"):
                polite.fetch(f"{scheme}://inner.example.com:{service.port}/a")
    assert service.seen == []


def test_a_host_whose_feed_is_private_may_be_private_at_any_port(
    service: Any, names: Names, internet: Any
) -> None:
    service.will(service.reply(200, b"<rss>"))
    service.will("404", on="/robots.txt")
    other = type(service)()
    other.will(service.reply(200, b"<rss>"))
    feed = f"http://News.Example.com:{other.port}/feed.xml"
    with PoliteFetcher(trusted=[feed], pause=0) as polite:
        polite.fetch(feed)
        other.stop()
        assert polite.fetch(f"http://news.example.com:{service.port}/a").body == b"<rss>"
    with PoliteFetcher(allow_private_addresses=True) as polite:
        assert polite.fetch(f"http://inner.example.com:{service.port}/a").body == b"<rss>"


def test_a_redirect_into_the_own_network_is_not_followed(service: Any, names: Names) -> None:
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
