"""A feed's bytes -> its entries."""

from __future__ import annotations

import calendar
import hashlib
import html
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from ..errors import ArticleError, VideoCreationError
from ..extras import articles_extra
from ..quoting import quotable
from ..text.readable_text import readable

MAX_ADDRESS = 2048
"""An entry with a longer address has no usable link (ours)."""
MAX_GUID = 100
"""A longer one is replaced by its digest (ours)."""
MAX_TITLE = 300
"""Characters; the title becomes a scene of its own, which is paid for (ours)."""
_DAY = 86_400.0
PERIODS = {
    "hourly": 3600.0,
    "daily": _DAY,
    "weekly": 7 * _DAY,
    "monthly": 30 * _DAY,
    "yearly": 365 * _DAY,
}
"""The words of ``sy:updatePeriod`` in seconds (RSS 1.0 Syndication)."""


@dataclass(frozen=True)
class FeedEntry:
    """What a feed says about one article; a page given only by its address has only ``url``.

    ``published`` is in UTC, None if the feed gives no date that can be read. ``guid`` identifies the article besides
    its address: the feed's own id for it or, if that is missing or shared by several, a digest of title and date; None
    if these are missing too, or shared by several.
    """

    url: str
    title: str = ""
    published: datetime | None = None
    author: str | None = None
    guid: str | None = None


@dataclass(frozen=True)
class Feed:
    """A feed's usable entries, in the feed's order, each address once.

    ``language`` is the feed's own word for it, such as ``en-GB``. ``damage`` says what is wrong with the feed's XML if
    it could be read anyway. ``without_link`` counts entries without a web page. ``interval``: seconds between two polls
    that the feed itself asks for, None if it does not say.
    """

    entries: tuple[FeedEntry, ...]
    language: str | None = None
    damage: str | None = None
    without_link: int = 0
    interval: float | None = None


def parsed_feed(
    body: bytes, *, url: str, content_type: str, unreadable: Callable[[str], VideoCreationError]
) -> Any:
    """Return what feedparser makes of a feed (source: ours).

    :param body: the feed as it was served.
    :param url: where it was served; relative links are resolved against it, and errors name it.
    :param content_type: the HTTP header of that name, for the charset; empty where there is none.
    :param unreadable: makes the error for bytes that feedparser cannot read, from the beginning of its message.
    :raises VideoCreationError: from ``unreadable``.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    with articles_extra():
        import feedparser

    headers = {"content-type": content_type or "application/xml", "content-location": url}
    try:
        # As a stream: feedparser would treat plain bytes as a file's name if they are one.
        return feedparser.parse(io.BytesIO(body), response_headers=headers)
    # A feed is untrusted data: it may declare a charset such as undefined.
    except Exception as error:
        raise unreadable(f"{quotable(url)} cannot be read as a feed ({type(error).__name__})") from error


def parse_feed(
    body: bytes, *, url: str, content_type: str = "", may_be_empty: bool = False, recordings: bool = False
) -> Feed:
    """Return the entries of an RSS or Atom feed; broken XML is read as far as feedparser can (source: ours).

    The date of an entry is when it was published or, without that, updated.

    :param body: the feed as it was served.
    :param url: where it was served; relative links are resolved against it, and errors name it.
    :param content_type: the HTTP header of that name, for the charset.
    :param may_be_empty: whether a feed may have no entries.
    :param recordings: whether an entry without its own page links to its recording, as in a podcast.
    :raises ArticleError: the bytes are not a feed, or the feed has no entries.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    parsed = parsed_feed(
        body,
        url=url,
        content_type=content_type,
        unreadable=lambda reason: ArticleError(
            f"{reason}. Check what is there, or use another feed of that site."
        ),
    )
    if not parsed.get("version"):
        raise ArticleError(
            f"{quotable(url)} is not an RSS or Atom feed ({_first_words(body)}): "
            "give the address of the feed itself. To read a web page, use urls=."
        )
    if not parsed.entries and not may_be_empty:
        raise ArticleError(
            f"The feed {quotable(url)} is empty. Check that it is the right feed, and that its publisher still "
            "fills it."
        )

    entries: dict[str, FeedEntry] = {}
    without_link = 0
    guids = Counter(raw.get("id") for raw in parsed.entries)
    links = Counter(raw.get("link") for raw in parsed.entries)
    links[parsed.feed.get("link")] += 1
    told = [(plain_title(raw), published(raw)) for raw in parsed.entries]
    alike = Counter(told)
    for raw, (title, date) in zip(parsed.entries, told, strict=True):
        link = web_address(url, raw.get("link"))
        # Some podcasts give all their episodes the podcast's own page.
        if recordings and (link is None or links[raw.get("link")] > 1):
            link = web_address(url, recording(raw).get("href")) or link
        if link is None or len(link) > MAX_ADDRESS:
            without_link += 1
            continue
        guid = raw.get("id") or ""
        if guid in ("", link) or guids[guid] > 1:
            # An address may change from poll to poll, such as with a session number in it.
            guid = f"{title}\n{date}" if title and date and alike[title, date] == 1 else ""
            guid = guid and _digest(guid)[:16]
        entries.setdefault(
            link,
            FeedEntry(
                url=link,
                title=title,
                published=date,
                author=readable(raw.get("author") or "") or None,
                guid=_short(guid) or None,
            ),
        )
    return Feed(
        entries=tuple(entries.values()),
        language=parsed.feed.get("language") or None,
        damage=str(parsed.bozo_exception) if parsed.bozo else None,
        without_link=without_link,
        interval=asked_interval(parsed.feed),
    )


