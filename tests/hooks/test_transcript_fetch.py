"""Transcripts and podcasts are fetched from where they are; what is wrong fails the task with a clear message."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.demo.sample_site import FOLDER, sample_site
from airflow_video_creation.hooks.articles import reading_process
from airflow_video_creation.hooks.transcript_fetch import fetch_podcast, fetch_transcript
from airflow_video_creation.provider.errors import ArticleError, ArticleUnreachableError, TranscriptError

SRT = b"1\n00:00:01,000 --> 00:00:02,000\na"


def test_a_transcript_on_the_web_and_the_same_one_on_disk() -> None:
    with sample_site() as site:
        fetched = fetch_transcript(f"{site}/ferry.srt", language="en")
    assert fetched.language == "en"
    assert fetched.cues[0].text == "Good morning from the harbour of Saint-Énogat."
    for address in (f"{FOLDER}/ferry.srt", f"file://{FOLDER}/ferry.srt"):
        assert fetch_transcript(address).cues == fetched.cues


def test_a_podcast_and_its_transcripts() -> None:
    with sample_site() as site:
        podcast = fetch_podcast(f"{site}/podcast.xml")
        links = [episode.transcript_url for episode in podcast.episodes]
        assert links == [f"{site}/podcast-12.json", f"{site}/podcast-11.vtt", None]
        speakers = [{cue.speaker for cue in fetch_transcript(link).cues} for link in links if link]
    assert speakers == [{"Tomás", "Marguerite"}, {"Tomás", "Ingrid"}]


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (None, ArticleError, "does not exist"),
        ("1\n00:00:01,000 --> 00:00:0x,000\na", TranscriptError, "line 2"),
    ],
)
def test_a_file_that_no_retry_mends(tmp_path: Path, content: str | None, kind: Any, says: str) -> None:
    path = tmp_path / "talk.srt"
    if content is not None:
        path.write_text(content)
    with pytest.raises(AirflowFailException, match=says) as caught:
        fetch_transcript(str(path))
    assert isinstance(caught.value, kind)
    assert str(path) in str(caught.value)


def test_a_site_that_says_no_and_one_that_is_away(service: Any, clock: Any) -> None:
    service.will("404")
    with pytest.raises(AirflowFailException, match="answered 404") as caught:
        fetch_transcript(f"{service.url}/talk.srt?key=secret")
    assert isinstance(caught.value, ArticleError)
    assert "secret" not in str(caught.value)
    service.stop_listening()
    with pytest.raises(ArticleUnreachableError) as unreachable:
        fetch_transcript(f"{service.url}/talk.srt", sleep=clock.sleep)
    assert not isinstance(unreachable.value, AirflowFailException)


def test_a_busy_site_is_asked_again_when_it_says(service: Any, clock: Any) -> None:
    busy = service.reply(503, Retry_After="7")
    service.will(busy, service.reply(200, SRT), on="/talk.srt")
    service.will(busy, service.reply(200, (FOLDER / "podcast.xml").read_bytes()), on="/podcast.xml")
    assert fetch_transcript(f"{service.url}/talk.srt", sleep=clock.sleep).end == 2
    assert fetch_podcast(f"{service.url}/podcast.xml", sleep=clock.sleep).episodes
    assert clock.slept.count(7) == 2


@pytest.mark.parametrize("fetch", [fetch_transcript, fetch_podcast])
def test_what_robots_txt_forbids_is_not_asked_for(service: Any, fetch: Any) -> None:
    service.will(service.reply(200, b"User-agent: *\nDisallow: /"), on="/robots.txt")
    with pytest.raises(AirflowFailException, match="respect_robots=False"):
        fetch(f"{service.url}/a")
    assert [seen.path for seen in service.seen] == ["/robots.txt"]
    with pytest.raises(ArticleError, match="answered 404"):
        fetch(f"{service.url}/a", respect_robots=False)


@pytest.mark.parametrize("address", [None, "", " ", 7])
def test_an_episode_without_a_transcript_has_none_to_fetch(address: Any) -> None:
    with pytest.raises(AirflowFailException, match=r"has no address .*: leave out") as caught:
        fetch_transcript(address)
    assert isinstance(caught.value, TranscriptError)


def test_the_scheme_of_an_address_may_be_in_capitals() -> None:
    with sample_site() as site:
        assert fetch_transcript(f"{site}/ferry.srt".replace("http", "HTTP")).cues


def test_a_transcript_that_is_made_to_be_slow_to_read_does_not_hold_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "MAX_CPU_SECONDS", 0.01)
    path = tmp_path / "talk.srt"
    path.write_bytes(SRT + b" a" * 1_000_000)
    with pytest.raises(AirflowFailException, match=r"takes more than 0\.01 s of computing") as caught:
        fetch_transcript(str(path))
    assert isinstance(caught.value, ArticleError)


def test_the_log_tells_how_many_episodes_of_a_feed_were_not_read(
    service: Any, caplog: pytest.LogCaptureFixture
) -> None:
    items = b"<item><title>a</title><link>/a</link></item>" * 1003
    service.will(service.reply(200, b'<rss version="2.0"><channel>%b</channel></rss>' % items))
    with caplog.at_level("WARNING"):
        assert len(fetch_podcast(f"{service.url}/feed.xml").episodes) == 1000
    assert f"{service.url}/feed.xml: the 3 oldest episodes are left out" in caplog.text


def test_a_page_is_no_podcast() -> None:
    with sample_site() as site, pytest.raises(TranscriptError, match="is not an RSS feed"):
        fetch_podcast(f"{site}/tide-mill.html")


def test_a_feed_does_not_lead_into_the_own_network(service: Any) -> None:
    address = f"{service.url}/talk.srt"
    with pytest.raises(ArticleError, match="not a public host"):
        fetch_transcript(address, feed_url="https://podcast.example.com/feed.xml")
    assert service.seen == []
    service.will(service.reply(200, SRT))
    assert fetch_transcript(address, feed_url=f"{service.url}/feed.xml").end == 2
    public = "https://podcast.example.com/feed.xml"
    assert fetch_transcript(address, feed_url=public, allow_private_addresses=True).end == 2


@pytest.mark.parametrize("scheme", ["http", "HTTP", " http"])
def test_a_feed_does_not_lead_into_the_own_network_through_a_proxy_either(
    service: Any, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv("http_proxy", service.url)
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(ArticleError, match="not a public host"):
        fetch_transcript(f"{scheme}://169.254.169.254/a", feed_url="https://podcast.example.com/feed.xml")
    assert service.seen == []


@pytest.fixture
def busy_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    """``memory://`` answers as a bucket does which gets too many requests."""
    attach("memory", fs=MemoryFileSystem())

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("SlowDown: please reduce your request rate")

    monkeypatch.setattr(MemoryFileSystem, "_open", fail)


@pytest.mark.usefixtures("busy_storage")
def test_a_storage_that_is_busy_is_tried_again() -> None:
    with pytest.raises(ArticleUnreachableError, match="SlowDown") as busy:
        fetch_transcript("memory://bucket/talk.srt")
    assert not isinstance(busy.value, AirflowFailException)


def test_a_storage_that_never_answers_does_not_hold_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    attach("memory", fs=MemoryFileSystem())
    monkeypatch.setattr(MemoryFileSystem, "_open", lambda *_, **__: over.wait(30))
    monkeypatch.setattr("airflow_video_creation.hooks.articles.files.TOTAL_TIMEOUT", 0.05)
    with pytest.raises(ArticleUnreachableError, match=r"was not read within 0\.05 s"):
        fetch_transcript("memory://bucket/talk.srt")
    over.set()


def test_what_is_no_file_is_not_tried_again(tmp_path: Path) -> None:
    with pytest.raises(AirflowFailException, match="cannot be read"):
        fetch_transcript(str(tmp_path))
