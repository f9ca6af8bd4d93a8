"""Fetches one feed or page with requests, within limits on time and on the decoded size."""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from ..provider.articles.errors import ArticleUnreachableError
from ..provider.protocol.errors import ArticleError
from ..provider.protocol.quoting import quotable
from .redirects import leave_redirect_unread
from .time_limit import OutOfTimeError, within
from .transport_failures import failure_reason
from .unlogged_urls import urls_not_logged

USER_AGENT = "Mozilla/5.0 (compatible; airflow-provider-video-creation)"
CONNECT_TIMEOUT, READ_TIMEOUT, TOTAL_TIMEOUT = 10, 30, 60
LARGEST_ANSWER = 10 * 1024 * 1024
PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})

_USER_INFO = re.compile(r"^((?:[a-z][a-z0-9+.-]*://)?)[^/?#]*@", re.IGNORECASE)


class Answer(NamedTuple):
    """What a web site answered.

    ``body`` is decoded, ``url`` is where it came from after redirects, without user name and password, and
    ``content_type`` is the header of that name, empty where there is none.
    """

    body: bytes
    url: str
    content_type: str


def open_session() -> requests.Session:
    """Return a session which asks up to three times where a site is busy (source: ours)."""
    # A Retry-After is not kept: it may be hours, and the task's own retries are there for that.
    retry = Retry(
        total=2,
        backoff_factor=0.5,
        status_forcelist=PASSING_STATUSES,
        respect_retry_after_header=False,
        raise_on_status=False,
    )
    session = requests.Session()
    session.headers["User-Agent"] = USER_AGENT
    session.hooks["response"].append(leave_redirect_unread)
    session.mount("http://", HTTPAdapter(max_retries=retry))
    session.mount("https://", HTTPAdapter(max_retries=retry))
    return session


def fetch(session: requests.Session, url: str) -> Answer:
    """Fetch one address; redirects are followed (source: ours).

    The exchange runs in a thread of its own, so that a site which drips cannot hold the caller.

    :param session: from ``open_session``.
    :param url: http or https, may hold user name and password. Messages show neither these nor the query.
    :raises ArticleUnreachableError: the site did not answer within 60 s, or answered that it cannot now.
    :raises ArticleError: the address cannot be fetched, or the answer is larger than 10 MiB, unpacked.
    """
    try:
        with urls_not_logged():
            return within(TOTAL_TIMEOUT, partial(_exchange, session, url), "article")
    except OutOfTimeError:
        raise ArticleUnreachableError(
            f"{shown(url)} sent no whole answer within {TOTAL_TIMEOUT} s: try again later."
        ) from None


def without_credentials(url: str) -> str:
    """Return an address without user name and password.

    :param url: any text; one that is no address is looked through too.
    """
    return _USER_INFO.sub(r"\1", url)


def shown(url: str) -> str:
    """Return an address as messages show it: without user name, password and query.

    :param url: any text.
    """
    return quotable(without_credentials(url)) or "''"


def _exchange(session: requests.Session, url: str) -> Answer:
    # Errors of requests quote the whole address, so none stays as a cause.
    where = shown(url)
    try:
        with session.get(url, timeout=(CONNECT_TIMEOUT, READ_TIMEOUT), stream=True) as response:
            status = response.status_code
            if status in PASSING_STATUSES:
                raise ArticleUnreachableError(f"{where} answered {status}: it may answer again later.")
            if not response.ok:
                raise ArticleError(f"{where} answered {status}: check the address and who may read it.")
            body = bytearray()
            for chunk in response.iter_content(64 * 1024):
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    size = f"{LARGEST_ANSWER >> 20} MiB"
                    raise ArticleError(f"{where} is larger than {size}: check that it is a page or a feed.")
            content_type = response.headers.get("content-type", "")
            return Answer(bytes(body), without_credentials(response.url), content_type)
    # What requests raises for an address, its own errors or the standard library's.
    except ValueError:
        raise ArticleError(
            f"{where} is, or redirects to, what is no address that can be fetched: give one such as "
            "https://www.example.com/feed.xml."
        ) from None
    except requests.exceptions.TooManyRedirects:
        raise ArticleError(f"{where} redirects without end: check the address in a browser.") from None
    except requests.exceptions.RequestException as error:
        raise ArticleUnreachableError(
            f"{where} cannot be reached ({failure_reason(error, url)}): check the address and the network."
        ) from None
