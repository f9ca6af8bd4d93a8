"""The operator that reads new articles: of a feed, of a folder, or at given addresses."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..hooks.airflow.template import is_template
from ..provider.errors import ConfigurationError
from ..provider.rendered_text import is_nothing
from ..provider.spending.left_out import worst_first
from ..provider.spending.plan_xcom import LEFT_OUT_KEY
from ..provider.text.several_texts import several_texts
from .base.lineage import LineageMixin, stored
from .base.strict_argument import length_of_time, texts, true_or_false, whole_number, wrong_argument

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..hooks.articles.choice import LeftOut
    from ..hooks.articles.memory import ArticleMemory
    from ..hooks.articles.polite_fetch import PoliteFetcher
    from ..hooks.articles.reading_process import ReadingProcess
    from ..hooks.articles.sources import ArticleSource
    from ..provider.articles.page import Article
    from ..provider.articles.selection.memory import Record
    from ..provider.delivery.dataset_name import DatasetName


MAX_LEFT_OUT = 100
"""How many articles that were left out are named in XCom; the log names all (ours)."""
MAX_LOOKBACK = timedelta(days=3650)
"""A longer ``lookback`` counts as this one: everything that a feed shows (ours)."""


class FetchArticlesOperator(LineageMixin, MappedDataMixin):
    """Read the articles that are new in a feed or a folder, or those at given addresses (source: ours).

    Returns a list of dicts with the fields of ``provider.articles.page.Article``, oldest first (with ``urls``:
    in the order given), to be mapped over with ``expand``. A text is cut at 20,000 characters, so a night of 20
    articles stays below half a megabyte of XCom; ``text_folder`` keeps texts out of it. Nothing new gives an empty
    list: what is mapped over it is skipped, and the run succeeds.

    What a run was given is remembered (docs/sources/articles.md): no other run gets it, whatever started that run, and
    the same run, retried or cleared, gets the same list again. A task that fails altogether leaves its articles to
    the next run. Keep ``max_active_runs=1``. In a run that events of a ``FeedEventTrigger`` started, new is also what
    they name, and what was published since (docs/sources/published.md).

    An article that cannot be read is left out and stops no other; only if none can be read the task fails. A page that
    was busy, or could not be reached, is tried again by the next runs, three at most.
    The XCom ``left_out`` lists what was left out and why, at most 100, as dicts with ``url``, ``reason``, ``kind``
    (``wrong``; ``limit``; ``later``: the next run tries it again; ``other``: perhaps not this run's) and, where a feed
    names it, ``title``. Addresses in it, in logs and in errors are shown without user name, password and query.

    :param feed_url: address of an RSS or Atom feed. Templated.
    :param urls: addresses of pages; all are read in every run; None among them is dropped. A text may be a JSON or
        Python list, as ``"{{ dag_run.conf['urls'] }}"`` gives it, or have one address a line. Templated.
    :param files: folders, files or patterns of .html, .htm and .txt files (first line: the title) in any storage, such
        as ``s3://conn_id@bucket/articles/``; one or a list; Markdown where a pattern or a file says ``.md``. A changed
        file is a new article. Templated.
    :param lookback: how far back the first run reaches, and later ones for what was shown late: a timedelta, seconds,
        or ISO 8601 such as ``P2D`` or ``PT{{ params.hours }}H``; ten years at most. Templated. Default: one day.
    :param max_articles: the largest number of articles; of the new ones the newest are taken, and no later run takes
        the others; of ``urls`` the first. To leave what is too much to the next run set it high, and limit the plan
        (``PlanVideosOperator`` with ``max_videos`` and ``carry_over``). Templated. Default: 20.
    :param remember: True keeps what was given in the Variable ``articles_given.<dag_id>.<task_id>``; a text is the key
        of another Variable, which tasks that read the same feed may share; False keeps nothing: then new is what was
        published since the last successful run.
    :param dry_run: look, and let nothing belong to this run: the next one finds the same articles. For runs that only
        estimate: ``"{{ params.dry_run }}"``. Templated.
    :param shortest_text: characters that an article needs; a page with fewer is mostly a teaser, a login or an error,
        and is left out. Templated. Default: 100.
    :param text_folder: where long texts go, such as ``s3://conn_id@bucket/texts``: one file an article, whose
        ``text`` is empty and whose ``text_url`` leads there; ``hooks.article_text.article_with_text`` reads it.
        Templated.
    :param respect_robots: whether the sites' robots.txt counts.
    :param pause: seconds between two requests to one host; a longer Crawl-delay counts, up to 30 s.
    :param allow_private_addresses: whether a feed may lead to hosts that are not public; ``feed_url`` and ``urls``
        themselves may be private, and pages on the feed's host if the feed is (docs/sources/articles.md).
    :raises ConfigurationError: not exactly one of ``feed_url``, ``urls`` and ``files`` is given, a value is wrong, or
        the extra ``[articles]`` is not installed.
    :raises ArticleError: the feed cannot be fetched, is no feed, or has no entries; no article can be read; or
        the list of a cleared run is no longer kept.
    :raises ArticleMemoryError: what was given before cannot be read or stored; nothing was taken.
    """

    template_fields: Sequence[str] = (
        "feed_url",
        "urls",
        "files",
        "lookback",
        "max_articles",
        "shortest_text",
        "is_dry_run",
        "text_folder",
    )
    ui_color = "#e8e3f6"
    sleep = staticmethod(time.sleep)
    now = staticmethod(partial(datetime.now, UTC))

    def __init__(
        self,
        *,
        feed_url: str | None = None,
        urls: Sequence[str] | str | None = None,
        files: str | Sequence[str] | None = None,
        lookback: timedelta | float | str = timedelta(days=1),
        max_articles: int | str = 20,
        shortest_text: int | str = 100,
        remember: bool | str = True,
        dry_run: bool | str = False,
        text_folder: str | None = None,
        respect_robots: bool = True,
        pause: float = 1.0,
        allow_private_addresses: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.feed_url = feed_url
        self.urls = urls
        self.files = files
        self.lookback = lookback
        self.max_articles = max_articles
        self.shortest_text = shortest_text
        self.remember = remember
        # Airflow's BaseOperator has a method dry_run.
        self.is_dry_run = dry_run
        self.text_folder = text_folder
        self.respect_robots = respect_robots
        self.pause = pause
        self.allow_private_addresses = allow_private_addresses
        self._articles: list[Article] = []
        self._check_arguments()

    def _check_arguments(self) -> None:
        given = [name for name in ("feed_url", "urls", "files") if getattr(self, name) is not None]
        with airflow_errors():
            if len(given) != 1:
                raise ConfigurationError(
                    f"Task {self.task_id!r} needs one of feed_url=, urls= and files=; "
                    f"{' and '.join(given) or 'none'} was given."
                )
            self._given = given[0]
            if not is_template(self.max_articles):
                self._most()
            if not is_template(self.shortest_text):
                self._shortest()
            if not is_template(self.is_dry_run):
                self._only_looks()
            if type(self.pause) not in (int, float) or not 0 <= self.pause < math.inf:
                raise wrong_argument(self.task_id, "pause", self.pause, "a number of seconds, 0 or more")

    def _most(self) -> int:
        return whole_number(self.task_id, "max_articles", self.max_articles)

    def _shortest(self) -> int:
        return whole_number(self.task_id, "shortest_text", self.shortest_text)

    def _only_looks(self) -> bool:
        return true_or_false(self.task_id, "dry_run", self.is_dry_run)

    @telling_failures
    def execute(self, context: Context) -> list[dict[str, Any]]:
        """Look for new articles, read them, and return them."""
        from ..hooks.article_text import put_text
        from ..hooks.articles.choice import LeftOut
        from ..hooks.articles.polite_fetch import PoliteFetcher
        from ..hooks.articles.reading import read_articles
        from ..hooks.articles.reading_process import ReadingProcess

        left_out = LeftOut(self.log)
        with airflow_errors():
            most, only_look = self._most(), self._only_looks()
            fetcher = PoliteFetcher(
                trusted=self._own_addresses(),
                allow_private_addresses=self.allow_private_addresses,
                respect_robots=self.respect_robots,
                pause=self.pause,
                sleep=self.sleep,
            )
            with fetcher, ReadingProcess() as reader:
                source = self._source(fetcher, reader)
                store = self._store(source, context)
                record = self._choose(source, store, context, most, left_out, only_look)
                articles, waiting = read_articles(source, record, left_out, remembered=store is not None)
            if self.text_folder and not is_nothing(self.text_folder):
                articles = {entry: put_text(each, self.text_folder) for entry, each in articles.items()}
            if only_look:
                self.log.info(
                    "This is a dry run: these articles belong to no run, and the next one finds them too"
                )
            elif store and record.held:
                own = store.mark_returned(record, waiting=waiting).entries
                lost = [entry for entry in record.entries if entry not in own]
                left_out.add(lost, "other", "another run has taken it meanwhile.")
                articles = {entry: each for entry, each in articles.items() if entry in own}
        context["ti"].xcom_push(key=LEFT_OUT_KEY, value=worst_first(left_out.entries)[:MAX_LEFT_OUT])
        self.log.info("%d articles read, %d left out", len(articles), len(left_out.entries))
        self._articles = list(articles.values())
        return [asdict(article) for article in self._articles]

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The articles."""
        return stored(article.url for article in self._articles)

    def datasets_made(self) -> Iterable[DatasetName | None]:
        """The texts that are kept in a folder."""
        return stored(article.text_url for article in self._articles)

    def _source(self, fetcher: PoliteFetcher, reader: ReadingProcess) -> ArticleSource:
        from ..hooks.articles.sources import FeedSource, FilesSource, PagesSource

        shortest = self._shortest()
        if self._given == "files":
            return FilesSource(self._files(), reader, shortest_text=shortest)
        if self._given == "feed_url":
            return FeedSource(self._feed(), fetcher, reader, shortest_text=shortest)
        return PagesSource(self._urls(), fetcher, reader, shortest_text=shortest)

    def _own_addresses(self) -> list[str]:
        if self._given == "feed_url":
            return [self._feed()]
        return self._urls() if self._given == "urls" else []

    def _feed(self) -> str:
        if not isinstance(self.feed_url, str):
            raise wrong_argument(self.task_id, "feed_url", self.feed_url, "the address of a feed")
        return self.feed_url.strip()

    def _urls(self) -> list[str]:
        given = [self.urls] if isinstance(self.urls, str) else texts(self.urls or (), but=(None,))
        if given is None:
            raise wrong_argument(self.task_id, "urls", self.urls, "a list of addresses")
        if len(given) == 1:
            # What a template gives is text, even if it was a list.
            (text,) = given
            given = None if is_nothing(text) else several_texts(text)
            if given is None:
                raise ConfigurationError(
                    f"Task {self.task_id!r} has a text in urls= that names no addresses; give a list of them, or a "
                    "text that is a JSON or Python list or has one address a line."
                )
        return [url.strip() for url in given]

    def _files(self) -> list[str]:
        places = texts([self.files] if isinstance(self.files, str) else self.files)
        if places is None or any(is_nothing(place) for place in places):
            allowed = "a folder, a file or a pattern, or a list of them"
            raise wrong_argument(self.task_id, "files", self.files, allowed)
        return places

    def _store(self, source: ArticleSource, context: Context) -> ArticleMemory | None:
        from ..hooks.articles.memory import ArticleMemory, variable_of

        if not self.remember or self._given == "urls":
            return None
        return ArticleMemory(variable_of(context["ti"], remember=self.remember, source=source.address))

    def _choose(
        self,
        source: ArticleSource,
        store: ArticleMemory | None,
        context: Context,
        limit: int,
        left_out: LeftOut,
        only_look: bool,
    ) -> Record:
        from ..hooks.articles.choice import choose_all, choose_in_window, choose_new
        from ..hooks.articles.memory import run_of
        from ..provider.articles.selection.window import choose_window

        def last_success() -> datetime | None:
            previous = context["ti"].get_previous_dagrun(state="success")
            return previous.run_after if previous else None

        dag_run: Any = context["dag_run"]
        due = dag_run.run_after
        if store and dag_run.run_type == "asset_triggered":
            # Airflow gives such a run the moment of the first event that waited for it, and no run to the later ones.
            due = max(due, self.now())
        run = run_of(context["ti"], due, source=source.address)
        if self._given == "urls":
            return choose_all(source, run=run, limit=limit, left_out=left_out)
        lookback = self._lookback()
        by_hand = dag_run.run_type not in ("scheduled", "backfill")
        if store:
            return choose_new(
                source,
                store=store,
                run=run,
                last_success=last_success,
                lookback=lookback,
                limit=limit,
                left_out=left_out,
                by_hand=by_hand,
                told=_told(context),
                only_look=only_look,
            )
        window = choose_window(
            run_after=run.after,
            last_success=last_success(),
            scheduled=not by_hand,
            lookback=lookback,
        )
        return choose_in_window(source, run=run, window=window, limit=limit, left_out=left_out)

    def _lookback(self) -> timedelta:
        return min(length_of_time(self.task_id, "lookback", self.lookback), MAX_LOOKBACK)


def _told(context: Context) -> frozenset[str]:
    """Marks of the entries that a ``FeedEventTrigger`` told of in the events that started the run."""
    from ..provider.articles.selection.memory import digest

    events = context.get("triggering_asset_events") or {}
    payloads = [(event.extra or {}).get("payload") for each in events.values() for event in each]
    entries = [
        entry for payload in payloads if isinstance(payload, dict) for entry in payload.get("entries") or ()
    ]
    return frozenset(
        digest(name)
        for entry in entries
        if isinstance(entry, dict)
        for name in (entry.get("id"), entry.get("url"))
        if isinstance(name, str)
    )
