"""A podcast's feed: its episodes, and which transcript of each can be used."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from fnmatch import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import TranscriptError
from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.transcripts.podcast import (
    MAX_EPISODES,
    Episode,
    Podcast,
    parse_podcast,
    storyboard_from_episode,
)
from airflow_video_creation.provider.transcripts.sentences import Sentence

URL = "https://example.com/pod/feed.xml"
SRT = '<podcast:transcript url="/1.srt" type="application/x-subrip"/>'
VTT = '<podcast:transcript url="1.vtt" type="text/vtt; charset=utf-8" rel="captions"/>'
JSON = '<podcast:transcript url="https://cdn.example.com/1.json" type="application/json"/>'
HTML = '<podcast:transcript url="/1.html" type="text/html"/>'
AUDIO = '<enclosure url="/1.mp3" length="9" type="audio/mpeg"/>'


def feed(*items: str, channel: str = "", namespace: str = "https://podcastindex.org/namespace/1.0") -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" '
        'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
        f'xmlns:podcast="{namespace}"><channel><title>Pod</title><link>https://example.com/</link>'
        f"{channel}{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>"
    ).encode()


def item(*inside: str, title: str = "One", date: str = "Sat, 21 Nov 2026 10:00:00 GMT") -> str:
    return f'<title>{title}</title><guid isPermaLink="false">g-{title}</guid><pubDate>{date}</pubDate>{"".join(inside)}'


def read(body: bytes) -> Podcast:
    return parse_podcast(body, url=URL)


def test_an_episode_with_all_that_a_feed_tells() -> None:
    art = '<itunes:image href="/one.jpg"/><link>https://example.com/one</link>'
    channel = '<language>en-GB</language><itunes:image href="/cover.jpg"/>'
    podcast = read(feed(item(AUDIO, SRT, art), item(AUDIO, title="Two"), channel=channel))
    assert podcast.title == "Pod"
    assert podcast.episodes[0] == Episode(
        id="g-One",
        title="One",
        url="https://example.com/one",
        published="2026-11-21T10:00:00+00:00",
        audio_url="https://example.com/1.mp3",
        media_type="audio/mpeg",
        transcript_url="https://example.com/1.srt",
        cover="https://example.com/one.jpg",
        language="en-GB",
    )
    assert podcast.episodes[1].cover == "https://example.com/cover.jpg"
    assert podcast.episodes[1].url == "https://example.com/1.mp3"
    assert podcast.episodes[1].transcript_url is None


@pytest.mark.parametrize(
    ("transcripts", "best"),
    [
        ((SRT, VTT, JSON, HTML), "https://cdn.example.com/1.json"),
        ((SRT, VTT), "https://example.com/pod/1.vtt"),
        ((SRT, HTML), "https://example.com/1.srt"),
        ((HTML,), None),
        (('<podcast:transcript type="text/vtt"/>',), None),
    ],
)
def test_the_transcript_with_the_most_in_it_is_taken(transcripts: tuple[str, ...], best: str | None) -> None:
    old = "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"
    for namespace in ("https://podcastindex.org/namespace/1.0", old):
        body = feed(item(AUDIO, *transcripts), namespace=namespace)
        assert read(body).episodes[0].transcript_url == best


def test_broken_xml_is_read_as_far_as_it_goes() -> None:
    podcast = read(feed(item(AUDIO, SRT), item(AUDIO, VTT, title="Two")).replace(b"<guid", b"&nope;<guid"))
    assert [e.transcript_url for e in podcast.episodes] == [
        "https://example.com/1.srt",
        "https://example.com/pod/1.vtt",
    ]


def test_episodes_of_a_time_the_oldest_first() -> None:
    dates = [f"Sat, {day} Nov 2026 10:00:00 GMT" for day in (21, 14, 7)]
    podcast = read(
        feed(*(item(AUDIO, title=d[5:7], date=d) for d in dates), item(AUDIO, title="x", date="soon"))
    )
    found = podcast.published_between(
        datetime(2026, 11, 10, tzinfo=UTC), datetime(2026, 11, 21, 10, tzinfo=UTC)
    )
    assert [episode.title for episode in found] == ["14"]


@pytest.mark.parametrize("broken", [False, True])
def test_of_a_long_feed_the_newest_are_read_wherever_it_has_them(broken: bool) -> None:
    days = [datetime(2020, 1, 1, 10, tzinfo=UTC) + timedelta(days=n) for n in range(MAX_EPISODES + 3)]
    items = [
        item(AUDIO, SRT.replace("1.srt", f"{n}.srt"), title=str(n), date=format_datetime(day, usegmt=True))
        for n, day in enumerate(days)
    ]
    body = feed(item(AUDIO, title="undated", date="soon"), *items)
    podcast = read(body.replace(b"<guid", b"&nope;<guid") if broken else body)
    assert [episode.title for episode in podcast.episodes] == [str(n) for n in range(3, MAX_EPISODES + 3)]
    assert podcast.episodes[0].transcript_url == "https://example.com/3.srt"
    assert podcast.older == 4
    assert read(feed(items[0])).older == 0


def test_of_a_long_feed_without_dates_the_first_are_read() -> None:
    podcast = read(feed(*(item(AUDIO, title=str(n), date="") for n in range(MAX_EPISODES + 1))))
    assert [podcast.episodes[0].title, podcast.episodes[-1].title] == ["0", str(MAX_EPISODES - 1)]


def test_an_episode_that_tells_only_when_it_was_updated_has_that_date() -> None:
    updated = '<updated xmlns="http://www.w3.org/2005/Atom">2026-11-21T08:00:00Z</updated>'
    body = feed(f"<title>One</title>{AUDIO}{updated}")
    [episode] = read(body).published_between(
        datetime(2026, 11, 21, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    )
    assert episode.published == "2026-11-21T08:00:00+00:00"


def test_a_changed_title_is_the_same_video() -> None:
    one, other = (read(feed(item(AUDIO, title=title))).episodes[0] for title in ("One", "Two"))
    renamed = replace(one, title="Why (really) [this]?")
    assert renamed.video_name != one.video_name
    assert fnmatch(one.video_name, renamed.video_pattern)
    assert not fnmatch(other.video_name, renamed.video_pattern)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<html><body>Hello</body></html>", "is not an RSS feed"),
        (feed(), "is empty"),
        (b"", "is not an RSS feed"),
    ],
)
def test_what_is_no_feed_is_refused(body: bytes, says: str) -> None:
    with pytest.raises(TranscriptError, match=says):
        read(body)


def test_an_episode_is_read_aloud_over_its_cover() -> None:
    [episode] = read(feed(item(AUDIO, '<itunes:image href="/one.jpg"/>', title="A &amp;amp; B"))).episodes
    request = storyboard_from_episode(asdict(episode), [Sentence("Hello.", 0, 1)])
    Storyboard.read(request)
    assert [scene["text"] for scene in request["scenes"]] == ["A &amp; B", "Hello."]
    assert {scene["backgroundUri"] for scene in request["scenes"]} == {"https://example.com/one.jpg"}
    assert request["videoName"] == episode.video_name
    with pytest.raises(TranscriptError, match="has no title"):
        storyboard_from_episode({**asdict(episode), "title": " "}, [])


@given(
    st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [AUDIO, SRT, "<title>a</title>", "<item>", "</item>", "&nope;", "<link>//[</link>", "<guid/>"]
        )
        | st.text(max_size=5),
        max_size=9,
    ).map(lambda parts: feed(item(*parts)))
)
def test_any_feed_is_read_or_refused(body: bytes) -> None:
    try:
        podcast = read(body)
    except TranscriptError:
        return
    for episode in podcast.episodes:
        Storyboard.read(storyboard_from_episode(episode, [Sentence("a", 0, 1)]))
