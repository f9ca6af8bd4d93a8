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

from airflow_video_creation.provider.errors import InvalidRequestError, SpendingRecordError
from airflow_video_creation.provider.spending.across_runs.carried_notes import digest_of
from airflow_video_creation.provider.spending.across_runs.carried_videos import (
    Carrier,
    carry_over,
    find_carried,
)
from airflow_video_creation.provider.spending.across_runs.note_steps import Steps
from airflow_video_creation.provider.spending.video_plan import VideoPlan, plan_videos

from .shared_notes import Notes, Walk

NOW = datetime(2026, 11, 22, 3, tzinfo=UTC)
WEEK = timedelta(days=7)


def storyboard(name: str, text: str = "x", seconds: float = 2) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": text, "minimumDuration": seconds}]}


def planning(
    run: str,
    *names: str,
    room: int | None = 1,
    now: datetime = NOW,
    text: str = "x",
    given: Sequence[Any] | None = None,
    max_age: timedelta = WEEK,
    **limits: Any,
) -> Steps[tuple[VideoPlan, list[str]]]:
    """A plan from beginning to end, and the reasons of what it does not plan at all."""
    carrier = Carrier(run, f"run {run}", now, max_age)
    given = [storyboard(name, text) for name in names] if given is None else given
    found = yield from find_carried(carrier, given)
    plan = found.marked(plan_videos(found.in_order(), max_videos=room, **limits))
    plan = yield from carry_over(carrier, found, plan)
    return plan, [f"{video.video}: {video.reason}" for video in found.left_out(max_age)]


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
        found = notes.run(find_carried(carrier, storyboards))
        plan = notes.run(carry_over(carrier, found, plan_videos(found.in_order(), max_videos=1)))

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


def test_many_that_wait_are_few_notes() -> None:
    night = Night()
    names = [f"v{number}" for number in range(120)]
    night.made("sun", *names)
    assert len([name for name in night.notes.texts if name.endswith(".left")]) == 3
    before = night.notes.steps
    night.made("mon")
    # A listing, three notes, a claim, a look at the claims, the plan, and a listing.
    assert night.notes.steps - before == 8
    assert night.made("tue", room=60) == names[2:62]
    assert night.made("wed", room=200) == names[62:]


def test_what_is_given_up_leaves_what_a_cleared_run_needs() -> None:
    night, late = Night(), NOW + WEEK + timedelta(days=1)
    night.made("mon", "a", "b", "c")
    night.made("tue")
    assert night.made("wed", now=late) == []
    assert night.reasons == ["c: it found no room for max_age=7 days, 0:00:00, and is given up."]
    assert night.made("tue", now=late) == ["b"]


def test_notes_are_taken_away_when_no_run_asks_for_them_any_more() -> None:
    night = Night()
    night.made("mon", "a", "b")
    night.made("tue")
    night.made("wed", now=NOW + WEEK + timedelta(days=31))
    assert not night.notes.texts


def test_a_video_that_was_carried_over_says_from_which_run() -> None:
    night = Night()
    night.made("mon", "a", "b")
    night.made("tue", "c", room=2)
    assert [video.left_by for video in night.plan.made] == ["run mon", None]
    assert "make (carried over from run run mon)" in night.plan.table()


def test_what_fits_into_no_run_is_not_promised_to_a_later_one() -> None:
    night = Night()
    long, short = storyboard("long", seconds=90), storyboard("short")
    assert night.made("mon", given=[long, short], room=None, max_minutes=1) == ["short"]
    assert night.plan.left_out[0].reason == "about 1.5 minutes, longer than all of max_minutes=1."
    assert night.made("tue", room=None, max_minutes=2) == []


def test_of_two_of_one_name_the_one_without_room_is_not_carried_over_when_the_other_is_made() -> None:
    night = Night()
    given = [storyboard("a", seconds=40), storyboard("b", "long", seconds=30), storyboard("B", "short")]
    assert night.made("mon", given=given, room=None, max_minutes=1) == ["a", "B"]
    assert night.made("tue", room=5) == []


def test_of_two_of_one_name_that_wait_the_oldest_is_made_once() -> None:
    night = Night()
    left_at_once = [
        Walk(night.notes, planning(run, run, given=[storyboard(run), storyboard("b", seconds=seconds)]))
        for run, seconds in (("mon", 50), ("tue", 5))
    ]
    while not all(walk.over for walk in left_at_once):
        for walk in left_at_once:
            if not walk.over:
                walk.on()
    first = storyboard("first", seconds=30)
    assert night.made("wed", given=[first], room=None, max_minutes=1) == ["b"]
    assert night.made("thu", room=None, max_minutes=1) == ["first"]
    assert night.made("fri", room=5) == []


