"""Which entries are new for a run, as a state machine over the memory.

An entry is new for a run when no run was given it. The choice of a run is stored before its pages are read, so a retry
continues with the same list. It becomes *returned* when the task is about to return. From then on the entries
permanently belong to that run: if it is cleared, it reads them again, and no other run gets them. A choice that was
never returned belongs to a task that failed: the next run that polls takes it over. It also takes over single entries
that could not be read yet while others could: they are *waiting*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..feed import FeedEntry
from .memory import NO_VALIDATORS, DryRun, Held, Memory, Record, Run, Validators, marks
from .window import Window, choose_window

MAX_MARKS = 5000
"""How many marks are kept of entries that the feed no longer shows (ours)."""
MAX_TAKEOVERS = 3
"""In how many runs an entry is tried while these runs fail completely (ours)."""


@dataclass(frozen=True)
class Shown:
    """What a poll of the source found.

    ``validators`` belong to this answer. ``unchanged``: the server says that nothing has changed since the last poll,
    and sent no entries.
    """

    source: str
    entries: tuple[FeedEntry, ...] = ()
    language: str | None = None
    validators: Validators = NO_VALIDATORS
    unchanged: bool = False


@dataclass(frozen=True)
class Look:
    """What a run takes, and why it does not take the rest.

    ``chosen`` is oldest first. ``beyond_limit`` are the oldest of the new ones; they stay untaken. ``given_up`` could
    not be read in ``MAX_TAKEOVERS`` runs. ``undated`` have no date and were there at the first look. ``later`` were
    published after the run was due. Of the window's entries ``given_before`` belong to other runs, and
    ``passed_over`` to none, or to runs whose list is no longer kept. ``taken_over`` are the names of runs that could
    not read the articles which this one takes. ``gap``: what was published between these moments may have left the
    feed unseen.
    """

    memory: Memory
    window: Window
    chosen: tuple[FeedEntry, ...]
    beyond_limit: tuple[FeedEntry, ...] = ()
    given_up: tuple[FeedEntry, ...] = ()
    undated: tuple[FeedEntry, ...] = ()
    later: int = 0
    given_before: int = 0
    passed_over: int = 0
    taken_over: tuple[str, ...] = ()
    gap: tuple[datetime, datetime | None] | None = None


def look(
    memory: Memory,
    shown: Shown,
    *,
    run: Run,
    last_success: datetime | None,
    lookback: timedelta,
    limit: int,
    by_hand: bool = False,
    told: frozenset[str] = frozenset(),
) -> Look:
    """Choose for a run that has no record yet (source: ours).

    An entry is new if no run was given it and it was published before the run was due. How far back that goes: at the
    first poll, to the last successful run or, without one and for a run started by hand, to ``lookback`` before the
    run; later, to ``lookback`` before the last poll, for what a site shows late. An entry without a date is new if it
    was not there at the first poll. Choices that were never returned, and what waits, are taken over. Of all these the
    newest are taken.

    :param memory: the memory as it was just read.
    :param shown: what the source shows.
    :param run: the run that asks.
    :param last_success: ``run_after`` of the DAG's last successful run; counts at the first poll, unless a dry run
        came before that poll.
    :param lookback: see above.
    :param limit: the largest number of entries to take.
    :param by_hand: whether the run was made neither by the schedule nor by a backfill.
    :param told: marks of entries that started the run: they are new whatever their date, unless a run was given them.
    """
    first = memory.looked is None
    if memory.dry_run:
        last_success = memory.dry_run.last_success
    new_source = first or memory.source != shown.source
    window = _window(memory, run, last_success, lookback, by_hand=by_hand)
    taken = _taken(memory)
    unknown = [entry for entry in shown.entries if not marks(entry) & taken]
    started_by = [entry for entry in unknown if marks(entry) & told]
    unknown = [entry for entry in unknown if entry not in started_by]
    undated = [entry for entry in unknown if entry.published is None]
    passed = undated if new_source else []
    if first and last_success:
        passed = [*passed, *(e for e in unknown if e.published and e.published < window.since)]

    released = [
        (record, held)
        for record in memory.records
        if record.run.key != run.key
        for held in record.unsettled
        if held.entry.published is None or held.entry.published < window.until
    ]
    candidates = [Held(e) for e in unknown if e.published and e.published in window]
    # Feeds show the newest first.
    candidates += [Held(e) for e in ([] if new_source else reversed(undated))]
    candidates += map(Held, started_by)
    candidates += [Held(held.entry, held.runs + 1) for _, held in released if held.runs < MAX_TAKEOVERS]
    candidates.sort(key=lambda held: held.entry.published or run.after)
    cut = max(0, len(candidates) - limit)
    chosen, beyond = tuple(candidates[cut:]), tuple(candidates[:cut])

    later = sum(1 for e in unknown if e.published and e.published >= window.until)
    remembered = _without(memory, [held.entry for _, held in released])
    in_window = [e for e in shown.entries if e.published is None or e.published in window]
    given, held_before = _held(remembered), _held(memory)
    if not shown.unchanged:
        remembered = replace(
            remembered,
            source=shown.source,
            looked=max(memory.looked or run.after, run.after),
            # While entries wait for the next run, that run must see the feed again, changed or not.
            validators=NO_VALIDATORS if later else shown.validators,
            valid_since=window.since,
            oldest_shown=min((e.published for e in shown.entries if e.published), default=None),
            dry_run=None,
        )
    remembered = _knowing(remembered, shown.entries, [*passed, *(held.entry for held in candidates)])
    if chosen:
        record = Record(run, chosen, shown.language)
        remembered = replace(remembered, records=(*remembered.records, record))
    return Look(
        memory=remembered,
        window=window,
        chosen=tuple(held.entry for held in chosen),
        beyond_limit=tuple(held.entry for held in beyond),
        given_up=tuple(held.entry for _, held in released if held.runs >= MAX_TAKEOVERS),
        undated=tuple(undated) if new_source else (),
        later=later,
        given_before=sum(1 for e in in_window if marks(e) & given),
        passed_over=sum(1 for e in in_window if marks(e) & taken and not marks(e) & held_before),
        taken_over=tuple(dict.fromkeys(record.run.name for record, _ in released)),
        gap=None if new_source or shown.unchanged else _gap(memory, shown.entries, taken),
    )


def after_dry_run(memory: Memory, *, last_success: datetime | None) -> Memory:
    """Return the memory as a dry run leaves it: no entry belongs to it, and its success is not counted later
    (source: ours).

    :param memory: the memory as it was just read.
    :param last_success: as for ``look``.
    """
    if memory.looked or memory.dry_run:
        return memory
    return replace(memory, dry_run=DryRun(last_success))


def usable_validators(memory: Memory, *, source: str, run: Run, lookback: timedelta) -> Validators:
    """Return the validators with which a run may ask whether the source has changed; empty if it needs all entries
    (source: ours).

    :param memory: the memory as it was just read.
    :param source: as in ``Shown``.
    :param run: the run that asks.
    :param lookback: as for ``look``.
    """
    if memory.source != source or not memory.valid_since or not memory.looked:
        return NO_VALIDATORS
    since = _window(memory, run, None, lookback).since
    return memory.validators if since >= memory.valid_since else NO_VALIDATORS


def mark_returned(
    memory: Memory, record: Record, *, waiting: Collection[FeedEntry] = ()
) -> tuple[Memory, Record]:
    """Make a run's choice permanently its own, just before its task returns (source: ours).

    Entries that another run holds by now belong to that run: two ran at the same time, or this one had failed and was
    taken over. If the record is gone, because another run wrote at the same moment, it is made again.

    :param memory: the memory as it was just read.
    :param record: what the run chose; the record in the result is what it may return.
    :param waiting: the part that could not be read yet, and is left to the next run.
    """
    others = {
        mark
        for other in memory.records
        if other.run.key != record.run.key
        for held in other.held
        for mark in marks(held.entry)
    }
    held = (held for held in record.held if not marks(held.entry) & others)
    own = replace(
        record, held=tuple(replace(one, waiting=one.entry in waiting) for one in held), returned=True
    )
    if own == memory.record_of(record.run):
        return memory, own
    records = [other for other in memory.records if other.run.key != record.run.key]
    if own.held:
        records.append(own)
    return _knowing(replace(memory, records=tuple(records)), (), own.entries), own


def _window(
    memory: Memory, run: Run, last_success: datetime | None, lookback: timedelta, *, by_hand: bool = False
) -> Window:
    if memory.looked is None:
        return choose_window(
            run_after=run.after, last_success=last_success, scheduled=not by_hand, lookback=lookback
        )
    since = min(memory.looked, run.after) - lookback
    return Window(since, run.after, f"since the last poll, and {lookback} before it for what was shown late")


def _taken(memory: Memory) -> frozenset[str]:
    return frozenset(memory.known) | _held(memory)


def _held(memory: Memory) -> frozenset[str]:
    """The marks of the articles in the runs' lists."""
    held = (held for record in memory.records for held in record.held)
    return frozenset().union(*(marks(one.entry) for one in held))


