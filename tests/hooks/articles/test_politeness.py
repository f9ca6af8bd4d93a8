"""PoliteFetcher as a guest: robots.txt, pauses, and how often a busy site is asked."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.articles.polite_fetch import PoliteFetcher
from airflow_video_creation.provider.errors import ArticleError, ArticleUnreachableError

PAGE = "<html>"


def fetcher(service: Any, clock: Any, **arguments: Any) -> PoliteFetcher:
    return PoliteFetcher(trusted=[service.url], sleep=clock.sleep, clock=clock.time, **arguments)


def paths(service: Any) -> list[str]:
    return [seen.path for seen in service.seen]


def robots(service: Any, *lines: str) -> None:
    service.will(service.reply(200, "\n".join(lines).encode()), on="/robots.txt")
    service.will(service.reply(200, PAGE.encode()))


def test_what_robots_txt_forbids_is_not_asked_for(service: Any, clock: Any) -> None:
    robots(service, "User-agent: *", "Disallow: /drafts/", "Allow: /drafts/*.html$")
    with fetcher(service, clock) as polite:
        polite.fetch(f"{service.url}/a")
        polite.fetch(f"{service.url}/drafts/a.html")
        with pytest.raises(
            ArticleError, match=r"robots.txt of 127\.0\.0\.1 forbids it: .*/drafts/a\.php"
        ) as caught:
            polite.fetch(f"{service.url}/drafts/a.php")
    assert not caught.value.retryable
    assert paths(service) == ["/robots.txt", "/a", "/drafts/a.html"]


def test_a_site_can_address_this_robot_and_its_owner_may_overrule(service: Any, clock: Any) -> None:
    robots(service, "User-agent: airflow-provider-video-creation", "Disallow: /", "User-agent: *", "Allow: /")
    with fetcher(service, clock) as polite, pytest.raises(ArticleError, match="respect_robots=False"):
        polite.fetch(f"{service.url}/a")
    with fetcher(service, clock, respect_robots=False) as polite:
        polite.fetch(f"{service.url}/a")
    assert paths(service) == ["/robots.txt", "/a"]


def test_a_redirect_to_what_robots_txt_forbids_is_not_followed(service: Any, clock: Any) -> None:
    robots(service, "User-agent: *", "Disallow: /inner")
    service.will(service.reply(302, Location="/inner"), on="/a")
    with fetcher(service, clock) as polite, pytest.raises(ArticleError, match=r"forbids it: .*/inner"):
        polite.fetch(f"{service.url}/a")
    assert paths(service) == ["/robots.txt", "/a"]


@pytest.mark.parametrize("answer", ["404", "403", "410", "html"])
def test_a_site_without_robots_txt_allows_everything(service: Any, clock: Any, answer: str) -> None:
    service.will(service.reply(200, PAGE.encode()))
    service.will(answer, on="/robots.txt")
    with fetcher(service, clock) as polite:
        assert polite.fetch(f"{service.url}/a").body == PAGE.encode()


@pytest.mark.parametrize("answer", ["503", "429", "reset"])
def test_while_robots_txt_cannot_be_read_nothing_is_asked(service: Any, clock: Any, answer: str) -> None:
    service.will(answer, on="/robots.txt")
    with fetcher(service, clock) as polite:
        for page in ("a", "b"):
            with pytest.raises(
                ArticleUnreachableError, match=rf"/{page} was not requested, .* allows it"
            ) as caught:
                polite.fetch(f"{service.url}/{page}")
    assert caught.value.retryable
    assert paths(service) == ["/robots.txt"] * 3


def test_a_site_that_says_when_its_robots_txt_can_be_read_is_kept_to(service: Any, clock: Any) -> None:
    service.will(service.reply(503, retry_after="7200"), on="/robots.txt")
    with fetcher(service, clock) as polite, pytest.raises(ArticleUnreachableError) as caught:
        polite.fetch(f"{service.url}/a")
    assert caught.value.retry_after == 7200


def test_a_redirect_to_a_site_whose_robots_txt_is_busy_is_waited_for_once(service: Any, clock: Any) -> None:
    service.will("404", service.reply(503, Retry_After="20"), on="/robots.txt")
    service.will(service.reply(302, Location=service.url.replace("127.0.0.1", "localhost") + "/moved"))
    with fetcher(service, clock, pause=0, allow_private_addresses=True) as polite:
        for page in ("a", "b", "c"):
            with pytest.raises(ArticleUnreachableError, match="/moved was not requested") as caught:
                polite.fetch(f"{service.url}/{page}")
    assert caught.value.retry_after == 20
    assert clock.slept == [20, 20]
    assert paths(service) == [*["/robots.txt", "/a"], *["/robots.txt"] * 3, "/b", "/c"]


def test_a_byte_order_mark_hides_no_rule_of_a_robots_txt(service: Any, clock: Any) -> None:
    robots(service, "\ufeffUser-agent: *", "Disallow: /")
    with fetcher(service, clock) as polite, pytest.raises(ArticleError, match="forbids it"):
        polite.fetch(f"{service.url}/a")


def test_there_is_a_pause_between_two_pages_of_one_site(service: Any, clock: Any) -> None:
    service.will(service.reply(200, PAGE.encode()))
    service.will("404", on="/robots.txt")
    with fetcher(service, clock) as polite:
        for page in "abc":
            polite.fetch(f"{service.url}/{page}")
        clock.sleep(0.75)
        polite.fetch(f"{service.url}/d")
    assert clock.slept == [1, 1, 0.75, 0.25]


@pytest.mark.parametrize(("asked_for", "pause"), [("5", 5), ("0.2", 1), ("3600", 30), ("often", 1)])
def test_a_crawl_delay_is_kept_up_to_a_limit(service: Any, clock: Any, asked_for: str, pause: float) -> None:
    robots(service, "User-agent: *", f"Crawl-delay: {asked_for}")
    with fetcher(service, clock) as polite:
        polite.fetch(f"{service.url}/a")
        polite.fetch(f"{service.url}/b")
    assert clock.slept == [pause]


def test_a_busy_site_is_asked_again_when_it_says(service: Any, clock: Any) -> None:
    busy = service.reply(429, Retry_After="7")
    service.will("503", busy, service.reply(200, PAGE.encode()), on="/a")
    with fetcher(service, clock, pause=0) as polite:
        assert polite.fetch(f"{service.url}/a").body == PAGE.encode()
    assert clock.slept == [0.5, 7]


@pytest.mark.parametrize("later", ["3600", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_a_site_that_wants_to_be_left_alone_for_long_is(service: Any, clock: Any, later: str) -> None:
    service.will(service.reply(503, Retry_After=later), on="/a")
    with fetcher(service, clock) as polite, pytest.raises(ArticleUnreachableError, match="answered 503"):
        polite.fetch(f"{service.url}/a")
    assert paths(service) == ["/robots.txt", "/a"]
    assert clock.slept == []


@pytest.mark.parametrize("odd", ["", "soon", "-1", "Fri, 99 Jan"])
def test_a_retry_after_that_says_nothing_is_left_aside(service: Any, clock: Any, odd: str) -> None:
    service.will(service.reply(503, Retry_After=odd), on="/a")
    with fetcher(service, clock, pause=0) as polite, pytest.raises(ArticleUnreachableError):
        polite.fetch(f"{service.url}/a")
    assert clock.slept == [0.5, 1]
