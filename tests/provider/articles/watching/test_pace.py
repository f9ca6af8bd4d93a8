"""How long a watcher leaves a site alone."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.articles.feed import parse_feed
from airflow_video_creation.provider.articles.watching.pace import (
    cached_for,
    wait_after_answer,
    wait_after_failure,
)


@pytest.mark.parametrize(
    ("wishes", "seconds"),
    [
        ((), 60),
        ((None, None), 60),
        ((30.0,), 60),
        ((1800.0, 300.0), 1800),
        ((1e12,), 86_400),
    ],
)
def test_whoever_wants_the_longest_wait_has_it_up_to_a_day(
    wishes: tuple[float | None, ...], seconds: float
) -> None:
    assert wait_after_answer(60, *wishes) == seconds


@pytest.mark.parametrize(
    ("failures", "retry_after", "seconds"),
    [
        (1, None, 120),
        (2, None, 240),
        (6, None, 3600),
        (10_000, None, 3600),
        (1, 900.0, 900),
        (1, 5.0, 120),
        (1, 1e12, 86_400),
    ],
)
def test_a_feed_in_trouble_is_asked_more_and_more_seldom(
    failures: int, retry_after: float | None, seconds: float
) -> None:
    assert wait_after_failure(60, failures, retry_after) == seconds


def test_a_feed_in_trouble_is_never_asked_more_often_than_the_author_wants() -> None:
    assert wait_after_failure(7200, 1, None) == 7200


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", None),
        ("no-cache", None),
        ("max-age=300", 300),
        ('public, MAX-AGE="60", immutable', 60),
        ("s-maxage=900", None),
        ("max-age=-1", None),
        ("max-age=99999999999999999999999", 9_999_999_999),
    ],
)
def test_a_server_says_how_long_its_answer_stays_as_it_is(header: str, seconds: float | None) -> None:
    assert cached_for(header) == seconds


@pytest.mark.parametrize(
    ("channel", "seconds"),
    [
        ("", None),
        ("<ttl>30</ttl>", 1800),
        ("<ttl>soon</ttl>", None),
        ("<ttl>-5</ttl>", None),
        ("<ttl>nan</ttl>", None),
        ("<sy:updatePeriod> hourly </sy:updatePeriod>", 3600),
        ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 900),
        ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 86_400),
        ("<sy:updatePeriod>sometimes</sy:updatePeriod>", None),
        ("<ttl>5</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
    ],
)
def test_a_feed_says_how_often_it_changes(channel: str, seconds: float | None) -> None:
    namespace = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
    body = f'<rss version="2.0" {namespace}><channel><title>F</title>{channel}</channel></rss>'
    feed = parse_feed(body.encode(), url="https://example.com/feed.xml", may_be_empty=True)
    assert feed.interval == seconds
