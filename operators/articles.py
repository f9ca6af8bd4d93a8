"""The operator that reads a feed's new articles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import BaseOperator

from ..provider.protocol.errors import ArticleError, ConfigurationError

if TYPE_CHECKING:
    import requests
    from airflow.providers.common.compat.sdk import Context

    from ..hooks.reading_process import ReadingProcess
    from ..provider.articles.feed import FeedEntry
    from ..provider.articles.page import Article
    from ..provider.articles.window import Window


MOST_LEFT_OUT = 100
"""How many articles that were left out are named in XCom; the log names all (ours)."""


class FetchArticlesOperator(BaseOperator):
    """Read the articles that are new in a feed, or those at given addresses (source: ours).

    Returns a list of dicts with the fields of ``provider.articles.page.Article``, oldest first (with ``urls``:
    in the order given), to be mapped over with ``expand``. A text is cut at 20,000 characters, so a night of 20
    articles stays below half a megabyte of XCom. Nothing new gives an empty list: what is mapped over it is
    skipped, and the run succeeds.

    New is what was published from the last successful run's ``run_after`` on and before this run's, see
    ``provider.articles.window.choose_window``. So keep ``max_active_runs=1``, and let a run fail only if its
    articles are to be taken again by the next one. An entry without a date is never new. An entry that a site
    shows only after the run, with a date before it, is not seen.

    An article that cannot be read is left out and stops no other; only if none can be read the task fails.
    The XCom ``left_out`` lists what was left out and why, at most 100, as dicts with ``url`` and ``reason``. Addresses
    in it, in logs and in errors are shown without user name, password and query.

    :param feed_url: address of an RSS or Atom feed. Templated.
    :param urls: addresses of pages, instead of a feed; all are read in every run. Templated.
    :param lookback: how far back the first run and runs that are not scheduled reach: a timedelta, seconds, or
        ISO 8601 such as ``P2D`` or ``PT{{ params.hours }}H``. Templated. Default: one day.
    :param max_articles: the largest number of articles; of a feed's new ones the newest are taken, of ``urls``
        the first. Default: 20.
    :raises ConfigurationError: not exactly one of ``feed_url`` and ``urls`` is given, ``lookback`` cannot be
        read, or the extra ``[articles]`` is not installed.
    :raises ArticleError: the feed cannot be fetched, is no feed, has no entries or none with a date; or no
        article can be read.
    """

    template_fields: Sequence[str] = ("feed_url", "urls", "lookback")
    ui_color = "#e8e3f6"

    def __init__(
        self,
        *,
        feed_url: str | None = None,
        urls: Sequence[str] | None = None,
        lookback: timedelta | float | str = timedelta(days=1),
        max_articles: int = 20,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.feed_url = feed_url
        self.urls = urls
        self.lookback = lookback
        self.max_articles = max_articles
        self._check_arguments()

    def _check_arguments(self) -> None:
        from ..hooks.airflow_errors import airflow_errors

        with airflow_errors():
            if (self.feed_url is None) == (self.urls is None):
                given = "neither was" if self.urls is None else "both were"
                raise ConfigurationError(
                    f"Task {self.task_id!r} needs one of feed_url= and urls=; {given} given."
                )
            if self.max_articles < 1:
                raise ConfigurationError(
                    f"Task {self.task_id!r} has max_articles={self.max_articles}; give 1 or more."
                )

    def execute(self, context: Context) -> list[dict[str, Any]]:
        """Fetch the feed and the pages, and return the articles."""
        from ..hooks.airflow_errors import airflow_errors
        from ..hooks.article_fetch import open_session
        from ..hooks.reading_process import ReadingProcess

        with airflow_errors(), open_session() as session, ReadingProcess() as reader:
            left_out: list[dict[str, str]] = []
            entries, language = self._entries(session, reader, context, left_out)
            articles = self._articles(session, reader, entries, language, left_out)
        context["ti"].xcom_push(key="left_out", value=left_out[:MOST_LEFT_OUT])
        self.log.info("%d articles read, %d left out", len(articles), len(left_out))
        return [asdict(article) for article in articles]

    def _entries(
        self,
        session: requests.Session,
        reader: ReadingProcess,
        context: Context,
        left_out: list[dict[str, str]],
    ) -> tuple[Sequence[FeedEntry], str | None]:
        """Return the entries to read, and the language of their feed."""
        from ..hooks.article_fetch import fetch, shown
        from ..provider.articles.feed import FeedEntry, parse_feed
        from ..provider.articles.window import select_entries

        if self.feed_url is None:
            if isinstance(self.urls, str):
                raise ConfigurationError(
                    f"Task {self.task_id!r} has urls= as one string; give a list of addresses."
                )
            given = [FeedEntry(url) for url in dict.fromkeys(self.urls or ())]
            self._leave_out(
                given[self.max_articles :], f"more than max_articles={self.max_articles}.", left_out
            )
            return given[: self.max_articles], None

        answer = fetch(session, self.feed_url)
        feed = reader.run(
            answer.url, parse_feed, answer.body, url=answer.url, content_type=answer.content_type
        )
        if feed.damage:
            self.log.warning("The feed's XML is damaged and was read as far as possible: %s", feed.damage)
        if feed.without_link:
            self.log.warning("%d entries have no link to a web page and are left out", feed.without_link)

        window = self._window(context)
        chosen = select_entries(feed.entries, window=window, limit=self.max_articles)
        self.log.info(
            "Published from %s to %s (%s): %d of the feed's %d entries",
            window.since.isoformat(),
            window.until.isoformat(),
            window.reason,
            len(chosen.new) + len(chosen.beyond_limit),
            len(feed.entries),
        )
        if len(chosen.undated) == len(feed.entries):
            raise ArticleError(
                f"No entry of {shown(answer.url)} has a date that can be read, so what is new cannot be told: "
                "use another feed of that site, or give its pages with urls=."
            )
        if chosen.later:
            self.log.info(
                "%d entries were published after this run was due: the next run's", len(chosen.later)
            )
        self._leave_out(chosen.undated, "the feed gives no date, whether it is new cannot be told.", left_out)
        self._leave_out(chosen.beyond_limit, f"more than max_articles={self.max_articles} are new.", left_out)
        return chosen.new, feed.language

    def _window(self, context: Context) -> Window:
        from pydantic import TypeAdapter, ValidationError

        from ..provider.articles.window import choose_window

        try:
            lookback = TypeAdapter(timedelta).validate_python(self.lookback)
        except ValidationError as error:
            raise ConfigurationError(
                f"Task {self.task_id!r} has lookback={self.lookback!r}; give a timedelta, seconds, or ISO 8601 "
                "such as P1D or PT6H."
            ) from error
        run = context["dag_run"]
        previous = context["ti"].get_previous_dagrun(state="success")
        return choose_window(
            run_after=run.run_after,
            last_success=previous.run_after if previous else None,
            scheduled=run.run_type in ("scheduled", "backfill"),
            lookback=lookback,
        )

    def _articles(
        self,
        session: requests.Session,
        reader: ReadingProcess,
        entries: Sequence[FeedEntry],
        language: str | None,
        left_out: list[dict[str, str]],
    ) -> list[Article]:
        from ..hooks.article_fetch import shown

        articles = []
        failures: list[ArticleError] = []
        for entry in entries:
            try:
                article = _read(session, reader, entry, language)
            except ArticleError as error:
                failures.append(error)
                self._leave_out([entry], str(error), left_out)
            else:
                articles.append(article)
                self.log.info(
                    "Read “%s”, %d characters, %s", article.title, len(article.text), shown(article.url)
                )
        if failures and not articles:
            # The same class as the failure that a retry may mend, if there is one.
            worst = max(failures, key=lambda failure: failure.retryable)
            raise type(worst)(f"None of {len(failures)} articles could be read. {worst}") from None
        return articles

    def _leave_out(self, entries: Sequence[FeedEntry], reason: str, left_out: list[dict[str, str]]) -> None:
        from ..hooks.article_fetch import shown

        for entry in entries:
            url = shown(entry.url)
            self.log.warning("Left out: %s", reason if url in reason else f"{url}: {reason}")
            left_out.append({"url": url, "reason": reason})


def _read(
    session: requests.Session, reader: ReadingProcess, entry: FeedEntry, language: str | None
) -> Article:
    from ..hooks.article_fetch import fetch, without_credentials
    from ..provider.articles.page import read_page

    answer = fetch(session, entry.url)
    return reader.run(
        entry.url,
        read_page,
        answer.body,
        entry=replace(entry, url=without_credentials(entry.url)),
        base_url=answer.url,
        content_type=answer.content_type,
        default_language=language,
    )
