"""A budget that runs share: both may get less than there is when they plan at once, and never more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from airflow_video_creation.provider.errors import SpendingRecordError
from airflow_video_creation.provider.spending.across_runs.budget import (
    Budgeted,
    Planner,
    budgets_on,
    give_back,
    reserve,
)
from airflow_video_creation.provider.spending.across_runs.note_steps import Read, Steps
from airflow_video_creation.provider.spending.video_plan import plan_videos

from .shared_notes import Notes, Walk

TODAY = date(2026, 11, 22)


def storyboards(videos: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {"videoName": name, "scenes": [{"text": "x", "minimumDuration": seconds}]}
        for name, seconds in videos.items()
    ]


def planning(
    owner: str,
    videos: Mapping[str, int],
    *,
    mark: str = "m",
    day: date = TODAY,
    per_day: float | None = 1,
    per_month: float | None = None,
    only_look: bool = False,
) -> Steps[Budgeted]:
    given = storyboards(videos)
    return reserve(
        budgets_on(day, per_day=per_day, per_month=per_month),
        Planner(day, owner, mark, {"dag_id": f"dag-{owner}", "run_id": owner}),
        lambda room: plan_videos(given, room=room),
        only_look=only_look,
    )


def made(budgeted: Budgeted) -> list[str]:
    return [video.video for video in budgeted.plan.made]


def test_what_an_earlier_plan_took_is_gone_for_the_next() -> None:
    notes = Notes()
    assert made(notes.run(planning("a", {"one": 30, "two": 20}))) == ["one", "two"]

    second = notes.run(planning("b", {"long": 20, "short": 10}))

    assert made(second) == ["short"]
    assert second.plan.left_out[0].reason == (
        "about 0.3 minutes, and 0.2 of max_minutes_per_day=1 were left."
    )
    assert second.plan.left_out[0].no_room
    assert [use.to_xcom() for use in second.uses] == [
        {
            "name": "max_minutes_per_day",
            "minutes": 1,
            "period": "2026-11-22",
            "other_runs": 0.83,
            "by_dag": {"dag-a": 0.83},
            "this_run": 0.17,
            "left": 0.0,
        }
    ]


@pytest.mark.parametrize(
    ("later", "fits"),
    [
        (TODAY, []),
        (TODAY + timedelta(days=1), ["b"]),
        (TODAY - timedelta(days=1), ["b"]),
    ],
)
def test_a_day_has_its_own_minutes(later: date, fits: list[str]) -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 60}))
    assert made(notes.run(planning("y", {"b": 60}, day=later))) == fits


@pytest.mark.parametrize(
    ("day", "fits"),
    [
        (date(2026, 11, 1), []),
        (date(2026, 11, 30), []),
        (date(2026, 12, 1), ["b"]),
        (date(2026, 10, 31), ["b"]),
        (date(2027, 11, 22), ["b"]),
    ],
)
def test_a_month_has_its_own_minutes(day: date, fits: list[str]) -> None:
    notes = Notes()
    month = {"per_day": None, "per_month": 1}
    notes.run(planning("x", {"a": 60}, **month))
    assert made(notes.run(planning("y", {"b": 60}, day=day, **month))) == fits


def test_a_plan_that_runs_again_reserves_once_and_plans_the_same() -> None:
    notes = Notes()
    first = notes.run(planning("x", {"a": 30, "b": 30}, mark="try1"))
    again = notes.run(planning("x", {"a": 30, "b": 30, "new": 10}, mark="try2"))

    assert made(again) == made(first) == ["a", "b"]
    assert [name.split(".")[2] for name in notes.texts] == ["60"]


def test_what_a_cleared_plan_no_longer_wants_stays_reserved_since_it_may_be_made() -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 40}, mark="try1"))
    assert made(notes.run(planning("x", {"b": 40, "c": 20}, mark="try2"))) == ["c"]
    assert made(notes.run(planning("y", {"d": 1}))) == []


def test_what_a_dead_try_asked_for_is_not_held_against_its_retry() -> None:
    notes = Notes()
    died = Walk(notes, planning("x", {"a": 60}, mark="try1"))
    while not notes.texts:
        died.on()
    assert made(notes.run(planning("x", {"b": 60}, mark="try2"))) == ["b"]


def test_what_an_ended_run_never_sent_is_free_again() -> None:
    notes = Notes(unspent=lambda note: {"b"} if note["run_id"] == "x" else set())
    notes.run(planning("x", {"a": 20, "B": 40}))

    after = notes.run(planning("y", {"c": 40, "d": 1}))

    assert made(after) == ["c"]
    assert after.uses[0].others == 20


def test_a_run_that_ended_is_not_looked_at_while_there_is_room() -> None:
    def unspent(note: Any) -> set[str]:
        raise AssertionError("asked for nothing")

    notes = Notes(unspent)
    notes.run(planning("x", {"a": 20}))
    assert made(notes.run(planning("y", {"b": 40}))) == ["b"]


def test_runs_of_other_days_are_not_looked_at_while_the_month_has_room() -> None:
    looked: list[str] = []

    def unspent(note: Any) -> set[str]:
        looked.append(note["run_id"])
        return set()

    notes = Notes(unspent)
    notes.run(planning("sat", {"a": 60}, day=TODAY - timedelta(days=1), per_month=9))
    notes.run(planning("sun", {"a": 60}, per_month=9))
    assert made(notes.run(planning("x", {"b": 60}, per_month=9))) == []
    assert looked == ["sun"]


@given(turns=st.lists(st.booleans(), max_size=12))
def test_a_run_that_plans_again_takes_back_what_others_thought_was_free(turns: list[bool]) -> None:
    ended = {"x"}
    notes = Notes(unspent=lambda note: {"a"} if note["run_id"] in ended else set())
    notes.run(planning("x", {"a": 60}, mark="try1"))
    other = Walk(notes, planning("y", {"b": 60}))
    # It lists the notes, reads that of x, and learns that x has ended and sent nothing.
    for _ in range(3):
        other.on()

    ended.clear()
    cleared = Walk(notes, planning("x", {"a": 60}, mark="try2"))
    for turn in [*turns, *[True, False] * 15]:
        walk = cleared if turn else other
        if not walk.over:
            walk.on()

    assert len(made(cleared.result) + made(other.result)) <= 1


def test_a_plan_that_fails_after_all_gives_back_what_it_took_and_keeps_what_was_taken_before() -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 10}, mark="try1"))
    budgeted = notes.run(planning("x", {"a": 10, "b": 50}, mark="try2"))
    assert made(budgeted) == ["a", "b"]

    notes.run(give_back(Planner(TODAY, "x", "end", {}), budgeted.held))

    assert made(notes.run(planning("y", {"c": 50}))) == ["c"]
    assert made(notes.run(planning("z", {"c": 1}))) == []


def test_a_dry_run_shows_what_is_left_and_takes_nothing() -> None:
    notes = Notes()
    looked = notes.run(planning("x", {"a": 20}, only_look=True))
    assert (made(looked), looked.uses[0].left, notes.texts) == (["a"], 40, {})


def test_a_night_without_videos_notes_nothing() -> None:
    notes = Notes()
    notes.run(planning("x", {}))
    assert not notes.texts


def test_a_limit_that_was_lowered_leaves_nothing() -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 60}))
    assert made(notes.run(planning("y", {"b": 1}, per_day=0.5))) == []


def test_the_dags_that_have_taken_most_are_named() -> None:
    notes = Notes()
    for number, owner in enumerate("abcdefg", 1):
        notes.run(planning(owner, {"v": number}))

    [use] = notes.run(planning("z", {"v": 30, "w": 10})).uses

    assert use.by_dag == {"dag-g": 7, "dag-f": 6, "dag-e": 5, "dag-d": 4, "dag-c": 3}
    assert "0.5 minutes are other runs' (dag-g 0.1, dag-f 0.1, " in str(use)


def test_while_there_is_room_no_note_of_others_is_read_so_none_can_fail_the_plan() -> None:
    class Unreadable(Notes):
        def do(self, step: Any) -> Any:
            if isinstance(step, Read):
                raise SpendingRecordError("away")
            return super().do(step)

    notes = Unreadable()
    notes.run(planning("x", {"a": 20}))
    [use] = notes.run(planning("y", {"b": 40})).uses
    assert (use.others, use.by_dag) == (20, {})


def test_a_budget_that_is_raised_in_the_middle_of_a_day_leaves_more() -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 60}))
    assert made(notes.run(planning("y", {"b": 60, "c": 30}, per_day=2))) == ["b"]


def test_old_notes_are_taken_away() -> None:
    notes = Notes()
    notes.run(planning("x", {"a": 1}, day=TODAY - timedelta(days=46)))
    notes.run(planning("x", {"a": 1}, day=TODAY - timedelta(days=45)))
    notes.run(planning("y", {"a": 1}))
    assert [name[:10] for name in sorted(notes.texts)] == ["2026-10-08", "2026-11-22"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("somebody's", "{}"),
        ("2026-11-22.x.lots.planned.m", "{}"),
        ("2026-11-22.y.60.planned.m", "no JSON"),
        ("2026-11-22.y.60.planned.m", '{"videos": [1]}'),
    ],
)
def test_a_note_that_cannot_be_read_stops_the_plan(name: str, text: str) -> None:
    notes = Notes()
    notes.texts[name] = text
    with pytest.raises(SpendingRecordError, match=r"nothing is paid") as wrong:
        notes.run(planning("x", {"a": 60}))
    assert wrong.value.retryable


def test_a_store_that_forgets_stops_the_plan() -> None:
    class Forgetful(Notes):
        def do(self, step: Any) -> Any:
            answer = super().do(step)
            self.texts.clear()
            return answer

    with pytest.raises(SpendingRecordError, match="not there after it was written"):
        Forgetful().run(planning("x", {"a": 60}))


@given(turns=st.lists(st.booleans(), max_size=20))
def test_of_two_plans_at_once_the_first_in_order_gets_all_it_wants(turns: list[bool]) -> None:
    notes = Notes()
    walks = {
        True: Walk(notes, planning("x", {"a": 60})),
        False: Walk(notes, planning("y", {"b": 60})),
    }
    for turn in [*turns, *[True, False] * 20]:
        if not walks[turn].over:
            walks[turn].on()

    assert [made(walk.result) for walk in walks.values()] in ([["a"], []], [[], ["b"]])


@given(order=st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_two_and_twenty_plans_at_once_never_get_more_than_there_is(order: Any) -> None:
    notes = Notes()
    walks = [Walk(notes, planning(f"run{number}", {"a": 30, "b": 20}, per_day=3)) for number in range(22)]
    while going := [walk for walk in walks if not walk.over]:
        order.choice(going).on()

    planned = sum(video.whole_seconds for walk in walks for video in walk.result.plan.made)
    assert 20 <= planned <= 180


@dataclass
class Run:
    """One run of one of the DAGs."""

    owner: str
    planning: Walk | None = None
    day: date = TODAY
    planned: frozenset[str] = frozenset()
    """What it may pay for now."""
    paid: dict[date, set[str]] = field(default_factory=dict)
    ended: bool = False


NAMES = ("p", "q", "r", "s")
LENGTHS = dict(zip(NAMES, (10, 25, 40, 60), strict=True))
"""Seconds of the videos."""


class OneBudget(RuleBasedStateMachine):
    """Runs that plan, pay, die, end and are cleared, step by step, in any order.

    At no moment more is paid, or may be paid by a plan that stands, than the day and the month allow.
    """

    PER_DAY, PER_MONTH = 1.5, 3

    def __init__(self) -> None:
        super().__init__()
        self.notes = Notes(self._unspent)
        self.runs = [Run(owner) for owner in ("a", "b", "c")]
        self.today = TODAY
        self.tries = 0

    def _unspent(self, note: Any) -> set[str]:
        run = next(run for run in self.runs if run.owner == note["run_id"])
        return set(NAMES) - set().union(*run.paid.values()) if run.ended else set()

    @initialize(steps=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), max_size=12))
    def all_plan(self, steps: list[tuple[int, int]]) -> None:
        """At the same moment."""
        for which in range(3):
            self.plan(which, list(NAMES))
        for which, count in steps:
            self.goes_on(which, count)

    @rule(which=st.integers(0, 2), names=st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    def plan(self, which: int, names: list[str]) -> None:
        """A run plans, for the first time, as a retry, or cleared with all that follows."""
        run = self.runs[which]
        self.tries += 1
        run.planned, run.ended, run.day = frozenset(), False, self.today
        run.planning = Walk(
            self.notes,
            planning(
                run.owner,
                {name: LENGTHS[name] for name in names},
                mark=f"try{self.tries}",
                day=self.today,
                per_day=self.PER_DAY,
                per_month=self.PER_MONTH,
            ),
        )

    @rule(which=st.integers(0, 2), steps=st.integers(1, 12))
    def goes_on(self, which: int, steps: int) -> None:
        run = self.runs[which]
        for _ in range(steps):
            if run.planning is None:
                return
            run.planning.on()
            if run.planning.over:
                run.planned = frozenset(made(run.planning.result))
                run.planning = None

    @rule(which=st.integers(0, 2))
    def dies(self, which: int) -> None:
        self.runs[which].planning = None

    @rule(which=st.integers(0, 2), name=st.sampled_from(NAMES))
    def pays(self, which: int, name: str) -> None:
        run = self.runs[which]
        if name in run.planned and not run.ended:
            run.paid.setdefault(run.day, set()).add(name)

    @rule(which=st.integers(0, 2))
    def ends(self, which: int) -> None:
        run = self.runs[which]
        run.planning, run.planned, run.ended = None, frozenset(), True

    @rule()
    def a_day_goes_by(self) -> None:
        self.today += timedelta(days=1)

    def _spent(self, day: date) -> int:
        spent = 0
        for run in self.runs:
            names = run.paid.get(day, set()) | (run.planned if run.day == day else set())
            spent += sum(LENGTHS[name] for name in names)
        return spent

    @invariant()
    def nothing_is_overspent(self) -> None:
        days = {run.day for run in self.runs}.union(*(run.paid for run in self.runs))
        by_day = {day: self._spent(day) for day in days}
        assert max(by_day.values()) <= self.PER_DAY * 60
        for month in {(day.year, day.month) for day in days}:
            in_month = sum(spent for day, spent in by_day.items() if (day.year, day.month) == month)
            assert in_month <= self.PER_MONTH * 60


TestOneBudget = OneBudget.TestCase
TestOneBudget.settings = settings(max_examples=300, stateful_step_count=40)
