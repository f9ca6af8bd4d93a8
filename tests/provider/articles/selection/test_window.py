"""Which entries a run takes: nothing lost and nothing twice from one successful run to the next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.selection.window import Window, choose_window, select_entries

DAY = timedelta(days=1)
TONIGHT = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("last_success", "scheduled", "since"),
    [
        (None, True, TONIGHT - DAY),
        (TONIGHT - 3 * DAY, True, TONIGHT - 3 * DAY),
        (TONIGHT - DAY / 24, True, TONIGHT - DAY / 24),
        (None, False, TONIGHT - DAY),
        (TONIGHT - DAY / 24, False, TONIGHT - DAY),
        (TONIGHT - 3 * DAY, False, TONIGHT - 3 * DAY),
        (TONIGHT + DAY, True, TONIGHT - DAY),
    ],
    ids=[
        "the first run looks back",
        "a scheduled run goes on after failed ones",
        "and repeats nothing",
        "a manual run looks back",
        "also over what was read before",
        "and leaves no gap",
        "a run for the past has no successful one before it",
    ],
)
def test_where_a_window_starts(last_success: datetime | None, scheduled: bool, since: datetime) -> None:
    window = choose_window(run_after=TONIGHT, last_success=last_success, scheduled=scheduled, lookback=DAY)
    assert (window.since, window.until) == (since, TONIGHT)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 72), st.booleans(), st.booleans()), min_size=1, max_size=12),
    st.integers(1, 48),
)
def test_no_hour_between_successful_runs_is_left_out_or_scheduled_twice(
    runs: list[tuple[int, bool, bool]], lookback_hours: int
) -> None:
    """Runs as (hours since the one before, scheduled or by hand, succeeds)."""
    last_success: datetime | None = None
    start: datetime | None = None
    run_after = TONIGHT
    read_until: list[datetime] = []
    for gap, scheduled, succeeds in runs:
        run_after += timedelta(hours=gap)
        window = choose_window(
            run_after=run_after,
            last_success=last_success,
            scheduled=scheduled,
            lookback=timedelta(hours=lookback_hours),
        )
        if read_until:
            assert window.since <= read_until[-1]
            assert not scheduled or window.since == read_until[-1]
        if succeeds:
            start = start or window.since
            last_success = run_after
            read_until.append(window.until)


def entry(name: str, hours_ago: float | None) -> FeedEntry:
    published = None if hours_ago is None else TONIGHT - timedelta(hours=hours_ago)
    return FeedEntry(f"https://example.com/{name}", title=name, published=published)


def test_new_entries_come_oldest_first_and_the_newest_are_kept() -> None:
    entries = [
        entry("old", 25),
        entry("start", 24),
        entry("late", 1),
        entry("undated", None),
        entry("middle", 5),
        entry("end", 0),
    ]
    window = Window(TONIGHT - DAY, TONIGHT, "")

    everything = select_entries(entries, window=window, limit=10)
    assert [e.title for e in everything.new] == ["start", "middle", "late"]
    assert [e.title for e in everything.undated] == ["undated"]
    assert everything.beyond_limit == ()

    two = select_entries(entries, window=window, limit=2)
    assert [e.title for e in two.new] == ["middle", "late"]
    assert [e.title for e in two.beyond_limit] == ["start"]