def test_a_run_that_is_cleared_after_max_age_leaves_its_own_video_again() -> None:
    night, hour = Night(), timedelta(hours=1)
    for hours in (0, 2):
        assert night.made("mon", "a", "b", now=NOW + hours * hour, max_age=hour) == ["a"]
        assert night.reasons == []
    assert night.made("tue", now=NOW + 2.5 * hour, max_age=hour) == ["b"]


def test_a_run_that_dies_before_all_else_is_noted_tells_in_its_retry_what_it_gave_up() -> None:
    night, late = Night(), NOW + WEEK + timedelta(days=1)
    night.made("mon", "a", "b", "c", room=1)
    dies = Walk(night.notes, planning("tue", "d", "e", now=late))
    while not any(name.endswith("tue.plan") for name in night.notes.texts):
        dies.on()
    assert night.made("tue", "d", "e", now=late) == ["d"]
    assert [reason.split(":")[0] for reason in night.reasons] == ["b", "c"]
    assert night.made("wed", now=late) == ["e"]
    assert night.reasons == []


def test_a_cleared_run_that_dies_at_any_step_loses_nothing_that_it_leaves_again() -> None:
    hour, steps, was_over = timedelta(hours=1), 0, False
    while not was_over:
        night = Night()
        night.made("mon", "a", "b", max_age=hour)
        steps += 1
        dies = Walk(night.notes, planning("mon", "a", "b", now=NOW + 2 * hour, max_age=hour))
        for _ in range(steps):
            if not dies.over:
                dies.on()
        was_over = dies.over
        night.made("mon", "a", "b", now=NOW + 2.1 * hour, max_age=hour)
        assert night.made("tue", now=NOW + 2.5 * hour, max_age=hour) == ["b"]


def test_a_run_that_is_cleared_again_and_again_overwrites_nothing_that_it_left() -> None:
    night, day = Night(), timedelta(hours=10)
    night.made("mon", "a", "b", max_age=day)
    night.made("mon", "a", "b", "c", max_age=day, now=NOW + timedelta(hours=8))
    night.made("mon", "a", "b", "c", max_age=day, now=NOW + timedelta(hours=11))
    night.made("mon", "a", "b", "c", "d", max_age=day, now=NOW + timedelta(hours=12))
    assert sorted(night.made("tue", room=9, max_age=day, now=NOW + timedelta(hours=13))) == ["b", "c", "d"]


def test_what_has_become_wrong_while_it_waited_is_told_once() -> None:
    def refuse(_: Any) -> None:
        raise InvalidRequestError("storyboard", [])

    night = Night()
    night.made("mon", "a", "b")
    assert night.made("tue", check=refuse) == []
    assert [video.kind for video in night.plan.left_out] == ["wrong"]
    assert night.made("wed") == []
    assert night.plan.videos == ()
    assert night.made("tue") == ["b"]


