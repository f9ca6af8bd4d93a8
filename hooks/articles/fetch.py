"""Fetches one feed or page with requests, within limits on time, on redirects and on the decoded size."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import requests

from ...provider.articles.selection.memory import NO_VALIDATORS, Validators, usable_in_requests
from ...provider.errors import ArticleError, ArticleUnreachableError
from ...provider.protocol.retry_after import retry_after_seconds
from ...provider.quoting import quotable
from ..transport.failures import failure_reason
from ..transport.redirects import leave_redirect_unread
from ..transport.time_limit import OutOfTimeError, within
from ..transport.unlogged_urls import urls_not_logged
from .public_hosts import PrivateAddressError, PublicAddressAdapter

USER_AGENT = "Mozilla/5.0 (compatible; airflow-provider-video-creation)"
CONNECT_TIMEOUT, READ_TIMEOUT, TOTAL_TIMEOUT = 10, 30, 60
MAX_ANSWER = 10 * 1024 * 1024
MAX_REDIRECTS = 10
NOT_MODIFIED = 304
PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})

_USER_INFO = re.compile(r"^[\x00-\x20\s]*((?:[a-z][a-z0-9+.-]*://)?)[^/?#]*@", re.IGNORECASE)
_IGNORED = str.maketrans("", "", "\t\r\n")


class Answer(NamedTuple):
    """What a web site answered.

    ``body`` is decoded, ``url`` is where it came from after redirects, without user name and password, and
    ``content_type`` is the header of that name, empty where there is none. ``validators`` are sent later to ask whether
    it has changed. ``retry_after``: seconds after which the site wants to be asked again, None where it did not say.
    ``cache_control`` is the header of that name. ``moved_to`` is the address to ask from now on, None if it has not
    moved.
    """

    body: bytes
    url: str
    content_type: str = ""
    status: int = 200
    validators: Validators = NO_VALIDATORS
    retry_after: float | None = None
    cache_control: str = ""
    moved_to: str | None = None

    @property
    def unchanged(self) -> bool:
        """Whether nothing has changed since the validators that were sent; then it has no body."""
        return self.status == NOT_MODIFIED


class _Redirect(NamedTuple):
    """The request that a redirect asks for, and whether it is permanent."""

    request: requests.PreparedRequest
    for_good: bool


def open_session(trusted: set[str] | None = None) -> requests.Session:
    """Return a session for ``fetch`` (source: ours).

    :param trusted: the hosts, in lower case, which may have an address that is not public, see
        ``PublicAddressAdapter``; None: every host may.
    """
    session = requests.Session()
    session.headers["User-Agent"] = USER_AGENT
    session.hooks["response"].append(leave_redirect_unread)
    adapter = PublicAddressAdapter(trusted)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def drop_connections(session: requests.Session, *, for_good: bool = False) -> None:
    """End a session's requests, from any thread (source: ours).

    :param session: from ``open_session``.
    :param for_good: whether its later requests end at once too.
    """
    for adapter in session.adapters.values():
        if isinstance(adapter, PublicAddressAdapter):
            adapter.drop_connections(for_good=for_good)


def fetch(
    session: requests.Session,
    url: str,
    *,
    validators: Validators = NO_VALIDATORS,
    before: Callable[[str], None] | None = None,
) -> Answer:
    """Fetch one address; redirects are followed (source: ours).

    :param session: from ``open_session``.
    :param url: http or https, may hold user name and password. Messages show neither these nor the query.
    :param validators: those of an earlier answer: an answer that has not changed since has no body.
    :param before: called with each address before it is asked; raises an error to forbid it.
    :raises ArticleUnreachableError: the site did not answer within 60 s, or answered that it cannot now.
    :raises ArticleError: the address cannot be fetched, or the answer is larger than 10 MiB, unpacked.
    """
    answer = ask(session, url, validators=validators, before=before)
    where = without_secrets(url)
    if answer.status in PASSING_STATUSES:
        raise ArticleUnreachableError(
            f"{where} answered {answer.status}. Try again later.", retry_after=answer.retry_after
        )
    if answer.status >= 300 and not (answer.unchanged and any(validators)):
        raise ArticleError(f"{where} answered {answer.status}. Check the address and who may read it.")
    return answer


def ask(
    session: requests.Session,
    url: str,
    *,
    validators: Validators = NO_VALIDATORS,
    before: Callable[[str], None] | None = None,
) -> Answer:
    """Fetch one address as ``fetch`` does, and return the answer whatever its status; only a good one has a body.

    The exchange runs in a thread of its own, so that a very slow site cannot hold the caller.
    """
    ends = time.monotonic() + TOTAL_TIMEOUT
    step: requests.PreparedRequest | str = url
    moved_to: str | None = None
    for_good = True
    for _ in range(MAX_REDIRECTS + 1):
        address = step if isinstance(step, str) else str(step.url)
        if before:
            before(address)
        exchange = partial(_exchange, session, step, url, validators)
        try:
            reply = within(max(0.0, ends - time.monotonic()), exchange, "article")
        except OutOfTimeError:
            # A very slow site would keep its thread for days.
            drop_connections(session)
            raise ArticleUnreachableError(
                f"{without_secrets(url)} sent no complete answer within {TOTAL_TIMEOUT} s. Try again later."
            ) from None
        if isinstance(reply, Answer):
            return reply._replace(moved_to=moved_to)
        step = reply.request
        for_good = for_good and reply.for_good
        if for_good:
            moved_to = step.url
    raise ArticleError(f"{without_secrets(url)} redirects endlessly. Check the address in a browser.")


class LeadsInsideError(ArticleError):
    """An address leads to a host of your own network that is not trusted; nothing was sent there.

    :param message: what happened, on what, what to do next.
    :param host: in lower case.
    """

    def __init__(self, message: str, *, host: str) -> None:
        super().__init__(message)
        self.host = host


def private_address_error(url: str, error: PrivateAddressError) -> LeadsInsideError:
    """Return the error for an address that leads into your own network.

    :param url: that was asked for.
    :param error: names the host that it led to.
    """
    return LeadsInsideError(
        f"{without_secrets(url)} leads to {error}, which is not a public host. Other people's content must not lead "
        "into your own network. If this is intended, give allow_private_addresses=True.",
        host=error.host,
    )


def without_credentials(url: str) -> str:
    """Return an address without user name and password.

    :param url: any text; a text that is not an address is searched too.
    """
    # Browsers ignore these within an address, so they must not hide anything (WHATWG URL, 4.4).
    return _USER_INFO.sub(r"\1", url.translate(_IGNORED))


def without_secrets(url: str) -> str:
    """Return an address as messages show it: without user name, password and query.

    :param url: any text.
    """
    return quotable(without_credentials(url)) or "''"


def _exchange(
    session: requests.Session, step: str | requests.PreparedRequest, url: str, validators: Validators
) -> Answer | _Redirect:
    """Send one request, and return its answer or what a redirect asks for."""
    # Errors of requests quote the whole address, so none is kept as a cause.
    where = without_secrets(url)
    try:
        if isinstance(step, str):
            headers = {"If-None-Match": validators.etag, "If-Modified-Since": validators.last_modified}
            given = {name: value for name, value in headers.items() if value}
            step = session.prepare_request(requests.Request("GET", step, headers=given))
        settings = session.merge_environment_settings(step.url, {}, True, None, None)
        timeout = (CONNECT_TIMEOUT, READ_TIMEOUT)
        with (
            urls_not_logged(),
            session.send(step, timeout=timeout, allow_redirects=False, **settings) as response,
        ):
            if response.next:
                return _Redirect(response.next, response.is_permanent_redirect)
            return _answer(response, where)
    except PrivateAddressError as error:
        raise private_address_error(url, error) from None
    # The errors that requests raises for an address, its own or the standard library's.
    except ValueError:
        raise ArticleError(
            f"{where} is not, or redirects to something that is not, an address that can be fetched. Give one such as "
            "https://www.example.com/feed.xml."
        ) from None
    except requests.exceptions.RequestException as error:
        raise ArticleUnreachableError(
            f"{where} cannot be reached ({failure_reason(error, url)}): check the address and the network."
        ) from None


def _answer(response: requests.Response, where: str) -> Answer:
    body = bytearray()
    if response.ok:
        for chunk in response.iter_content(64 * 1024):
            body += chunk
            if len(body) > MAX_ANSWER:
                size = f"{MAX_ANSWER >> 20} MiB"
                raise ArticleError(f"{where} is larger than {size}: check that it is a page or a feed.")
    headers = response.headers
    return Answer(
        body=bytes(body),
        url=without_credentials(response.url),
        content_type=headers.get("content-type", ""),
        status=response.status_code,
        validators=usable_in_requests(Validators(headers.get("etag", ""), headers.get("last-modified", ""))),
        retry_after=retry_after_seconds(headers.get("retry-after", ""), time.time()),
        cache_control=headers.get("cache-control", ""),
    )
