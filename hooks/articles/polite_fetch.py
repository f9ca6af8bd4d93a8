"""Fetches from web sites as a guest: what robots.txt allows, one request at a time, with pauses between."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from ...provider.articles.selection.memory import NO_VALIDATORS, Validators
from ...provider.errors import ArticleError, ArticleUnreachableError
from ...provider.extras import articles_extra
from .fetch import (
    Answer,
    LeadsInsideError,
    ask,
    drop_connections,
    fetch,
    open_session,
    private_address_error,
    without_secrets,
)
from .public_hosts import PrivateAddressError, host_of, refuse_private_literal

ROBOT = "airflow-provider-video-creation"
"""The name under which a robots.txt can address us."""
TRIES = 3
MAX_TRYING = 60.0
"""Seconds after which no further try begins; a very slow site has had its time by then (ours)."""
MAX_WAIT = 60.0
"""The longest Retry-After, in seconds, to wait for; a longer one is left to the task's own retries (ours)."""
MAX_CRAWL_DELAY = 30.0
"""The longest Crawl-delay, in seconds, that is obeyed (ours)."""
MAX_ROBOTS = 500 * 1024
"""Bytes of a robots.txt that count (RFC 9309, 2.5)."""

log = logging.getLogger(__name__)


class _RobotsUnknownError(ArticleUnreachableError):
    """A site's robots.txt was asked for in vain, and that is remembered: to try again would change nothing."""


