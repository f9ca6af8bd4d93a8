"""A podcast feed's bytes -> its episodes, and an episode -> a storyboard request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

from ..articles.feed import MAX_TITLE, parsed_feed, plain_title, published, recording, web_address
from ..errors import TranscriptError
from ..quoting import quotable
from ..text.language_code import language_code
from ..text.scenes import one_line
from ..text.video_name import video_name
from .sentences import Sentence
from .storyboard import spoken_scene, spoken_scenes

READABLE = (
    "application/json",
    "text/vtt",
    "application/x-subrip",
    "application/srt",
    "text/srt",
    "application/x-srt",
)
"""The types of transcripts that have times, the best first: JSON names the speakers (ours)."""
MAX_EPISODES = 1000
"""A feed's newest ones; what is older is left out (ours)."""

_Entry = tuple[Mapping[str, Any], Sequence[Mapping[str, str]]]
"""What feedparser read of an episode, and the attributes of its transcripts."""


@dataclass(frozen=True)
class Episode:
    """An episode as a feed describes it, and as XCom keeps it (with ``dataclasses.asdict``).

    :param id: the feed's own word for it, else an address.
    :param title: plain text.
    :param url: of its page, else of its audio.
    :param published: ISO 8601 with a time zone, None where the feed gives no date that can be read.
    :param audio_url: of the recording (``<enclosure>``), None where there is none.
    :param media_type: of the recording, such as ``audio/mpeg``.
    :param transcript_url: of the best transcript with times (``<podcast:transcript>``), None where there is none.
    :param cover: of its cover art, else of the podcast's.
    :param language: such as ``en-GB``.
    """

    id: str
    title: str
    url: str
    published: str | None
    audio_url: str | None
    media_type: str | None
    transcript_url: str | None
    cover: str | None
    language: str | None

    @property
    def video_name(self) -> str:
        """Name of its video: safe as a file's name, and never that of another episode's."""
        return video_name(self.title, self.id or self.url)

    @property
    def video_pattern(self) -> str:
        """Matches, as a file's name, its video's name under each title that the feed has ever given it."""
        return f"*-{self.video_name.rpartition('-')[2]}"

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Episode:
        """Return the episode in a mapping, such as one from XCom; other keys are left aside (source: ours).

        :param values: the fields by name; ``title`` and ``url`` must be there and not empty.
        :raises TranscriptError: one of these is missing.
        """
        for name in ("title", "url"):
            if not str(values.get(name) or "").strip():
                raise TranscriptError(
                    f"An episode has no {name}: nothing can be made from it, so leave it out."
                )
        known: dict[str, Any] = {field.name: values.get(field.name) for field in fields(cls)}
        return cls(**known)


@dataclass(frozen=True)
class Podcast:
    """A podcast's feed.

    :param title: plain text.
    :param episodes: the newest 1,000, in the feed's order.
    :param older: how many older ones the feed has beside them.
    """

    title: str
    episodes: tuple[Episode, ...]
    older: int = 0

    def published_between(self, since: datetime, until: datetime) -> list[Episode]:
        """Return the episodes published from one moment on and before another, the oldest first (source: ours).

        :param since: with a time zone.
        :param until: with a time zone.
        """
        dated = [(datetime.fromisoformat(e.published), e) for e in self.episodes if e.published]
        return [
            episode for moment, episode in sorted(dated, key=lambda pair: pair[0]) if since <= moment < until
        ]


