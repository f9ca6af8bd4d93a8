"""A budget that many runs share, kept without a way to compare and set.

Each plan notes what it wants to spend under a name of its own, and only then reads what the others have noted. It goes
on only if, after its last write, all of it fits. Of two plans that write at the same moment at least one reads the
other's note; so both may get less than there is, and never more. Who may wait for whom is a fixed order: the one whose
owner comes first waits a little for the other to ask for less, and asks for less itself only when that does not happen.

The number of seconds is part of a note's name, so one listing tells all, and a change is a new name before the old one
goes: a reader in between counts too much. A plan that runs again (a retry, a clear) always writes a new name, even for
the same seconds: who has looked at the run while it was over, and counted less, looks again.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count
from typing import Any

from ...errors import SpendingRecordError
from ..video_plan import NO_BUDGET, Room, VideoPlan
from .note_steps import Delete, Names, Pause, Read, Steps, Unspent, Write

VERSION = 1
ASKED, PLANNED = "asked", "planned"
PATIENCE = 5
"""How often a plan waits for one that asks at the same moment (ours)."""
MAX_NAMED = 5
"""How many DAGs are named (ours)."""
KEPT_DAYS = 45
"""A note that is older counts for no month of any time zone (ours)."""


@dataclass(frozen=True)
class Budget:
    """So many minutes for all runs of some days.

    :param name: of the argument.
    :param minutes: of video.
    :param first: its first day.
    :param last: its last day.
    """

    name: str
    minutes: float
    first: date
    last: date

    @property
    def called(self) -> str:
        """The argument as a person wrote it."""
        return f"{self.name}={self.minutes:g}"

    @property
    def seconds(self) -> int:
        """Of video, whole ones."""
        return math.floor(self.minutes * 60)

    @property
    def period(self) -> str:
        """The day, or the month, for a person."""
        return self.first.isoformat() if self.first == self.last else f"{self.first:%Y-%m}"


def budgets_on(day: date, *, per_day: float | None, per_month: float | None) -> list[Budget]:
    """The budgets that a plan has to keep (source: ours).

    :param day: on which it plans.
    :param per_day: minutes; None for no limit.
    :param per_month: minutes; None for no limit.
    """
    first = day.replace(day=1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    limits = [("max_minutes_per_day", per_day, day, day), ("max_minutes_per_month", per_month, first, last)]
    return [Budget(name, minutes, *days) for name, minutes, *days in limits if minutes is not None]


@dataclass(frozen=True)
class Reservation:
    """What a plan has noted, as far as the note's name tells.

    :param day: on which it planned.
    :param owner: stands for DAG, run, task and map index.
    :param seconds: of video.
    :param state: ``asked``, or ``planned`` once the plan knows that it fits: only then is it spent.
    :param mark: tells two notes of one owner and day apart.
    """

    day: date
    owner: str
    seconds: int
    state: str
    mark: str

    @property
    def name(self) -> str:
        """Of the note."""
        return f"{self.day.isoformat()}.{self.owner}.{self.seconds}.{self.state}.{self.mark}"


def read_name(name: str) -> Reservation:
    """A reservation by the name of its note (source: ours).

    :param name: of the note.
    :raises SpendingRecordError: it is none.
    """
    try:
        day, owner, seconds, state, mark = name.split(".")
        return Reservation(date.fromisoformat(day), owner, int(seconds), state, mark)
    except ValueError:
        raise SpendingRecordError(
            f"The note {name!r} of the budget cannot be read: it was not written by this release. Nothing was "
            "planned, and nothing is paid. Look who wrote the Airflow Variable, or the file in the record folder, "
            "whose name ends so, then delete it."
        ) from None


@dataclass(frozen=True)
class Use:
    """How much of a budget is taken.

    :param budget: which.
    :param others: seconds that other runs have taken or reserved.
    :param own: seconds that this run has reserved.
    :param by_dag: DAG -> seconds of ``others``, the most first; empty while the budget is not short.
    """

    budget: Budget
    others: int
    own: int
    by_dag: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """Seconds that nobody has taken; below 0 where the limit was lowered."""
        return self.budget.seconds - self.others - self.own

    def to_xcom(self) -> dict[str, Any]:
        """The budget as a dict of JSON values."""
        budget = self.budget
        return {
            "name": budget.name,
            "minutes": budget.minutes,
            "period": budget.period,
            "other_runs": round(self.others / 60, 2),
            "by_dag": {dag_id: round(seconds / 60, 2) for dag_id, seconds in self.by_dag.items()},
            "this_run": round(self.own / 60, 2),
            "left": round(max(self.left, 0) / 60, 2),
        }

    def __str__(self) -> str:
        named = ", ".join(f"{dag_id} {seconds / 60:.1f}" for dag_id, seconds in self.by_dag.items())
        return (
            f"{self.budget.called} ({self.budget.period}): {self.others / 60:.1f} minutes are other runs'"
            f"{f' ({named})' if named else ''}, "
            f"{self.own / 60:.1f} this run's, {max(self.left, 0) / 60:.1f} are left"
        )


@dataclass(frozen=True)
class Budgeted:
    """A plan that keeps the budgets.

    :param plan: what is made.
    :param uses: how much of each budget is taken now.
    :param held: what earlier tries have reserved: name of a video, in small letters -> seconds.
    """

    plan: VideoPlan
    uses: Sequence[Use]
    held: Mapping[str, int]


@dataclass(frozen=True)
class Planner:
    """Who plans: one try of one task.

    :param day: on which it plans.
    :param owner: stands for DAG, run, task and map index; without a dot.
    :param mark: new in each try; without a dot.
    :param about: of the run, for the note: what ``Unspent`` is asked with.
    """

    day: date
    owner: str
    mark: str
    about: Mapping[str, Any]

    def note(self, videos: Mapping[str, int], state: str, number: int) -> Write:
        """Writes what it reserves.

        :param videos: name of a video, in small letters -> seconds.
        :param state: of the reservation.
        :param number: of the note.
        """
        noted = Reservation(self.day, self.owner, sum(videos.values()), state, f"{self.mark}-{number}")
        return Write(noted.name, json.dumps({"version": VERSION, **self.about, "videos": dict(videos)}))


def reserve(
    budgets: Sequence[Budget],
    planner: Planner,
    choose: Callable[[Room], VideoPlan],
    *,
    only_look: bool = False,
) -> Steps[Budgeted]:
    """Plan within the budgets, and reserve what the plan makes (source: ours; see above).

    :param budgets: at least one.
    :param planner: who plans.
    :param choose: plans with the room that there is; with less room it must not make more.
    :param only_look: reserve nothing, as in a dry run.
    :raises SpendingRecordError: a note cannot be read, or is not there after it was written.
    """
    book = _Book(budgets, planner)
    yield from book.look()
    held: dict[str, int] = {}
    for one in book.own:
        # What was only asked for was never spent: its try did not come to an end.
        if one.state == PLANNED:
            held = _most(held, _videos(one.name, (yield Read(one.name))))
    first = {one.name for one in book.others}
    plan = choose(NO_BUDGET)
    need = _most(held, _seconds_of(plan))
    if not book.fits(need):
        yield from book.look_closer(need)
        plan = choose(book.room(held))
        need = _most(held, _seconds_of(plan))
    if only_look or not (need or book.own):
        return Budgeted(plan, book.uses(need), held)
    written = None
    waits = PATIENCE
    for number in count():
        if need != written:
            yield from book.replace(planner.note(need, ASKED, number))
            written = need
        yield from book.look()
        book.require_own()
        if not book.fits(need):
            yield from book.look_closer(need)
        if book.fits(need) or not plan.made:
            break
        asking = [one for one in book.others if one.name not in first and one.state == ASKED]
        later = [one for one in asking if one.owner > planner.owner]
        if waits and later and book.fits(need, without=later):
            waits -= 1
            yield Pause()
            continue
        plan = choose(book.room(held))
        need = _most(held, _seconds_of(plan))
    yield from book.replace(planner.note(need, PLANNED, number + 1))
    for old in book.outdated:
        yield Delete(old.name)
    return Budgeted(plan, book.uses(need), held)


def give_back(planner: Planner, held: Mapping[str, int]) -> Steps[None]:
    """Take back what a try has reserved that makes nothing after all (source: ours).

    :param planner: the try.
    :param held: what earlier tries have reserved, which may be spent: it stays.
    """
    book = _Book((), planner)
    yield from book.look()
    yield from book.replace(planner.note(held, PLANNED, 0))


class _Book:
    """The notes as they were last read.

    :param budgets: that are to be kept.
    :param planner: who reads them.
    """

    def __init__(self, budgets: Sequence[Budget], planner: Planner) -> None:
        self._budgets = budgets
        self._planner = planner
        self._spent: dict[str, int] = {}
        self._dags: dict[str, str] = {}
        self.own: list[Reservation] = []
        self.others: list[Reservation] = []
        self.outdated: list[Reservation] = []

    def look(self) -> Steps[None]:
        """Read which notes there are."""
        names = yield Names()
        all_notes = [read_name(name) for name in names]
        day, owner = self._planner.day, self._planner.owner
        self._written = {one.name for one in self.own}
        self.own = [one for one in all_notes if (one.day, one.owner) == (day, owner)]
        rest = [one for one in all_notes if (one.day, one.owner) != (day, owner)]
        self.others = [one for one in rest if any(_covers(budget, one) for budget in self._budgets)]
        self.outdated = [one for one in rest if one.day < day - timedelta(days=KEPT_DAYS)]

    def require_own(self) -> None:
        """Check that what was just written is there."""
        if not self._written <= {one.name for one in self.own}:
            raise SpendingRecordError(
                "What this plan reserved of the budget is not there after it was written: somebody deleted it, or it "
                "could not be stored. Nothing was planned, and nothing is paid. Try again."
            )

    def look_closer(self, need: Mapping[str, int]) -> Steps[None]:
        """Read what the others really spend of the budgets that this need does not fit into."""
        tight = [use.budget for use in self.uses(need) if use.left < 0]
        for one in self.others:
            if one.name in self._spent or not any(_covers(budget, one) for budget in tight):
                continue
            text = yield Read(one.name)
            if text is None:
                continue
            videos = _videos(one.name, text)
            self._dags[one.name] = _dag(text)
            unspent = yield Unspent(json.loads(text))
            self._spent[one.name] = sum(videos[name] for name in videos.keys() - set(unspent))

    def replace(self, note: Write) -> Steps[None]:
        """Write a note that replaces all others of this plan."""
        written = read_name(note.name)
        if written.seconds:
            yield note
        # The new one first: who reads in between counts the larger one.
        for old in self.own:
            yield Delete(old.name)
        self.own = [written] if written.seconds else []

    def fits(self, need: Mapping[str, int], *, without: Sequence[Reservation] = ()) -> bool:
        """Whether all that is noted, and this need, keeps the budgets."""
        return all(use.left >= 0 for use in self.uses(need, without=without))

    def uses(self, need: Mapping[str, int], *, without: Sequence[Reservation] = ()) -> list[Use]:
        """How much is taken of each budget."""
        own = sum(need.values())
        uses = []
        for budget in self._budgets:
            taken = self._taken(budget, without)
            by_dag: Counter[str] = Counter()
            for seconds, name in taken:
                if name in self._dags:
                    by_dag[self._dags[name]] += seconds
            others = sum(seconds for seconds, _ in taken)
            uses.append(Use(budget, others, own, dict(by_dag.most_common(MAX_NAMED))))
        return uses

    def room(self, held: Mapping[str, int]) -> Room:
        """What is left for this plan."""
        uses = self.uses(held)
        return Room(
            {use.budget.called: use.left for use in uses},
            {use.budget.called: use.budget.seconds for use in uses},
            held,
        )

    def _taken(self, budget: Budget, without: Sequence[Reservation]) -> Collection[tuple[int, str]]:
        """The seconds of each other run, and the name of the note that says so."""
        taken: dict[tuple[date, str], tuple[int, str]] = {}
        for one in self.others:
            if _covers(budget, one) and one not in without:
                whose, seconds = (one.day, one.owner), self._spent.get(one.name, one.seconds)
                taken[whose] = max(taken.get(whose, (0, one.name)), (seconds, one.name))
        return taken.values()


def _covers(budget: Budget, one: Reservation) -> bool:
    return budget.first <= one.day <= budget.last


def _seconds_of(plan: VideoPlan) -> dict[str, int]:
    return {video.name: video.whole_seconds for video in plan.made}


def _most(held: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {name: max(held.get(name, 0), more.get(name, 0)) for name in {**held, **more}}


def _dag(text: str) -> str:
    """The DAG of a note; a note that says nothing of it stops no plan."""
    try:
        return str(json.loads(text)["dag_id"])
    except (ValueError, LookupError, TypeError):
        return "?"


def _videos(name: str, text: str | None) -> dict[str, int]:
    """The videos of a note, and their seconds."""
    try:
        videos = json.loads(text or "")["videos"]
        return {str(video): int(seconds) for video, seconds in videos.items()}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise SpendingRecordError(
            f"The note {name!r} of the budget cannot be read, or is gone. Nothing was planned, and nothing is paid. "
            "Try again; if that does not help, look at the Airflow Variable, or the file in the record folder, whose "
            "name ends so, then delete it."
        ) from None
