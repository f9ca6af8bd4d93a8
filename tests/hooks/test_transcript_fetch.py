"""Transcripts and podcasts are fetched from where they are; what is wrong fails the task with a clear message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.demo.sample_site import FOLDER, sample_site
from airflow_video_creation.hooks.transcript_fetch import fetch_podcast, fetch_transcript
from airflow_video_creation.provider.articles.errors import ArticleUnreachableError
from airflow_video_creation.provider.protocol.errors import ArticleError, ConfigurationError
from airflow_video_creation.provider.transcripts.errors import TranscriptError


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
        (None, ConfigurationError, "cannot be read"),
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


def test_a_site_that_says_no_and_one_that_is_busy(service: Any) -> None:
    service.will("404")
    with pytest.raises(AirflowFailException, match="answered 404") as caught:
        fetch_transcript(f"{service.url}/talk.srt?key=secret")
    assert isinstance(caught.value, ArticleError)
    assert "secret" not in str(caught.value)
    service.stop_listening()
    with pytest.raises(ArticleUnreachableError) as unreachable:
        fetch_transcript(f"{service.url}/talk.srt")
    assert not isinstance(unreachable.value, AirflowFailException)


def test_a_page_is_no_podcast() -> None:
    with sample_site() as site, pytest.raises(TranscriptError, match="is no RSS feed"):
        fetch_podcast(f"{site}/tide-mill.html")


def test_a_feed_does_not_lead_into_the_own_network(service: Any) -> None:
    address = f"{service.url}/talk.srt"
    with pytest.raises(ArticleError, match="not a public host"):
        fetch_transcript(address, feed_url="https://podcast.example.com/feed.xml")
    assert service.seen == []
    service.will(service.reply(200, b"1\n00:00:01,000 --> 00:00:02,000\na"))
    assert fetch_transcript(address, feed_url=f"{service.url}/feed.xml").end == 2
    public = "https://podcast.example.com/feed.xml"
    assert fetch_transcript(address, feed_url=public, allow_private_addresses=True).end == 2