def parse_podcast(body: bytes, *, url: str, content_type: str = "") -> Podcast:
    """Return the newest 1,000 episodes of a podcast's RSS feed (source: ours).

    Broken XML is read as far as feedparser can. What has no date counts as the oldest.

    :param body: the feed as it was served.
    :param url: where it was served; relative links are counted from it, and errors name it.
    :param content_type: the HTTP header of that name, for the charset.
    :return: the podcast, its newest episode first.
    :raises TranscriptError: the bytes are no feed, or the feed has no episodes.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    parsed = parsed_feed(
        body, url=url, content_type=content_type, unreadable=lambda reason: TranscriptError(f"{reason}.")
    )
    if not parsed.get("version") or not parsed.entries:
        what = "is empty" if parsed.get("version") else "is not an RSS feed"
        raise TranscriptError(f"{quotable(url)} {what}: give the address of the podcast's own feed.")
    channel = parsed.feed
    entries = list(zip(parsed.entries, _transcripts(body, parsed.entries), strict=True))
    episodes = (_episode(entry, links, url, channel) for entry, links in _newest(entries))
    return Podcast(
        title=one_line(channel.get("title") or ""),
        episodes=tuple(episode for episode in episodes if episode is not None),
        older=max(len(entries) - MAX_EPISODES, 0),
    )


def storyboard_from_episode(
    episode: Episode | Mapping[str, Any],
    sentences: Sequence[Sentence],
    *,
    words_per_scene: int = 30,
) -> dict[str, Any]:
    """Return a storyboard request for an episode: its title, then its sentences, read aloud over its cover art.

    The interface has no field for a recording, so a voice of the service says again what was said. Neighbouring
    sentences of one speaker share a scene (source: the interface, "Scene object"; its use "converting a podcast to a
    video").

    :param episode: an episode, or its fields as a mapping; other keys are left aside.
    :param sentences: of the whole episode, from ``spoken_sentences``, or the ones that matter, from ``extract``.
    :param words_per_scene: the number of words up to which sentences share a scene.
    :return: a dict for ``CreateStoryboardOperator(storyboard=...)``.
    :raises TranscriptError: the episode has no title or address.
    """
    if not isinstance(episode, Episode):
        episode = Episode.from_dict(episode)
    title = one_line(episode.title)
    source = ", ".join(filter(None, [episode.published, episode.url]))
    request = {
        "videoName": episode.video_name,
        "videoDescription": one_line(f"{title} ({source})"),
        "scenes": [
            spoken_scene(title, episode.cover),
            *spoken_scenes(sentences, episode.cover, words_per_scene),
        ],
    }
    return request | ({"language": episode.language} if episode.language else {})


def _episode(
    entry: Mapping[str, Any],
    transcripts: Sequence[Mapping[str, str]],
    feed_url: str,
    channel: Mapping[str, Any],
) -> Episode | None:
    """An entry as an episode; None for one that leads nowhere."""
    recorded = recording(entry)
    audio_url = web_address(feed_url, recorded.get("href"))
    url = web_address(feed_url, entry.get("link")) or audio_url
    title = one_line(plain_title(entry))[:MAX_TITLE]
    if url is None or not title:
        return None
    covers = [(part.get("image") or {}).get("href") for part in (entry, channel)]
    moment = published(entry)
    return Episode(
        id=str(entry.get("id") or url),
        title=title,
        url=url,
        published=moment.isoformat() if moment else None,
        audio_url=audio_url,
        media_type=recorded.get("type") or None,
        transcript_url=_best(transcripts, feed_url),
        cover=next((address for cover in covers if (address := web_address(feed_url, cover))), None),
        language=language_code(channel.get("language")),
    )


def _newest(entries: Sequence[_Entry]) -> Iterable[_Entry]:
    """The newest entries, in the feed's order: some feeds have the newest first, some last."""
    if len(entries) <= MAX_EPISODES:
        return entries
    dates = [published(entry) or datetime.min.replace(tzinfo=UTC) for entry, _ in entries]
    newest = sorted(range(len(entries)), key=dates.__getitem__, reverse=True)[:MAX_EPISODES]
    return (entries[index] for index in sorted(newest))


def _transcripts(body: bytes, entries: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, str]]]:
    """Each entry's transcripts. feedparser keeps the last one only, so the feed's own items are looked at too."""
    try:
        root = ElementTree.fromstring(body)  # noqa: S314 - expat itself limits what entities become
        items = [item for item in root.iter() if item.tag.rpartition("}")[2] == "item"]
    except (ElementTree.ParseError, LookupError, ValueError):
        items = []
    if len(items) != len(entries):
        return [[entry["podcast_transcript"]] if "podcast_transcript" in entry else [] for entry in entries]
    return [[link.attrib for link in item if link.tag.endswith("}transcript")] for item in items]


def _best(transcripts: Sequence[Mapping[str, str]], feed_url: str) -> str | None:
    usable = [
        link for link in transcripts if link.get("type", "").partition(";")[0].strip().lower() in READABLE
    ]
    usable.sort(key=lambda link: READABLE.index(link["type"].partition(";")[0].strip().lower()))
    return next((address for link in usable if (address := web_address(feed_url, link.get("url")))), None)
