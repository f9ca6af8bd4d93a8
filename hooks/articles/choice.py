"""Chooses what a run reads, with or without the memory of earlier runs, and reports what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from ...provider.articles.feed import FeedEntry
from ...provider.articles.selection.memory import NO_VALIDATORS, Held, Record, Run, digest
from ...provider.articles.selection.new_entries import Look, Shown, after_dry_run, look, usable_validators
from ...provider.articles.selection.window import Window, select_entries
from ...provider.errors import ArticleError
from ...provider.spending.left_out import LeftOutKind
from ...provider.text.readable_text import readable, readable_address
from .fetch import without_secrets
from .memory import ArticleMemory
from .sources import ArticleSource


class LeftOut:
    """What a task leaves out and why: in its log, and as dicts for XCom (source: ours).

    :param log: the task's.
    """

    def __init__(self, log: Any) -> None:
        self.log = log
        self.entries: list[dict[str, str]] = []

    def add(self, entries: Iterable[FeedEntry], kind: LeftOutKind, reason: str) -> None:
        """Leave entries out.

        :param entries: any number.
        :param kind: of the reason.
        :param reason: a sentence.
        """
        for entry in entries:
            self._add(without_secrets(entry.url), entry.title, kind, reason)

    def _add(self, address: str, title: str, kind: LeftOutKind, reason: str) -> None:
        """Leave out an address.

        :param address: without secrets.
        :param title: empty where it is not known.
        :param kind: of the reason.
        :param reason: a sentence; the address in it becomes "it", since the address is always shown before the reason.
        """
        # Not in a longer address, such as that of a site's robots.txt.
        reason = re.sub(rf"(?<!\S){re.escape(address)}(?![^\s:,;)])", "it", reason)
        entry = {"url": readable_address(address), "reason": readable(reason), "kind": kind}
        self.log.warning("Left out: %(url)s: %(reason)s", entry)
        self.entries.append(entry | ({"title": readable(title)} if title else {}))


def choose_all(source: ArticleSource, *, run: Run, limit: int, left_out: LeftOut) -> Record:
    """Choose everything that a source shows, up to the limit (source: ours).

    :param source: what is read.
    :param run: the run that asks.
    :param limit: the largest number of entries.
    :param left_out: takes the others.
    """
    found = source.show(NO_VALIDATORS)
    left_out.add(found.entries[limit:], "limit", f"more than max_articles={limit}.")
    return Record(run, tuple(map(Held, found.entries[:limit])), found.language)


def choose_in_window(
    source: ArticleSource, *, run: Run, window: Window, limit: int, left_out: LeftOut
) -> Record:
    """Choose what was published in a window, the newest first (source: ours).

    :param source: what is read.
    :param run: the run that asks.
    :param window: what counts as new.
    :param limit: the largest number of entries.
    :param left_out: takes the others.
    :raises ArticleError: no entry has a date.
    """
    found = source.show(NO_VALIDATORS)
    chosen = select_entries(found.entries, window=window, limit=limit)
    new = len(chosen.new) + len(chosen.beyond_limit)
    _log_window(left_out.log, window, f"new: {new} of {len(found.entries)}")
    if found.entries and len(chosen.undated) == len(found.entries):
        raise ArticleError(
            f"No entry of {source.named} has a date that can be read, so it is not known what is new. Use "
            "remember=True or another feed of that site, or give its pages with urls=."
        )
    _log_later(left_out.log, len(chosen.later))
    left_out.add(chosen.undated, "other", "the feed gives no date, so it is not known whether it is new.")
    left_out.add(chosen.beyond_limit, "limit", _too_many(limit))
    return Record(run, tuple(map(Held, chosen.new)), found.language)


def choose_new(
    source: ArticleSource,
    *,
    store: ArticleMemory,
    run: Run,
    last_success: Callable[[], datetime | None],
    lookback: timedelta,
    limit: int,
    left_out: LeftOut,
    by_hand: bool = False,
    told: frozenset[str] = frozenset(),
    only_look: bool = False,
) -> Record:
    """Choose what no run was given, and store that; a run that has chosen before gets its list (source: ours).

    :param source: what is read.
    :param store: the memory of the source.
    :param run: the run that asks.
    :param last_success: returns ``run_after`` of the DAG's last successful run.
    :param lookback: see ``provider.articles.selection.new_entries.look``.
    :param limit: the largest number of entries.
    :param left_out: takes the others.
    :param by_hand: whether the run was made neither by the schedule nor by a backfill.
    :param told: marks of entries that started the run.
    :param only_look: this is a dry run: the next run finds the same.
    :raises ArticleError: this run's list is no longer kept.
    :raises ArticleMemoryError: the memory cannot be read or written.
    """
    memory = store.load()
    if record := memory.record_of(run):
        left_out.log.info("This run has chosen before and takes the same %d articles", len(record.held))
        return record
    if run.key in memory.forgotten:
        raise ArticleError(
            f"The list of the run {run.name!r} is no longer kept: only those of the latest runs are. Give the "
            "articles' addresses with urls= to read them again."
        )
    validators = usable_validators(memory, source=digest(source.address), run=run, lookback=lookback)
    shown = source.show(validators)
    # Another run may have chosen while this one fetched.
    memory = store.load()
    success = last_success() if memory.looked is None else None
    found = look(
        memory,
        shown,
        run=run,
        last_success=success,
        lookback=lookback,
        limit=limit,
        by_hand=by_hand,
        told=told,
    )
    # Stored before the pages are read: a try that dies then leaves its list to the next.
    kept = after_dry_run(memory, last_success=success) if only_look else found.memory
    if kept != memory:
        store.save(kept, run)
    _tell(found, shown, source, limit, left_out)
    return found.memory.record_of(run) or Record(run, ())


def _tell(found: Look, shown: Shown, source: ArticleSource, limit: int, left_out: LeftOut) -> None:
    new = len(found.chosen) + len(found.beyond_limit)
    # What is in no list is either: a list that is no longer kept told which.
    unlisted = " or in lists that are no longer kept" if found.memory.forgotten else ""
    counts = (
        f"new: {new} of {len(shown.entries)}; given to other runs: {found.given_before}; passed over "
        f"earlier{unlisted}: {found.passed_over}"
    )
    if shown.unchanged:
        counts = "the feed has not changed" + (f", {new} that earlier runs could not read" if new else "")
    _log_window(left_out.log, found.window, counts)
    _log_later(left_out.log, found.later)
    if found.beyond_limit:
        left_out.log.info(
            "More than max_articles=%d were new. To read the ones left out, run a DAG with their addresses in urls=",
            limit,
        )
    if found.taken_over:
        left_out.log.info("Took over what earlier runs could not read: %s", ", ".join(found.taken_over))
    if found.gap:
        last, oldest = found.gap
        reach = f"goes back to {oldest.isoformat()} only" if oldest else "shows nothing that was known before"
        left_out.log.warning(
            "%s %s, and the last poll was for %s: entries in between may have left the feed unread. Run the DAG more "
            "often.",
            source.named,
            reach,
            last.isoformat(),
        )
    left_out.add(
        found.undated,
        "other",
        "the feed gives no date and this is the first poll, so it is not known whether it is new.",
    )
    left_out.add(found.given_up, "wrong", "several runs could not read it, so it is given up.")
    left_out.add(found.beyond_limit, "limit", _too_many(limit))


def _too_many(limit: int) -> str:
    return (
        f"more than max_articles={limit} are new, and no later run takes it: raise max_articles, and let the plan "
        "limit the videos (max_videos=, carry_over=True)."
    )


def _log_window(log: Any, window: Window, counts: str) -> None:
    since, until = window.since.isoformat(), window.until.isoformat()
    log.info("Published from %s to %s (%s): %s", since, until, window.reason, counts)


def _log_later(log: Any, later: int) -> None:
    if later:
        log.info("Published after this run was due, and left to the next run: %d", later)
