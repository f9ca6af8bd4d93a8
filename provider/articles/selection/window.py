"""Which entries of a feed are new for a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..feed import FeedEntry


@dataclass(frozen=True)
class Window:
    """The time from ``since`` to before ``until``, both with a time zone, and why it was chosen."""

    since: datetime
    until: datetime
    reason: str

    def __contains__(self, moment: datetime) -> bool:
        return self.since <= moment < self.until


def choose_window(
    *, run_after: datetime, last_success: datetime | None, scheduled: bool, lookback: timedelta
) -> Window:
    """Return the window of publication that a run reads (source: ours).

    It ends at the run's own ``run_after`` and starts at that of the last successful run, so the windows of successful
    runs join without gap or overlap, and the next run takes what a failed run left. Both moments are fixed when a run
    is made: a retry and a cleared run read the same window again. (A start date would not work, since clearing a run
    changes it.) The first run reaches back by ``lookback``. A run that is not scheduled reaches back by ``lookback``
    or, if that is longer ago, to the last successful run, so that the next scheduled run can continue from there
    without a gap.

    :param run_after: ``dag_run.run_after`` of this run.
    :param last_success: ``dag_run.run_after`` of the last successful run before it, None if there is none.
    :param scheduled: whether this run was made by the schedule or a backfill, not by hand or by an asset.
    :param lookback: how far the first run and unscheduled runs reach back.
    """
    since = run_after - lookback
    if last_success is None or last_success >= run_after:
        return Window(since, run_after, f"no earlier successful run: looking back {lookback}")
    if scheduled:
        return Window(last_success, run_after, "since the last successful run")
    if last_success < since:
        return Window(last_success, run_after, "not scheduled: since the last successful run")
    return Window(since, run_after, f"not scheduled: looking back {lookback}")


@dataclass(frozen=True)
class Selection:
    """A feed's entries as a run sees them.

    ``new`` are those published in the window, oldest first. ``beyond_limit`` are the oldest of the new ones, left out
    because there are too many. ``later`` were published after the window, and are left to the next run. ``undated``
    have no date.
    """

    new: tuple[FeedEntry, ...]
    beyond_limit: tuple[FeedEntry, ...]
    later: tuple[FeedEntry, ...]
    undated: tuple[FeedEntry, ...]


def select_entries(entries: Sequence[FeedEntry], *, window: Window, limit: int) -> Selection:
    """Return the entries that were published in a window, the newest ``limit`` of them (source: ours).

    An entry without a date is never new: otherwise every run would make a video of it again.

    :param entries: a feed's entries, in any order.
    :param window: what counts as new.
    :param limit: the largest number of entries to take.
    """
    dated = [(entry.published, entry) for entry in entries if entry.published is not None]
    new = [entry for published, entry in sorted(dated, key=lambda pair: pair[0]) if published in window]
    cut = max(0, len(new) - limit)
    return Selection(
        new=tuple(new[cut:]),
        beyond_limit=tuple(new[:cut]),
        later=tuple(entry for published, entry in dated if published >= window.until),
        undated=tuple(entry for entry in entries if entry.published is None),
    )
