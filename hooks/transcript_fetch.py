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

    Call it within a task. Web addresses are fetched as ``PoliteFetcher`` does; everything else is a path or URL for
    ObjectStoragePath. It is read in a process of its own. Messages show no user name, password or query of an address.

    :param address: such as ``https://...``, ``s3://conn_id@bucket/talk.vtt`` or ``/files/talk.srt``.
    :param encoding: the charset of a file that is not UTF-8, such as ``cp1252``.
    :param language: if the transcript itself does not say.
    :param feed_url: the feed that names the address. An address in a feed must not lead into your own network. The only
        private host that is asked is the feed's own, and only if the feed itself comes from your network.
    :param respect_robots: whether to obey the site's robots.txt.
    :param allow_private_addresses: whether any host may be asked.
    :param sleep: waits before a busy site is asked again.
    :return: its cues, in order.
    :raises ArticleUnreachableError: a web site or a storage did not answer, but may later.
    :raises ArticleError: there is no such file, or it cannot or must not be read, or takes too long to read.
    :raises TranscriptError: the file is not a transcript, or is broken; names the line. Or there is no address, as for
        an episode without a transcript.
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
            # The kind of file shows in its content, not in its name.
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

    Call it within a task. It is fetched as ``PoliteFetcher`` does, and read in a process of its own. If it has more
    than 1,000 episodes, the log says how many were left out.

    :param feed_url: address of the RSS feed.
    :param respect_robots: whether to obey the site's robots.txt.
    :param allow_private_addresses: whether it may redirect to any host; otherwise the only private host that is asked
        is its own.
    :param sleep: waits before a busy site is asked again.
    :return: its newest 1,000 episodes.
    :raises ArticleUnreachableError: the web site did not answer, but may later.
    :raises ArticleError: the web site did not answer with a file that can and may be read.
    :raises TranscriptError: the file is not a feed, or has no episodes.
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
