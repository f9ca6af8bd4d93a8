"""Fetches transcripts, from the web or from any storage, and podcasts' feeds."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .airflow.errors import airflow_errors

if TYPE_CHECKING:
    from ..provider.transcripts.podcast import Podcast
    from ..provider.transcripts.transcript import Transcript

log = logging.getLogger(__name__)

_ON_THE_WEB = re.compile(r"\s*https?://", re.IGNORECASE)


def fetch_transcript(
    address: str,
    *,
    encoding: str | None = None,
    language: str | None = None,
    feed_url: str | None = None,
    respect_robots: bool = True,
    allow_private_addresses: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> Transcript:
    """Read a transcript: .srt, .vtt or .json (source: ours).

    To be called within a task. Web addresses are fetched as ``PoliteFetcher`` does; everything else is a path or URL
    for ObjectStoragePath. It is read in a process of its own. Messages show no user name, password or query of an
    address.

    :param address: such as ``https://...``, ``s3://conn_id@bucket/talk.vtt`` or ``/files/talk.srt``.
    :param encoding: the charset of a file that is not UTF-8, such as ``cp1252``.
    :param language: where the transcript itself does not tell.
    :param feed_url: the feed that names the address. What a feed names must not lead into your own network: of hosts
        whose address is not public only the feed's own is asked, if the feed itself is answered from the own network.
    :param respect_robots: whether the site's robots.txt counts.
    :param allow_private_addresses: every host is asked.
    :param sleep: what waits before a busy site is asked again.
    :return: its cues, in order.
    :raises ArticleUnreachableError: a web site or a storage did not answer, later it may.
    :raises ArticleError: there is no such file, none that can or may be read, or one that takes too long to read.
    :raises TranscriptError: what is there is no transcript, or a broken one; names the line. Or there is no address,
        as of an episode without a transcript.
    :raises ConfigurationError: the storage cannot be used, or the extra ``[articles]`` is not installed.
    """
    from ..provider.errors import TranscriptError
    from ..provider.transcripts.transcript import parse_transcript
    from .articles.fetch import without_secrets
    from .articles.files import read_file
    from .articles.polite_fetch import PoliteFetcher
    from .articles.reading_process import ReadingProcess

    with airflow_errors(), ReadingProcess() as reader:
        if not isinstance(address, str) or not address.strip():
            raise TranscriptError(
                f"The transcript has no address ({address!r}): leave out episodes whose transcript_url is None."
            )
        if _ON_THE_WEB.match(address):
            with PoliteFetcher(
                trusted=[feed_url or address],
                allow_private_addresses=allow_private_addresses,
                respect_robots=respect_robots,
                sleep=sleep,
            ) as fetcher:
                answer = fetcher.fetch(address)
            content_type = answer.content_type
        else:
            # What kind of file it is shows in the file itself, not in its name.
            answer, content_type = read_file(address), ""
        return reader.run(
            address,
            parse_transcript,
            answer.body,
            name=without_secrets(address),
            content_type=content_type,
            encoding=encoding,
            language=language,
        )


def fetch_podcast(
    feed_url: str,
    *,
    respect_robots: bool = True,
    allow_private_addresses: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> Podcast:
    """Read a podcast's feed (source: ours).

    To be called within a task. It is fetched as ``PoliteFetcher`` does, and read in a process of its own. The log tells
    how many episodes were left out where it has more than 1,000.

    :param feed_url: of the RSS feed.
    :param respect_robots: whether the site's robots.txt counts.
    :param allow_private_addresses: it may redirect to any host; else of those whose address is not public only its own
        is asked.
    :param sleep: what waits before a busy site is asked again.
    :return: its newest 1,000 episodes.
    :raises ArticleUnreachableError: the web site did not answer, later it may.
    :raises ArticleError: the web site answered, and not with a file that can or may be read.
    :raises TranscriptError: what is there is no feed, or has no episodes.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    from ..provider.transcripts.podcast import parse_podcast
    from .articles.fetch import without_secrets
    from .articles.polite_fetch import PoliteFetcher
    from .articles.reading_process import ReadingProcess

    with (
        airflow_errors(),
        PoliteFetcher(
            trusted=[feed_url],
            allow_private_addresses=allow_private_addresses,
            respect_robots=respect_robots,
            sleep=sleep,
        ) as fetcher,
        ReadingProcess() as reader,
    ):
        answer = fetcher.fetch(feed_url)
        podcast = reader.run(
            answer.url, parse_podcast, answer.body, url=answer.url, content_type=answer.content_type
        )
    if podcast.older:
        log.warning("%s: the %d oldest episodes are left out", without_secrets(answer.url), podcast.older)
    return podcast
