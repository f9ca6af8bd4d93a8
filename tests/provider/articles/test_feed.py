"""A feed's bytes -> entries: RSS and Atom, damaged XML, and what is no feed."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airflow_video_creation import example_dags
from airflow_video_creation.example_dags.sample_site.placeholders import fill_placeholders
from airflow_video_creation.provider.articles.feed import FeedEntry, parse_feed
from airflow_video_creation.provider.errors import ArticleError, ConfigurationError
from airflow_video_creation.provider.text.readable_text import NOT_READABLE

SITE = "https://almanac.example.com"
NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)
SAMPLE_SITE = Path(str(example_dags.__file__)).parent / "sample_site"


def rss(items: str) -> bytes:
    return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'.encode()


def item(title: str = "A title", link: str = f"{SITE}/a", more: str = "") -> str:
    return f"<item><title>{title}</title><link>{link}</link>{more}</item>"


@pytest.mark.parametrize("name", ["feed.xml", "atom.xml"])
def test_rss_and_atom_say_the_same(name: str) -> None:
    text = fill_placeholders((SAMPLE_SITE / name).read_text("utf-8"), site=SITE, now=NOW)

    feed = parse_feed(text.encode(), url=f"{SITE}/{name}")

    assert feed.language is not None
    assert feed.language.lower() == "en-gb"
    assert feed.damage is None
    assert tuple(replace(entry, guid=None) for entry in feed.entries) == (
        FeedEntry(
            url=f"{SITE}/tide-mill.html",
            title="After 140 years, the tide mill makes electricity again",
            published=datetime(2026, 11, 21, 10, 30, tzinfo=UTC),
            author="Marguerite Vallé",
        ),
        FeedEntry(
            url=f"{SITE}/city-swifts.html",
            title="How a city counts its swifts",
            published=datetime(2026, 11, 21, 7, 30, tzinfo=UTC),
            author="Tomás Ibarra",
        ),
        FeedEntry(
            url=f"{SITE}/winter-bread.html",
            title="Flour, water & a cold kitchen: why bread rises slower in winter",
            published=datetime(2026, 11, 21, 3, 30, tzinfo=UTC),
            author="Ingrid Solheim",
        ),
    )


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Salt &amp; tide", "Salt & tide"),
        ("Salt &amp;amp; tide", "Salt & tide"),
        ("<![CDATA[The <b>old</b> mill]]>", "The old mill"),
        ("{{ 1/0 }} and &lt;break&gt;", "{{ 1/0 }} and <break>"),
        ("Two\n   lines", "Two lines"),
    ],
)
def test_titles_are_plain_text(written: str, title: str) -> None:
    (entry,) = parse_feed(rss(item(written)), url=SITE).entries
    assert entry.title == title


@pytest.mark.parametrize(
    ("dates", "published"),
    [
        (
            "<pubDate>Sat, 21 Nov 2026 08:00:00 +0100</pubDate>",
            datetime(2026, 11, 21, 7, tzinfo=UTC),
        ),
        (
            '<updated xmlns="http://www.w3.org/2005/Atom">2026-11-21T08:00:00Z</updated>',
            datetime(2026, 11, 21, 8, tzinfo=UTC),
        ),
        ("<pubDate>last Tuesday</pubDate>", None),
        ("", None),
    ],
    ids=["published", "only updated", "not a date", "no date"],
)
def test_an_entry_is_dated_when_it_was_published(dates: str, published: datetime | None) -> None:
    (entry,) = parse_feed(rss(item(more=dates)), url=SITE).entries
    assert entry.published == published


def test_an_entry_has_the_feeds_own_name_for_it_where_that_tells_it_from_others() -> None:
    items = [
        item(link=f"{SITE}/{name}", more=f"<guid isPermaLink='false'>{guid}</guid>")
        for name, guid in [("a", "7"), ("b", "same"), ("c", "same"), ("d", f"{SITE}/d"), ("e", "x" * 1000)]
    ]
    guids = [entry.guid for entry in parse_feed(rss("".join(items)), url=SITE).entries]
    assert guids[:4] == ["7", None, None, None]
    assert guids[4]
    assert len(guids[4]) < 100


def test_without_a_name_an_entry_is_known_by_title_and_date_where_they_tell_it_from_others() -> None:
    date = "<pubDate>Sat, 21 Nov 2026 08:00:00 GMT</pubDate>"

    def guids(session: int) -> list[str | None]:
        items = [
            item("One", f"{SITE}/a?sid={session}", date),
            item("Two", f"{SITE}/b?sid={session}", f"<guid>{SITE}/b?sid={session}</guid>{date}"),
            item("Undated", f"{SITE}/c?sid={session}"),
            item("Round-up", f"{SITE}/d?sid={session}", date),
            item("Round-up", f"{SITE}/e?sid={session}", date),
            item("Named", f"{SITE}/f", f"<guid isPermaLink='false'>f</guid>{date}"),
        ]
        return [entry.guid for entry in parse_feed(rss("".join(items)), url=SITE).entries]

    assert guids(1) == guids(2)
    one, two, *others = guids(1)
    assert one != two
    assert one
    assert two
    assert others == [None, None, None, "f"]


def test_episodes_that_all_link_to_the_podcasts_own_page_lead_to_their_recordings() -> None:
    def episode(number: int) -> str:
        sound = f'<enclosure url="{SITE}/{number}.mp3" type="audio/mpeg" length="1"/>'
        return item(f"Episode {number}", f"{SITE}/show", sound)

    show = f"<link>{SITE}/show</link>"
    one = parse_feed(rss(show + episode(1)), url=SITE, recordings=True)
    two = parse_feed(rss(episode(2) + episode(1)), url=SITE, recordings=True)
    assert [entry.url for entry in one.entries] == [f"{SITE}/1.mp3"]
    assert [entry.url for entry in two.entries] == [f"{SITE}/2.mp3", f"{SITE}/1.mp3"]


def test_titles_and_authors_hold_no_character_that_a_store_refuses() -> None:
    body = rss(item("A&amp;#0;B\x1b", more="<author>C&amp;#xD800;\0D</author>"))
    [entry] = parse_feed(body, url=SITE).entries
    assert not NOT_READABLE.search(entry.title + (entry.author or ""))


def test_an_address_of_any_length_is_no_link() -> None:
    feed = parse_feed(rss(item() + item(link=f"{SITE}/{'x' * 3000}")), url=SITE)
    assert (len(feed.entries), feed.without_link) == (1, 1)


@pytest.mark.parametrize(
    "body",
    [
        rss(item())[:-20],
        rss(item("Salt & tide")),
        b'<?xml version="1.0" encoding="utf-8"?>' + rss(item("Caf\u00e9")).decode().encode("latin-1"),
    ],
    ids=["cut off", "a bare ampersand", "the wrong charset"],
)
def test_damaged_xml_is_read_as_far_as_it_goes(body: bytes) -> None:
    feed = parse_feed(body, url=SITE)
    assert [entry.url for entry in feed.entries] == [f"{SITE}/a"]
    assert feed.damage


def test_links_become_absolute_and_come_once_and_others_are_counted() -> None:
    items = item(link="/a") + item(link=f"{SITE}/a") + item(link="")
    items += item(link="file:///etc/passwd") + item(link="http://[::1")
    feed = parse_feed(rss(items), url=f"{SITE}/news/feed.xml")
    assert [entry.url for entry in feed.entries] == [f"{SITE}/a"]
    assert feed.without_link == 3


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<!DOCTYPE html><html><body>Welcome</body></html>", "is not an RSS or Atom feed"),
        (b"", "the answer has no content"),
        (b'{"items": []}', "is not an RSS or Atom feed"),
        (__file__.encode(), "is not an RSS or Atom feed"),
        (rss(""), "is empty"),
    ],
    ids=["a page", "nothing", "JSON", "a file's name", "a feed without entries"],
)
def test_what_is_no_use_as_a_feed_is_said_with_its_address(body: bytes, says: str) -> None:
    with pytest.raises(ArticleError, match=says) as caught:
        parse_feed(body, url=f"{SITE}/feed.xml")
    assert f"{SITE}/feed.xml" in str(caught.value)


@pytest.mark.parametrize("charset", ["undefined", "punycode", "x\0y"])
@pytest.mark.parametrize("declared", ["in the header", "in the feed"])
def test_a_charset_that_no_feed_can_have_is_said(charset: str, declared: str) -> None:
    header = f"application/xml; charset={charset}" if declared == "in the header" else ""
    declaration = f'<?xml version="1.0" encoding="{charset}"?>' if declared == "in the feed" else ""
    body = declaration.encode() + rss(item()) + b"<!-- this is no punycode-! -->"
    # Since Python 3.13 this is a text that cannot be decoded so, and feedparser tries another charset.
    if charset == "punycode" and sys.version_info >= (3, 13):
        assert parse_feed(body, url=f"{SITE}/feed.xml", content_type=header)
        return
    with pytest.raises(ArticleError, match=rf"{SITE}/feed.xml cannot be read as a feed .*Error\)"):
        parse_feed(body, url=f"{SITE}/feed.xml", content_type=header)


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "feedparser", None)
    with pytest.raises(
        ConfigurationError, match=r"pip install 'airflow-provider-video-creation\[articles\]'"
    ):
        parse_feed(rss(item()), url=SITE)