class PoliteFetcher:
    """Fetches addresses one after the other (source: ours).

    Between two requests to one host it pauses. A host's robots.txt is read once. A busy host is asked again after the
    time that it asks for. Private hosts are refused, except those of addresses that the DAG's author gave, if these are
    also answered from your own network: a host outside could change what its name resolves to.

    :param trusted: addresses that the DAG's author gave; they may be anywhere.
    :param allow_private_addresses: whether all other hosts may be anywhere too.
    :param respect_robots: whether to obey robots.txt.
    :param pause: seconds between two requests to one host.
    :param tries: how often a busy host is asked.
    :param sleep: what waits.
    :param clock: seconds.
    """

    def __init__(
        self,
        *,
        trusted: Iterable[str] = (),
        allow_private_addresses: bool = False,
        respect_robots: bool = True,
        pause: float = 1.0,
        tries: int = TRIES,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own = frozenset(trusted)
        # The author's hosts whose location is not known yet: name -> an address there.
        self._unknown = {host_of(url): url for url in self._own if not _is_private_literal(url)}
        self._trusted = None if allow_private_addresses else {*map(host_of, self._own)} - {*self._unknown}
        self._session = open_session(self._trusted)
        self._respect_robots = respect_robots
        self._pause = pause
        self._tries = tries
        self._sleep = sleep
        self._clock = clock
        self._asked: dict[str, float] = {}
        self._robots: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._session.close()

    def end(self) -> None:
        """End what is under way and all that would follow, from any thread."""
        drop_connections(self._session, for_good=True)

    def fetch(self, url: str, *, validators: Validators = NO_VALIDATORS) -> Answer:
        """Fetch one address, see ``hooks.articles.fetch.fetch``.

        :param url: http or https.
        :param validators: of an earlier answer.
        :raises ArticleError: it cannot be fetched, or robots.txt or a private address forbids it.
        """
        try:
            return self._fetch(url, validators)
        except LeadsInsideError as error:
            own = self._unknown.get(error.host)
            if own is None or own == url:
                raise
            # Such as the feed: a cleared run reads its pages without it.
            if not self._answers_from_inside(own):
                raise
        return self._fetch(url, validators)

    def _answers_from_inside(self, own: str) -> bool:
        """Whether an address of the author is answered from your own network.

        :raises ArticleUnreachableError: that cannot be known now.
        """
        host = host_of(own)
        # A robots.txt that was refused there counted as none.
        self._robots = {site: rules for site, rules in self._robots.items() if host_of(site) != host}
        try:
            self._fetch(own, NO_VALIDATORS)
        except ArticleUnreachableError:
            raise
        except ArticleError:
            return False
        return self._trusted is not None and host in self._trusted

    def _fetch(self, url: str, validators: Validators) -> Answer:
        def in_turn() -> Answer:
            self._wait_for(url)
            try:
                return fetch(self._session, url, validators=validators, before=self._check)
            finally:
                self._asked[host_of(url)] = self._clock()

        host = host_of(url)
        if self._trusted is None or url not in self._own or host not in self._unknown:
            self._check(url)
            return self._again_if_busy(in_turn)
        self._trusted.add(host)
        try:
            self._check(url)
            answer = self._again_if_busy(in_turn)
        except BaseException:
            self._trusted.discard(host)
            raise
        del self._unknown[host]
        return answer

    def _again_if_busy(self, work: Callable[[], Answer]) -> Answer:
        start = self._clock()
        for number in range(1, self._tries + 1):
            try:
                return work()
            except _RobotsUnknownError:
                raise
            except ArticleUnreachableError as error:
                seconds = 0.25 * 2**number if error.retry_after is None else error.retry_after
                late = self._clock() - start > MAX_TRYING
                if number == self._tries or seconds > MAX_WAIT or late:
                    raise
            self._sleep(seconds)
        raise AssertionError

    def _wait_for(self, url: str) -> None:
        """Let the pause since the last request to this host go by."""
        last = self._asked.get(host_of(url))
        if last is None:
            return
        rules = self._robots.get(_site(url))
        asked_for = (rules.crawl_delay(ROBOT) or 0) if rules and not isinstance(rules, ArticleError) else 0
        wait = last + max(self._pause, min(asked_for, MAX_CRAWL_DELAY)) - self._clock()
        if wait > 0:
            self._sleep(wait)

    def _check(self, url: str) -> None:
        """Refuse an address, of a page or of a redirect, that must not be asked."""
        self._check_host(url)
        if not self._respect_robots or not host_of(url):
            return
        site = _site(url)
        if site not in self._robots:
            self._robots[site] = self._read_robots(site)
        rules = self._robots[site]
        if isinstance(rules, ArticleUnreachableError):
            raise _RobotsUnknownError(
                f"{without_secrets(url)} was not requested, since it is not known whether robots.txt allows it: "
                f"{rules}",
                retry_after=rules.retry_after,
            )
        try:
            forbidden = rules and not rules.can_fetch(url, ROBOT)
        except ValueError:
            raise ArticleError(
                f"{without_secrets(url)} is not an address that can be fetched. Leave it out, or correct it."
            ) from None
        if forbidden:
            raise ArticleError(
                f"robots.txt of {host_of(url)} forbids it: {without_secrets(url)} is not for robots. Ask the site's "
                "owner. If you may read it, give respect_robots=False."
            )

    def _check_host(self, url: str) -> None:
        if self._trusted is not None:
            try:
                refuse_private_literal(url, self._trusted)
            except PrivateAddressError as error:
                raise private_address_error(url, error) from None

    def _read_robots(self, site: str) -> Any:
        """Return a site's rules, None if it has none, or the error if that cannot be known (RFC 9309, 2.3.1)."""
        with articles_extra():
            from protego import Protego
        address = f"{site}/robots.txt"

        def exchange() -> Answer:
            answer = ask(self._session, address, before=self._check_host)
            if answer.status == 429 or answer.status >= 500:
                raise ArticleUnreachableError(
                    f"{without_secrets(address)} answered {answer.status}: try again later.",
                    retry_after=answer.retry_after,
                )
            return answer

        try:
            answer = self._again_if_busy(exchange)
        except ArticleUnreachableError as error:
            return error
        # An answer larger than any robots.txt, or a redirect to what cannot be asked, counts as none.
        except ArticleError as error:
            log.info("There is no robots.txt: %s", error)
            return None
        if answer.status >= 300:
            return None
        return Protego.parse(answer.body[:MAX_ROBOTS].decode("utf-8-sig", "replace"))


def _is_private_literal(url: str) -> bool:
    try:
        refuse_private_literal(url, ())
    except PrivateAddressError:
        return True
    return False


def _site(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", ""))
