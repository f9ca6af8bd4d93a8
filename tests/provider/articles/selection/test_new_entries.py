"""Night after night, runs that fail, die, are retried or cleared: no article is given twice, none is lost."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.selection.memory import Memory, Record, Run
from airflow_video_creation.provider.articles.selection.memory_document import read_memory, write_memory
from airflow_video_creation.provider.articles.selection.new_entries import Look, Shown, look, mark_returned

FIRST_NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)
HOUR = timedelta(hours=1)


class NightsOfArticles(RuleBasedStateMachine):
    """A feed which grows and forgets, and the runs of a DAG, one after the other.

    ``due`` are the entries that the next run which ends well must have been given, it or one before it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stored = write_memory(Memory())
        self.feed: list[FeedEntry] = []
        self.now = FIRST_NIGHT
        self.published = 0
        self.returned: dict[str, tuple[Run, list[str]]] = {}
        self.due: set[str] = set()

    @property
    def memory(self) -> Memory:
        return read_memory(self.stored, where="here")

    @rule(hours_ago=st.one_of(st.none(), st.floats(0.1, 20)))
    def an_article_is_shown(self, hours_ago: float | None) -> None:
        self.published += 1
        date = None if hours_ago is None else self.now - hours_ago * HOUR
        address = f"https://example.com/{self.published}"
        self.feed.insert(0, FeedEntry(address, published=date))
        if self.memory.looked:
            self.due.add(address)

    @rule(lookback=st.integers(24, 72))
    def a_run_ends_well(self, lookback: int) -> None:
        run = self.next_run()
        found = self.looked_at(run, lookback)
        if record := found.memory.record_of(run):
            self.return_it(run, record)
        given = {address for _, addresses in self.returned.values() for address in addresses}
        assert self.due <= given

    @rule()
    def a_run_fails_altogether(self) -> None:
        self.looked_at(self.next_run(), 24)

    @rule()
    def a_run_fails_and_its_retry_goes_on(self) -> None:
        run = self.next_run()
        chosen = self.looked_at(run, 24).chosen
        record = self.memory.record_of(run)
        assert (record.entries if record else ()) == chosen
        if record:
            self.return_it(run, record)

    @rule(data=st.data())
    def a_run_cannot_read_some(self, data: st.DataObject) -> None:
        run = self.next_run()
        self.looked_at(run, 24)
        if record := self.memory.record_of(run):
            self.return_it(run, record, data.draw(st.sets(st.sampled_from(record.entries))))

    @rule()
    def a_run_dies_before_it_stores(self) -> None:
        look(
            self.memory,
            Shown("feed", tuple(self.feed)),
            run=self.next_run(),
            last_success=None,
            lookback=24 * HOUR,
            limit=1000,
        )

    @rule(data=st.data())
    def a_run_is_cleared(self, data: st.DataObject) -> None:
        if self.returned:
            run, before = self.returned[data.draw(st.sampled_from(sorted(self.returned)))]
            record = self.memory.record_of(run)
            read = {held.entry.url for held in record.held if not held.waiting} if record else set()
            assert read == set(before)
            if record:
                waiting = [held.entry for held in record.held if held.waiting]
                after, _ = mark_returned(self.memory, record, waiting=waiting)
                assert write_memory(after) == self.stored
                self.return_it(run, record)

    @rule()
    def the_feed_forgets_what_it_has_shown(self) -> None:
        self.feed = [entry for entry in self.feed if entry.url in self.due]

    def next_run(self) -> Run:
        self.now += 2 * HOUR
        return Run(key=self.now.isoformat(), name=self.now.isoformat(), after=self.now)

    def looked_at(self, run: Run, lookback: int) -> Look:
        shown = Shown("feed", tuple(self.feed))
        found = look(self.memory, shown, run=run, last_success=None, lookback=lookback * HOUR, limit=1000)
        self.stored = write_memory(found.memory)
        self.due -= {entry.url for entry in found.given_up}
        return found

    def return_it(self, run: Run, record: Record, waiting: Collection[FeedEntry] = ()) -> None:
        after, own = mark_returned(self.memory, record, waiting=waiting)
        self.stored = write_memory(after)
        self.returned[run.name] = (run, [entry.url for entry in own.entries if entry not in waiting])

    @invariant()
    def no_article_was_given_to_two_runs(self) -> None:
        given = [address for _, addresses in self.returned.values() for address in addresses]
        assert len(given) == len(set(given))


TestNightsOfArticles = NightsOfArticles.TestCase
TestNightsOfArticles.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
