"""What a task remembers of a feed: no article is given to two runs, none is lost, a run gets the same list again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.selection.memory import Memory, Run, Validators, marks
from airflow_video_creation.provider.articles.selection.memory_document import read_memory, write_memory
from airflow_video_creation.provider.articles.selection.new_entries import (
    MAX_MARKS,
    MAX_TAKEOVERS,
    Look,
    Shown,
    after_dry_run,
    look,
    mark_returned,
    usable_validators,
)
from airflow_video_creation.provider.errors import ArticleMemoryError

NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def run(day: float = 0, name: str = "") -> Run:
    name = name or f"scheduled {day}"
    return Run(key=name, name=name, after=NIGHT + day * DAY)


def entry(name: str, hours_ago: float | None = 1, day: float = 0) -> FeedEntry:
    published = None if hours_ago is None else NIGHT + day * DAY - hours_ago * HOUR
    return FeedEntry(f"https://example.com/{name}", title=name, published=published)


def look_at(memory: Memory, *entries: FeedEntry, by: Run, **arguments: Any) -> Look:
    shown = arguments.pop("shown", None) or Shown("feed", entries, "en")
    given = {"last_success": None, "lookback": DAY, "limit": 20, **arguments}
    return look(memory, shown, run=by, **given)


def names(entries: Any) -> list[str]:
    return [one.title for one in entries]


def given(memory: Memory, *entries: FeedEntry, by: Run, **arguments: Any) -> tuple[Memory, list[str]]:
    """A whole run that ends well: the memory after it, and what it returned."""
    seen = look_at(memory, *entries, by=by, **arguments)
    record = seen.memory.record_of(by)
    if record is None:
        return seen.memory, []
    after, record = mark_returned(seen.memory, record)
    return read_memory(write_memory(after), where="here"), names(record.entries)


def test_the_first_run_looks_back_and_leaves_the_rest_of_the_feed() -> None:
    _, first = given(Memory(), entry("new", 1), entry("newer", 0.5), entry("old", 25), by=run())
    assert first == ["new", "newer"]


def test_the_first_look_of_a_dag_that_has_succeeded_before_goes_on_from_there() -> None:
    feed = [entry("old", 10), entry("new", 2)]
    memory, first = given(Memory(), *feed, by=run(), last_success=NIGHT - 5 * HOUR)
    _, second = given(memory, *feed, by=run(1))
    assert (first, second) == (["new"], [])


@pytest.mark.parametrize(
    ("succeeded_before", "taken"),
    [(None, ["old", "new"]), (NIGHT - 5 * HOUR, ["new"])],
    ids=["a new DAG", "a DAG that kept no memory until now"],
)
def test_the_success_of_a_dry_run_does_not_count(succeeded_before: datetime | None, taken: list[str]) -> None:
    feed = [entry("old", 10), entry("new", 2)]
    looked = after_dry_run(Memory(), last_success=succeeded_before)
    again = after_dry_run(
        read_memory(write_memory(looked), where="here"), last_success=NIGHT - timedelta(minutes=9)
    )
    memory, first = given(again, *feed, by=run(), last_success=NIGHT - timedelta(minutes=5))
    assert (first, memory.dry_run) == (taken, None)
    assert after_dry_run(memory, last_success=NIGHT) == memory


def test_no_other_run_gets_what_a_run_was_given_and_late_entries_are_new() -> None:
    memory, _ = given(Memory(), entry("a", 5), by=run())
    feed = [entry("b", 2, day=1), entry("late", 2), entry("a", 5)]
    memory, second = given(memory, *feed, by=run(1))
    _, by_hand = given(memory, *feed, by=run(1.1, "by hand"))
    assert (second, by_hand) == (["late", "b"], [])


def test_a_run_by_hand_may_look_further_back_and_a_backfill_takes_its_own_days() -> None:
    feed = [entry("today", 2), entry("last week", 24 * 6), entry("longer ago", 24 * 9)]
    memory, first = given(Memory(), *feed, by=run())
    memory, by_hand = given(memory, *feed, by=run(0.1, "by hand"), lookback=7 * DAY)
    memory, backfill = given(memory, *feed, by=run(-8.5, "backfill"))
    assert (first, by_hand, backfill) == (["today"], ["last week"], ["longer ago"])


def test_what_is_published_after_a_run_was_due_is_the_next_runs() -> None:
    feed = [entry("b", -1), entry("a", 1)]
    seen = look_at(Memory(), by=run(), shown=Shown("feed", tuple(feed), validators=Validators("one")))
    assert (names(seen.chosen), seen.later) == (["a"], 1)
    # The feed may not change until then.
    assert usable_validators(seen.memory, source="feed", run=run(1), lookback=DAY) == Validators()
    memory, _ = given(Memory(), *feed, by=run())
    assert given(memory, *feed, by=run(1))[1] == ["b"]


def test_an_entry_without_a_date_is_new_when_it_was_not_there_at_the_first_look() -> None:
    seen = look_at(Memory(), entry("a", None), by=run())
    assert (names(seen.chosen), names(seen.undated)) == ([], ["a"])
    _, second = given(seen.memory, entry("c", None), entry("b", None), entry("a", None), by=run(1))
    assert second == ["b", "c"]


def test_another_feed_begins_again_with_entries_that_have_no_date() -> None:
    memory, _ = given(Memory(), entry("a", 2), by=run())
    shown = Shown("another", (entry("x", None), entry("y", 2, day=1), entry("a", 2)))
    _, second = given(memory, by=run(1), shown=shown)
    assert second == ["y"]


def test_a_changed_address_or_a_changed_guid_makes_no_new_article() -> None:
    one = replace(entry("a"), guid="tag:1")
    memory, _ = given(Memory(), one, by=run())
    assert given(memory, replace(one, url="https://example.com/a?from=feed"), by=run(1))[1] == []
    assert given(memory, replace(one, guid="tag:2"), by=run(1))[1] == []


def test_a_changed_file_is_a_new_article() -> None:
    one = FeedEntry("s3://bucket/a.html", "a", NIGHT - HOUR, guid="s3://bucket/a.html 1")
    memory, first = given(Memory(), one, by=run())
    changed = replace(one, guid="s3://bucket/a.html 2", published=NIGHT + HOUR)
    assert (first, given(memory, one, by=run(1))[1]) == (["a"], [])
    assert given(memory, changed, by=run(1))[1] == ["a"]


def test_what_is_beyond_the_limit_is_passed_over_for_good() -> None:
    feed = [entry("c", 1), entry("b", 2), entry("a", 3)]
    seen = look_at(Memory(), *feed, by=run(), limit=2)
    assert (names(seen.chosen), names(seen.beyond_limit)) == (["b", "c"], ["a"])
    memory, _ = given(Memory(), *feed, by=run(), limit=2)
    assert given(memory, *feed, by=run(1))[1] == []


def test_the_next_run_takes_over_what_a_failed_run_chose() -> None:
    failed = look_at(Memory(), entry("a", 5), by=run())
    seen = look_at(failed.memory, entry("b", 5, day=1), by=run(1))
    assert (names(seen.chosen), seen.taken_over) == (["a", "b"], ("scheduled 0",))
    assert seen.memory.record_of(run()) is None


def test_what_no_run_can_read_is_given_up_after_some() -> None:
    memory = Memory()
    for day in range(MAX_TAKEOVERS):
        seen = look_at(memory, entry("dead", 1), by=run(day))
        memory = read_memory(write_memory(seen.memory), where="here")
        assert names(seen.chosen) == ["dead"]
    seen = look_at(memory, entry("dead", 1), by=run(MAX_TAKEOVERS))
    assert (names(seen.chosen), names(seen.given_up)) == ([], ["dead"])


def test_of_two_runs_at_once_the_later_has_the_articles() -> None:
    first = look_at(Memory(), entry("a"), by=run())
    second = look_at(first.memory, entry("a"), by=run(0.1, "by hand"))
    record = first.memory.record_of(run())
    assert record
    memory, own = mark_returned(second.memory, record)
    assert names(own.entries) == []
    assert names(second.chosen) == ["a"]
    assert memory.record_of(run()) is None


def test_a_record_that_another_write_has_lost_is_made_again() -> None:
    first = look_at(Memory(), entry("a"), by=run())
    other, _ = given(Memory(), entry("b"), by=run(0.1, "by hand"))
    record = first.memory.record_of(run())
    assert record
    memory, own = mark_returned(other, record)
    assert names(own.entries) == ["a"]
    assert memory.record_of(run()) == own
    assert given(memory, entry("a"), entry("b"), by=run(1))[1] == []


def test_an_unchanged_feed_gives_nothing_new_and_changes_nothing_but_releases() -> None:
    feed = Shown("feed", (entry("a"),), validators=Validators("one", "Sat"))
    failed = look_at(Memory(), by=run(), shown=feed).memory
    assert usable_validators(failed, source="feed", run=run(1), lookback=DAY) == Validators("one", "Sat")
    assert usable_validators(failed, source="other", run=run(1), lookback=DAY) == Validators()
    further_back = usable_validators(failed, source="feed", run=run(1), lookback=7 * DAY)
    assert further_back == Validators()

    seen = look_at(failed, by=run(1), shown=Shown("feed", unchanged=True))
    assert names(seen.chosen) == ["a"]
    assert seen.memory.validators == Validators("one", "Sat")
    returned, _ = mark_returned(seen.memory, seen.memory.records[0])
    again = look_at(returned, by=run(2), shown=Shown("feed", unchanged=True))
    assert again.chosen == ()
    assert again.memory == returned


def test_what_may_have_left_the_feed_unseen_is_told() -> None:
    memory, _ = given(Memory(), entry("a", 1), by=run())
    seen = look_at(memory, entry("z", 1, day=9), entry("y", 20, day=9), by=run(9))
    assert seen.gap == (NIGHT, NIGHT + 9 * DAY - 20 * HOUR)
    assert look_at(memory, entry("z", 1, day=1), entry("a", 1), by=run(1)).gap is None
    assert look_at(memory, by=run(1)).gap is None


def test_where_all_that_was_shown_then_is_shown_still_there_is_no_gap() -> None:
    """A young feed: nothing in it is older than the first look, and its first entries came after that run was due."""
    memory = look_at(Memory(), entry("b", -2), entry("a", -1), by=run()).memory
    memory = read_memory(write_memory(memory), where="here")
    seen = look_at(memory, entry("c", 1, day=1), entry("b", -2), entry("a", -1), by=run(1))
    assert seen.gap is None
    assert look_at(memory, entry("c", 1, day=1), entry("b", -2), by=run(1)).gap == (NIGHT, NIGHT + 2 * HOUR)


def test_what_a_run_could_not_read_for_now_is_the_next_runs_and_what_it_read_its_own() -> None:
    seen = look_at(Memory(), entry("busy", 2), entry("read", 1), by=run())
    [record] = seen.memory.records
    memory, own = mark_returned(seen.memory, record, waiting=[entry("busy", 2)])
    memory = read_memory(write_memory(memory), where="here")
    assert names(own.entries) == ["busy", "read"]
    after, second = given(memory, entry("busy", 2), entry("read", 1), by=run(1))
    assert second == ["busy"]
    mine = after.record_of(run())
    assert mine
    assert names(mine.entries) == ["read"]

    # Until then the run itself may read it, cleared.
    cleared, _ = mark_returned(memory, own)
    assert given(cleared, entry("busy", 2), entry("read", 1), by=run(1))[1] == []


def test_a_list_with_something_to_be_tried_again_is_never_left_out_for_room() -> None:
    feed = [entry(f"{number}-{'x' * 1000}", 2) for number in range(40)]
    seen = look_at(Memory(), *feed, by=run(), limit=100)
    memory, _ = mark_returned(seen.memory, seen.memory.records[0], waiting=[feed[0]])
    second = replace(memory.records[0], run=run(1))
    kept = read_memory(write_memory(replace(memory, records=(*memory.records, second))), where="here")
    assert len(kept.records) == 2


def test_a_validator_in_a_memory_that_cannot_be_sent_is_not_used() -> None:
    memory = replace(Memory(), validators=Validators("\xa0", "Sat"))
    assert read_memory(write_memory(memory), where="here").validators == Validators("", "Sat")


def test_marks_of_what_is_shown_are_kept_and_of_the_rest_the_latest() -> None:
    feed = tuple(entry(str(number), None) for number in range(MAX_MARKS + 10))
    memory = look_at(Memory(), *feed, by=run()).memory
    assert len(memory.known) == MAX_MARKS + 10
    memory = look_at(memory, *feed[:5], by=run(1)).memory
    assert len(memory.known) == MAX_MARKS + 5
    assert marks(feed[0]) <= set(memory.known)


def test_the_oldest_lists_go_when_there_are_too_many_and_their_runs_are_told_from_new_ones() -> None:
    memory = Memory()
    for day in range(40):
        feed = [entry(f"{day}-{number}-{'x' * 200}", 2, day=day) for number in range(10)]
        memory, _ = given(memory, *feed, by=run(day))
    assert len(write_memory(memory)) < 64_000
    assert memory.record_of(run(39))
    assert memory.record_of(run(0)) is None
    assert run(0).key in memory.forgotten


def test_a_choice_that_was_not_returned_is_never_left_out_for_room() -> None:
    feed = [entry(f"{number}-{'x' * 1000}", 2) for number in range(40)]
    memory = look_at(Memory(), *feed, by=run(), limit=100).memory
    second = replace(memory.records[0], run=run(1))
    kept = read_memory(write_memory(replace(memory, records=(*memory.records, second))), where="here")
    assert len(kept.records) == 2


WITHOUT_A_ZONE = write_memory(Memory(looked=NIGHT)).replace("+00:00", "")


@pytest.mark.parametrize(
    "text",
    [
        *["", "[]", "{}", '{"version": 1}', "null", '{"version": "x"}', "7"],
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param(WITHOUT_A_ZONE, id="without a zone"),
    ],
)
def test_a_text_that_is_no_memory_is_refused(text: str) -> None:
    with pytest.raises(ArticleMemoryError, match="The Variable x does not hold"):
        read_memory(text, where="The Variable x")


def test_a_memory_of_a_later_release_is_refused_and_its_additions_to_this_one_are_left_aside() -> None:
    text = write_memory(look_at(Memory(), entry("a"), by=run()).memory)
    with pytest.raises(ArticleMemoryError, match="later release"):
        read_memory(text.replace('"version": 1', '"version": 2'), where="x")
    extended = text.replace('{"version": 1', '{"more": 1, "version": 1').replace(
        '{"url"', '{"more": 1, "url"'
    )
    assert write_memory(read_memory(extended, where="x")) == text


def test_the_document_of_this_release_is_read() -> None:
    """As 0.2.0 writes it; what is in a Variable must be read by every later release."""
    text = (
        '{"version": 1, "source": "abc", "looked": "2026-11-21T03:00:00+00:00", "etag": "\\"1\\"", "last_modified": '
        '"", "valid_since": "2026-11-20T03:00:00+00:00", "runs": [{"key": "k", "run": "manual", "after": '
        '"2026-11-21T03:00:00+00:00", "returned": true, "language": "en", "entries": [{"url": "https://example.com/a", '
        '"title": "A", "published": "2026-11-21T02:00:00+00:00", "author": "B", "guid": "g", "runs": 2}]}], '
        '"forgotten": ["f"], "known": "aaaaaaaa bbbbbbbb"}'
    )
    memory = read_memory(text, where="x")
    assert names(memory.records[0].entries) == ["A"]
    assert write_memory(memory) == text
