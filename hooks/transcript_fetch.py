"""Fetches transcripts, from the web or from any storage, and podcasts' feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..provider.protocol.errors import ConfigurationError
from ..provider.protocol.quoting import quotable
from .airflow_errors import airflow_errors

if TYPE_CHECKING:
    from ..provider.transcripts.podcast import Podcast
    from ..provider.transcripts.transcript import Transcript


def fetch_transcript(
    address: str,
    *,
    encoding: str | None = None,
    language: str | None = None,
    feed_url: str | None = None,
    allow_private_addresses: bool = False,
) -> Transcript:
    """Read a transcript: .srt, .vtt or .json (source: ours).

    To be called within a task. Web addresses are fetched within the limits of ``article_fetch``; everything else is
    a path or URL for ObjectStoragePath. Messages show no user name, password or query of an address.

    :param address: such as ``https://...``, ``s3://conn_id@bucket/talk.vtt`` or ``/files/talk.srt``.
    :param encoding: the charset of a file that is not UTF-8, such as ``cp1252``.
    :param language: where the transcript itself does not tell.
    :param feed_url: the feed that names the address. What a feed names must not lead into your own network: of hosts
        whose address is not public only the feed's own is asked.
    :param allow_private_addresses: every host is asked.
    :raises ArticleUnreachableError: a web site did not answer, later it may.
    :raises ArticleError: a web site answered, and not with a file that can be read.
    :raises TranscriptError: what is there is no transcript, or a broken one; names the line.
    :raises ConfigurationError: there is no such file, or the extra ``[articles]`` is not installed.
    """
    from ..provider.transcripts.transcript import parse_transcript
    from .article_fetch import fetch, open_session, shown
    from .public_connections import host_of

    with airflow_errors():
        if address.startswith(("http://", "https://")):
            trusted = None if allow_private_addresses else {host_of(feed_url or address)}
            with open_session(trusted) as session:
                answer = fetch(session, address)
            body, content_type = answer.body, answer.content_type
        else:
            body, content_type = _stored(address), ""
        return parse_transcript(
            body, name=shown(address), content_type=content_type, encoding=encoding, language=language
        )


def fetch_podcast(feed_url: str, *, allow_private_addresses: bool = False) -> Podcast:
    """Read a podcast's feed (source: ours).

    To be called within a task. It is fetched within the limits of ``article_fetch``, and read in a process of its own.

    :param feed_url: of the RSS feed.
    :param allow_private_addresses: it may redirect to any host; else of those whose address is not public only its own
        is asked.
    :raises ArticleUnreachableError: the web site did not answer, later it may.
    :raises ArticleError: the web site answered, and not with a file that can be read.
    :raises TranscriptError: what is there is no feed, or has no episodes.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    from ..provider.transcripts.podcast import parse_podcast
    from .article_fetch import fetch, open_session
    from .public_connections import host_of
    from .reading_process import ReadingProcess

    trusted = None if allow_private_addresses else {host_of(feed_url)}
    with airflow_errors(), open_session(trusted) as session, ReadingProcess() as reader:
        answer = fetch(session, feed_url)
        return reader.run(
            answer.url, parse_podcast, answer.body, url=answer.url, content_type=answer.content_type
        )


def _stored(address: str) -> bytes:
    from airflow.providers.common.compat.sdk import ObjectStoragePath

    from ..provider.transcripts.transcript import LARGEST_TRANSCRIPT

    try:
        place = ObjectStoragePath(address if "://" in address else f"file://{address}")
        # One byte more than is allowed shows that it is too large.
        body: bytes = place.fs.read_block(place.path, 0, LARGEST_TRANSCRIPT + 1)
        return body
    # Every file system has errors of its own, for a missing file as for a missing connection or package.
    except Exception as error:
        raise ConfigurationError(
            f"The transcript {quotable(address)} cannot be read "
            f"({quotable(str(error)) or type(error).__name__}): check its address, the connection and its rights."
        ) from error