@pytest.mark.parametrize("max_age", [timedelta(0), timedelta.max])
def test_the_shortest_and_the_longest_max_age(max_age: timedelta) -> None:
    night = Night()
    night.made("mon", "a", "b", max_age=max_age)
    assert night.made("tue", max_age=max_age) == ["b"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("somebody's", "{}"),
        ("2026-11-22.r.0.left", "no JSON"),
        ("2026-11-22.r.0.left", '{"videos": {"v": 1}}'),
        (
            "2026-11-22.r.0.left",
            '{"videos": [{"run_id": "r", "since": "2026-11-22", "storyboard": {}, "video": "v", "number": 1}]}',
        ),
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
    for turn in [*turns, *["mon", "tue", "wed"] * 50]:
        if not walks[turn].over:
            walks[turn].on()

    made = [video.video for walk in walks.values() for video in walk.result[0].made]
    assert sorted([*made, *night.made("thu", room=5)]) == ["a", "b"]


@pytest.mark.parametrize("order", [["tue", "wed", "thu"], ["thu", "wed", "tue"]])
def test_of_runs_that_plan_at_once_step_by_step_one_makes_what_waits(order: list[str]) -> None:
    night = Night()
    night.made("mon", "a", "b", "c")
    walks = [Walk(night.notes, planning(run, room=2)) for run in order]
    while going := [walk for walk in walks if not walk.over]:
        for walk in going:
            walk.on()

    made = {
        run: [video.video for video in walk.result[0].made] for run, walk in zip(order, walks, strict=True)
    }
    assert made == {"thu": ["b", "c"], "tue": [], "wed": []}
    assert {video.reason for video in walks[1].result[0].left_out} == {
        "another run plans it at the same moment: that one makes it, or a later one."
    }
    assert night.made("fri", room=5) == []


def test_a_run_does_not_wait_for_ever_for_one_that_died_after_its_claim() -> None:
    night = Night()
    night.made("mon", "a", "b")
    died, first = (Walk(night.notes, planning(run)) for run in ("wed", "tue"))
    # Both have looked what there is before either claims it.
    for _ in range(3):
        died.on()
        first.on()
    assert [name for name in night.notes.texts if name.endswith("claim.wed")]
    while not first.over:
        first.on()

    assert first.result[0].made == []
    assert night.made("wed") == ["b"]


@dataclass
class Run:
    """One run, and what it was given for good: videos of its own, and one of a name that other runs have, too."""

    name: str
    given: list[str] = field(default_factory=list)
    shared_seconds: float = 2
    planning: Any = None
    standing: frozenset[tuple[str, str]] = frozenset()
    """Names, and whose storyboards they are."""
    made: set[tuple[str, str]] = field(default_factory=set)
    has_planned: bool = False

    def plans(self, notes: Notes, **limits: Any) -> Walk:
        given = [storyboard(name, self.name) for name in self.given]
        shared = [storyboard("shared", self.name, self.shared_seconds)] if given else []
        return Walk(notes, planning(self.name, given=[*given, *shared], **limits))


def made_of(plan: VideoPlan) -> frozenset[tuple[str, str]]:
    return frozenset(
        (video.video, video.storyboard["scenes"][0]["text"]) for video in plan.made if video.storyboard
    )


class ManyRuns(RuleBasedStateMachine):
    """Runs of one DAG that plan, make, die and are cleared, step by step, in any order.

    No video is made by two runs, or may be by plans that stand; when all is quiet, what has no room is made.
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes = Notes()
        self.runs = [
            Run(name, [f"{name}{number}" for number in range(given)], seconds)
            for name, given, seconds in (("mon", 3, 59), ("tue", 2, 5), ("wed", 0, 0))
        ]

    @rule(which=st.integers(0, 2), room=st.integers(1, 3), minutes=st.sampled_from([1, 9]))
    def plans(self, which: int, room: int, minutes: int) -> None:
        """For the first time, as a retry, or cleared with all that follows."""
        run = self.runs[which]
        run.standing, run.has_planned = frozenset(), False
        run.planning = run.plans(self.notes, room=room, max_minutes=minutes)

    @rule(which=st.integers(0, 2), steps=st.integers(1, 15))
    def goes_on(self, which: int, steps: int) -> None:
        run = self.runs[which]
        for _ in range(steps):
            if run.planning is None:
                return
            run.planning.on()
            if run.planning.over:
                plan, _ = run.planning.result
                run.standing = made_of(plan)
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
        planned = set().union(*(run.made | run.standing for run in self.runs))
        for run in self.runs:
            if not run.has_planned:
                walk = run.plans(self.notes)
                while not walk.over:
                    walk.on()
                planned |= made_of(walk.result[0])
        for number in range(3):
            plan, _ = self.notes.run(planning(f"later{number}", room=9))
            planned |= made_of(plan)
        names = {name for name, _ in planned}
        lost = {name for run in self.runs for name in run.given} - names - self._kept_by_their_runs()
        assert not lost

    def _kept_by_their_runs(self) -> set[str]:
        """What a run that has been cleared, or has died, planned once: it is that run's, and a clear plans it."""
        return {
            name
            for run in self.runs
            for name in self._all()
            if name not in {made for made, _ in run.made | run.standing}
            and digest_of(name) in self.notes.run(find_carried(Carrier(run.name, "", NOW, WEEK))).planned
        }

    def _all(self) -> Sequence[str]:
        return [name for run in self.runs for name in run.given]


TestManyRuns = ManyRuns.TestCase
TestManyRuns.settings = settings(max_examples=150, stateful_step_count=40)