def _without(memory: Memory, entries: Sequence[FeedEntry]) -> Memory:
    """The memory after these entries were released: the unsettled ones are removed from their record."""
    records = []
    for record in memory.records:
        unsettled = record.unsettled
        held = tuple(one for one in record.held if one not in unsettled or one.entry not in entries)
        if held:
            records.append(replace(record, held=held))
    return replace(memory, records=tuple(records))


def _knowing(memory: Memory, shown: Iterable[FeedEntry], new: Iterable[FeedEntry]) -> Memory:
    """The memory with new marks; those of shown entries are kept as long as they are shown."""
    on_show = {mark for entry in shown for mark in marks(entry)}
    kept = [mark for mark in memory.known if mark in on_show]
    gone = [mark for mark in memory.known if mark not in on_show]
    added = dict.fromkeys(mark for entry in new for mark in sorted(marks(entry)))
    known = dict.fromkeys([*gone[-MAX_MARKS:], *kept, *added])
    return replace(memory, known=tuple(known))


def _gap(
    memory: Memory, shown: Sequence[FeedEntry], taken: frozenset[str]
) -> tuple[datetime, datetime | None] | None:
    """What may have left the feed: nothing that it shows goes back to the last poll.

    If the oldest entry is as old as the oldest then, none has left the feed.
    """
    dates = [entry.published for entry in shown if entry.published]
    oldest = min(dates, default=None)
    if not shown or not memory.looked or any(marks(entry) & taken for entry in shown):
        return None
    if oldest and (oldest < memory.looked or (memory.oldest_shown and oldest <= memory.oldest_shown)):
        return None
    return memory.looked, oldest
