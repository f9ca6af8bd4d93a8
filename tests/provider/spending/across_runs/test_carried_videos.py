"""What a run leaves out for lack of room a later run makes: none is lost, none is made by two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from airflow_video_creation.provider.errors import SpendingRecordError
from airflow_video_creation.provider.spending.across_runs.carried_videos import (
    Carrier,
    carry_over,
    digest_of,
    find_carried,
)
from airflow_video_creation.provider.spending.across_runs.note_steps import Steps
from airflow_video_creation.provider.spending.video_plan import VideoPlan, plan_videos

from .shared_notes import Notes, Walk

NOW = datetime(2026, 11, 22, 3, tzinfo=UTC)
WEEK = timedelta(days=7)


def storyboard(name: str, text: str = "x") -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": text}]}


def planning(
    run: str, *names: str, room: int = 1, now: datetime = NOW, text: str = "x"
) -> Steps[tuple[VideoPlan, list[str]]]:
    """A plan from beginning to end, and the reasons of what it does not plan at all."""
    carrier = Carrier(run, f"run {run}", now, WEEK)
    given = [storyboard(name, text) for name in names]
    found = yield from find_carried(carrier)
    plan = plan_videos(found.before(given), max_videos=room)
    plan = yield from carry_over(carrier, found, plan)
    return plan, [f"{video.video}: {video.reason}" for video in found.left_out(given, WEEK)]


class Night:
    """Runs one after another."""

    def __init__(self) -> None:
        self.notes = Notes()

    def made(self, run: str, *names: str, **arguments: Any) -> list[str]:
        plan, self.reasons = self.notes.run(planning(run, *names, **arguments))
        self.plan = plan
        return [video.video for video in plan.made]


def test_what_has_no_room_comes_with_the_next_runs_the_oldest_first() -> None:
    night = Night()
    assert night.made("mon", "a", "b", "c") == ["a"]
    assert night.made("tue", "d", now=NOW + timedelta(days=1)) == ["b"]
    assert night.made("wed", room=5, now=NOW + timedelta(days=2)) == ["c", "d"]
    assert night.made("thu", room=5, now=NOW + timedelta(days=3)) == []


def test_what_is_carried_over_keeps_its_metadata() -> None:
    notes = Notes()
    given = [{"storyboard": storyboard(name), "metadata": {"from": name}} for name in ("a", "b")]
    for run, storyboards in (("mon", given), ("tue", [])):
        carrier = Carrier(run, f"run {run}", NOW, WEEK)
        found = notes.run(find_carried(carrier))
        plan = notes.run(carry_over(carrier, found, plan_videos(found.before(storyboards), max_videos=1)))

    assert [video.as_given() for video in plan.made] == [given[1]]


def test_a_run_that_plans_again_plans_the_same() -> None:
    night = Night()
    night.made("mon", "a", "b")
    assert night.made("tue", "c") == night.made("tue", "c") == ["b"]
    assert night.made("mon", "a", "b") == ["a"]
    assert night.made("wed") == ["c"]


def test_a_cleared_run_with_more_room_makes_what_no_other_run_has_taken() -> None:
    night = Night()
    night.made("mon", "a", "b", "c")
    night.made("tue")

    assert night.made("mon", "a", "b", "c", room=3) == ["a", "c"]
    assert night.reasons == ["b: it was left to a later run, which makes it."]
    assert night.made("wed", room=5) == []


def test_a_cleared_run_with_less_room_leaves_nothing_to_others_that_it_may_have_made() -> None:
    night = Night()
    night.made("mon", "a", "b", room=2)
    assert night.made("mon", "a", "b", room=1) == ["a"]
    assert night.made("tue", room=5) == []


def test_of_one_name_what_the_run_is_given_is_made() -> None:
    night = Night()
    night.made("mon", "a", "kettle", text="old")
    assert night.made("tue", "Kettle", text="new") == ["Kettle"]
    assert night.plan.made[0].storyboard == storyboard("Kettle", "new")
    assert night.made("wed", room=5) == []


def test_what_waits_too_long_is_given_up_and_told() -> None:
    night = Night()
    night.made("mon", "a", "b")
    assert night.made("tue", now=NOW + WEEK + timedelta(seconds=1)) == []
    assert night.reasons == ["b: it found no room for max_age=7 days, 0:00:00, and is given up."]
    assert night.made("wed") == []


def test_what_is_wrong_or_there_twice_is_not_carried_over() -> None:
    night = Night()
    carrier = Carrier("mon", "mon", NOW, WEEK)
    plan = plan_videos([{"videoName": "bad"}, storyboard("a"), storyboard("A")])
    found = night.notes.run(find_carried(carrier))
    night.notes.run(carry_over(carrier, found, plan))
    assert night.made("tue", room=5) == []


def test_notes_are_taken_away_when_no_run_asks_for_them_any_more() -> None:
    night = Night()
    night.made("mon", "a", "b")
    night.made("tue")
    night.made("wed", now=NOW + WEEK + timedelta(days=31))
    assert not night.notes.texts


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("somebody's", "{}"),
        ("2026-11-22.r.v.item", "no JSON"),
        ("2026-11-22.r.v.item", '{"since": "2026-11-22", "storyboard": 5, "video": "v", "number": 1}'),
        ("2026-11-22.mon.plan", "[]"),
    ],
)
def test_a_note_that_cannot_be_read_stops_the_plan(name: str, text: str) -> None:
    night = Night()
    night.notes.texts[name] = text
    with pytest.raises(
        SpendingRecordError, match=r"cannot be read\. Nothing was planned, and nothing is paid"
    ):
        night.made("mon", "a")


@given(turns=st.lists(st.sampled_from(["mon", "tue", "wed"]), max_size=40))
def test_of_runs_that_want_one_video_at_once_one_makes_it_or_the_next_run_does(turns: list[str]) -> None:
    night = Night()
    night.made("mon", "a", "b")
    walks = {
        "mon": Walk(night.notes, planning("mon", "a", "b", room=2)),
        "tue": Walk(night.notes, planning("tue")),
        "wed": Walk(night.notes, planning("wed")),
    }
    for turn in [*turns, *["mon", "tue", "wed"] * 15]:
        if not walks[turn].over:
            walks[turn].on()

    made = [video.video for walk in walks.values() for video in walk.result[0].made]
    assert sorted([*made, *night.made("thu", room=5)]) == ["a", "b"]


@dataclass
class Run:
    """One run, and what it was given for good."""

    name: str
    given: list[str] = field(default_factory=list)
    planning: Any = None
    standing: frozenset[str] = frozenset()
    made: set[str] = field(default_factory=set)
    has_planned: bool = False


class ManyRuns(RuleBasedStateMachine):
    """Runs of one DAG that plan, make, die and are cleared, step by step, in any order.

    No video is made by two runs, or may be by plans that stand; when all is quiet, what has no room is made.
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes = Notes()
        self.runs = [
            Run(name, [f"{name}{number}" for number in range(given)])
            for name, given in (("mon", 3), ("tue", 2), ("wed", 0))
        ]

    @rule(which=st.integers(0, 2), room=st.integers(1, 3))
    def plans(self, which: int, room: int) -> None:
        """For the first time, as a retry, or cleared with all that follows."""
        run = self.runs[which]
        run.standing, run.has_planned = frozenset(), False
        run.planning = Walk(self.notes, planning(run.name, *run.given, room=room))

    @rule(which=st.integers(0, 2), steps=st.integers(1, 15))
    def goes_on(self, which: int, steps: int) -> None:
        run = self.runs[which]
        for _ in range(steps):
            if run.planning is None:
                return
            run.planning.on()
            if run.planning.over:
                plan, _ = run.planning.result
                run.standing = frozenset(video.video for video in plan.made)
                run.planning, run.has_planned = None, True

    @rule(which=st.integers(0, 2))
    def dies(self, which: int) -> None:
        self.runs[which].planning = None

    @rule(which=st.integers(0, 2))
    def makes(self, which: int) -> None:
        run = self.runs[which]
        run.made |= run.standing

    @invariant()
    def nothing_is_made_by_two(self) -> None:
        for one in self.runs:
            for other in self.runs:
                if one is not other:
                    assert not (one.made | one.standing) & (other.made | other.standing)

    def teardown(self) -> None:
        planned: set[str] = set().union(*(run.made | run.standing for run in self.runs))
        for run in self.runs:
            if not run.has_planned:
                plan, _ = self.notes.run(planning(run.name, *run.given))
                planned |= {video.video for video in plan.made}
        for number in range(3):
            plan, _ = self.notes.run(planning(f"later{number}", room=9))
            planned |= {video.video for video in plan.made}
        lost = {name for run in self.runs for name in run.given} - planned - self._kept_by_their_runs()
        assert not lost

    def _kept_by_their_runs(self) -> set[str]:
        """What a run that has been cleared, or has died, planned once: it is that run's, and a clear plans it."""
        return {
            name
            for run in self.runs
            for name in self._all()
            if name not in run.made | run.standing
            and digest_of(name) in self.notes.run(find_carried(Carrier(run.name, "", NOW, WEEK))).planned
        }

    def _all(self) -> Sequence[str]:
        return [name for run in self.runs for name in run.given]


TestManyRuns = ManyRuns.TestCase
TestManyRuns.settings = settings(max_examples=150, stateful_step_count=40)
