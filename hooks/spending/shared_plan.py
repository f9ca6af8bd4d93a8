"""Plans with what runs share: the budgets of a connection, and the videos that earlier runs had no room for."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ...provider.errors import VideoCreationError
from ...provider.spending.across_runs.budget import Budget, Budgeted, Planner, Use, give_back, reserve
from ...provider.spending.across_runs.carried_notes import digest_of
from ...provider.spending.across_runs.carried_videos import (
    Carrier,
    Found,
    Score,
    carry_over,
    find_carried,
)
from ...provider.spending.across_runs.note_steps import Steps
from ...provider.spending.video_plan import NO_BUDGET, PlannedVideo, Room, VideoPlan
from ..records.shared_notes import SharedNotes, shared_notes
from .ended_runs import EndedRuns, about_run
from .steps import Result, do_steps

log = logging.getLogger(__name__)

Choose = Callable[[Sequence[Any], Room], VideoPlan]


@dataclass(frozen=True)
class CarryOver:
    """What becomes of videos that find no room.

    :param max_age: how long they wait.
    :param score: of a storyboard: those with the highest come first; None: the oldest.
    """

    max_age: timedelta
    score: Score | None = None


@dataclass
class Planned:
    """A plan that keeps what runs share.

    :param plan: of what was carried over and what the run was given.
    :param uses: how much of each budget is taken now.
    :param left_out: what is neither in the plan nor carried over any more, each with its reason.
    """

    plan: VideoPlan
    uses: Sequence[Use] = ()
    left_out: Sequence[PlannedVideo] = ()


class SharedPlan:
    """One try of one plan (source: ours).

    :param ti: the task instance.
    :param now: with the time zone in which a day begins.
    :param conn_id: the connection that the budgets are of.
    :param budgets: that are to be kept.
    :param carry: None to carry nothing over.
    :param makers: task behind the plan that may pay -> ``MANY`` or ``ANY`` of ``ended_runs``.
    :param is_dry: only look.
    :param sleep: waits for seconds.
    """

    def __init__(
        self,
        ti: Any,
        *,
        now: datetime,
        conn_id: str,
        budgets: Sequence[Budget],
        carry: CarryOver | None,
        makers: Mapping[str, str],
        is_dry: bool,
        sleep: Callable[[float], None],
    ) -> None:
        about = about_run(ti, makers)
        task = [about[name] for name in ("dag_id", "task_id")]
        mapped = [about["map_index"]] if about["map_index"] >= 0 else []
        self._budgets = budgets
        self._carry = carry
        self._is_dry = is_dry
        self._sleep = sleep
        self._ended_runs = EndedRuns(ti)
        self._planner = Planner(
            now.date(), digest_of(json.dumps([*task, *mapped, ti.run_id])), uuid.uuid4().hex[:12], about
        )
        self._budget_notes = (
            shared_notes(
                f"budget.{digest_of(conn_id)}",
                f"Minutes of video that a run has planned on connection {conn_id}, by PlanVideosOperator.",
            )
            if budgets
            else None
        )
        if carry:
            # Map indexes are runs of their own: what one leaves any of them may make, however many there are.
            run = digest_of(json.dumps([ti.run_id, *mapped]))
            self._carrier = Carrier(run, ti.run_id, now, carry.max_age)
            self._carried_notes = shared_notes(
                f"carried.{digest_of(json.dumps(task))}",
                f"A video that task {ti.task_id} of DAG {ti.dag_id} leaves to a later run, or has taken from one.",
            )

    @contextmanager
    def planned(self, given: Sequence[Any], choose: Choose) -> Iterator[Planned]:
        """Plan, and reserve; what is reserved is given back if the block fails.

        :param given: storyboards, in any form.
        :param choose: plans storyboards with the room that there is.
        :raises SpendingRecordError: what runs share cannot be read or stored.
        :raises ConfigurationError: the score of a storyboard cannot be computed.
        """
        found, in_order = Found(given), list(given)
        if self._carry:
            found = self._do(find_carried(self._carrier, given), self._carried_notes)
            in_order = found.in_order(self._carry.score)
        if self._budget_notes is None:
            yield self._with(found, Budgeted(choose(in_order, NO_BUDGET), (), {}))
            return
        budgeted = self._do(
            reserve(
                self._budgets,
                self._planner,
                lambda room: choose(in_order, room),
                only_look=self._is_dry,
            ),
            self._budget_notes,
        )
        try:
            yield self._with(found, budgeted)
        except BaseException:
            if not self._is_dry:
                self._give_back(budgeted, self._budget_notes)
            raise

    def carry_over(self, planned: Planned) -> None:
        """Claim what the plan makes of earlier runs, and leave to later ones what it has no room for.

        :param planned: the plan, which loses what another run has claimed at the same moment.
        :raises SpendingRecordError: what runs share cannot be read or stored.
        """
        if self._carry and not self._is_dry:
            planned.plan = self._do(carry_over(self._carrier, self._found, planned.plan), self._carried_notes)

    def _with(self, found: Found, budgeted: Budgeted) -> Planned:
        self._found = found
        left_out = found.left_out(self._carry.max_age) if self._carry else ()
        return Planned(found.marked(budgeted.plan), budgeted.uses, left_out)

    def _give_back(self, budgeted: Budgeted, notes: SharedNotes) -> None:
        try:
            self._do(give_back(self._planner, budgeted.held), notes)
        except VideoCreationError as error:
            log.warning(
                "What this try has reserved of the budget could not be given back (%s): it counts until the task runs "
                "again, or its run ends",
                error,
            )

    def _do(self, steps: Steps[Result], notes: SharedNotes) -> Result:
        return do_steps(steps, notes, unspent=self._ended_runs.unspent, sleep=self._sleep)