def asked_interval(channel: Mapping[str, Any]) -> float | None:
    """Seconds between two polls that a feed asks for, None if it does not say (source: RSS 2.0, mod_syndication).

    :param channel: the feed itself as feedparser reads it.
    """
    asked = [60 * minutes for minutes in [_number(channel.get("ttl"))] if minutes]
    if period := PERIODS.get(str(channel.get("sy_updateperiod") or "").strip().lower()):
        asked.append(period / (_number(channel.get("sy_updatefrequency")) or 1))
    return max(asked, default=None)


def _number(text: Any) -> float | None:
    """A positive number in a feed, None for anything else."""
    try:
        number = float(text)
    except (TypeError, ValueError):
        return None
    return number if 0 < number < math.inf else None


def web_address(base: str, link: str | None) -> str | None:
    """A link as a complete http(s) address, None if it is not one (source: ours).

    :param base: the page with the link; a relative link is resolved against it.
    :param link: as it is written there.
    """
    try:
        address = urljoin(base, link or "") if link else ""
        return address if urlsplit(address).scheme in ("http", "https") else None
    except ValueError:
        return None


def _short(guid: str) -> str:
    return guid if len(guid) <= MAX_GUID else _digest(guid)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def recording(raw: Mapping[str, Any]) -> Mapping[str, str]:
    """The enclosure of an entry that is most likely its recording, empty if there is none (source: ours).

    :param raw: the entry as feedparser reads it.
    """
    enclosures = [
        link for link in raw.get("links", ()) if link.get("rel") == "enclosure" and link.get("href")
    ]
    heard_or_seen = [link for link in enclosures if link.get("type", "").startswith(("audio/", "video/"))]
    return next(iter([*heard_or_seen, *enclosures]), {})


def plain_title(raw: Mapping[str, Any]) -> str:
    """The title of an entry as plain text on one line (source: ours).

    :param raw: the entry as feedparser reads it.
    """
    title = raw.get("title") or ""
    if (raw.get("title_detail") or {}).get("type", "text/plain") != "text/plain":
        title = html.unescape(re.sub(r"<[^>]*>", "", title))
    return " ".join(readable(title).split())


def published(raw: Mapping[str, Any]) -> datetime | None:
    """When an entry was published or, without that, updated, in UTC; None if no date can be read (source: ours).

    :param raw: the entry as feedparser reads it.
    """
    # Not with get: it returns one date for the other, and warns.
    dates = [raw[key] for key in ("published_parsed", "updated_parsed") if key in raw]
    moment = next(filter(None, dates), None)
    try:
        return datetime.fromtimestamp(calendar.timegm(moment), UTC) if moment else None
    except (ValueError, OverflowError, OSError):
        return None


def _first_words(body: bytes) -> str:
    start = " ".join(body[:200].decode("utf-8", "replace").split())[:40]
    return f"it starts with {start!r}" if start else "the answer has no content"
