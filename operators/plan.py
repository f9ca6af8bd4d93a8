"""The operator that decides which videos a run makes, before anything is paid for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..hooks.airflow.template import is_template
from ..provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    Problem,
    SpendingStoppedError,
    VideoCreationError,
)
from ..provider.rendered_text import is_none
from ..provider.spending.plan_xcom import ESTIMATE_KEY, LEFT_OUT_KEY
from .base.fixed_words import FixedWordsMixin
from .base.strict_argument import (
    NO_LIMIT,
    length_of_time,
    number_above_zero,
    true_or_false,
    whole_number,
    wrong_argument,
)

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..hooks.spending.shared_plan import Planned, SharedPlan
    from ..hooks.video_creation import VideoCreationHook
    from ..provider.models import Storyboard
    from ..provider.spending.video_plan import Room, VideoPlan

OnLowQuota = Literal["fail", "make_what_fits"]


class PlanVideosOperator(FixedWordsMixin, MappedDataMixin):
    """Checks a run's storyboards, estimates the length of their videos, and returns those to make (source: ours).

    Its trigger rule is ``all_done``, so it runs even after failed tasks, with what the others returned; set
    ``trigger_rule="all_success"`` if one that failed should stop the run.

    Put it before the tasks that are mapped over what it returns: ``video_from_storyboard.partial(...)
    .expand(storyboard=plan.output)``. Pays for nothing itself. Storyboards that are wrong, that have the name of an
    earlier one, or that exceed a limit are left out and stop no other (docs/recipes/spending.md). The log has one table
    of all.

    With a connection it looks before anything is paid for: where extra ``paths.quota`` is named, whether the plan fits
    into the minutes that the service has left; where ``paths.voices`` is, whether each speaker is a voice of the
    service.

    What runs share (docs/recipes/budgets.md): ``max_minutes_per_day`` and ``max_minutes_per_month`` are budgets of all
    runs that plan with the same connection, whatever their DAG. With ``carry_over`` a video that finds no room waits
    for the next run of this task. Both need Airflow 3.3, or ``[video_creation] record_folder``.

    The XCom ``left_out`` lists what is left out, as dicts with ``video``, ``reason`` and ``kind`` (``wrong``, ``limit``
    or ``later``); ``estimate`` holds ``videos`` and ``minutes`` in all, ``dry_run``, and ``each`` video to make with
    ``video``, ``minutes``, and ``left_by``, the run that it was carried over from; ``quota_minutes``, what the service
    has left, where it was asked; and where there are budgets ``budgets``: of each ``name``, ``minutes``, ``period``,
    and what ``other_runs`` (``by_dag``) and ``this_run`` take and is ``left`` of it.

    :param storyboards: a list of models, of dicts with wire names, or of JSON or YAML texts; or what another task, or
        all map indexes of a mapped one, returned. Each may be a pair of a storyboard and its metadata, as
        ``CreateVideosOperator`` takes it. None in it stands for a skipped one. Templated.
    :param max_videos: make so many videos at most, the first ones. None: no limit. Templated.
    :param max_minutes: make so many minutes of video at most, by the estimate. None: no limit. Templated.
    :param max_minutes_per_day: so many minutes of video a day at most, with all other runs on the connection, by the
        estimate; what does not fit is left out. None: no limit. Templated.
    :param max_minutes_per_month: the same for a calendar month. Templated.
    :param budget_timezone: where a day and a month begin, such as ``Europe/Paris``; None, the default: Airflow's
        ``[core] default_timezone``. Templated.
    :param carry_over: leave what finds no room to the next runs of this task, which plan it before what they are given.
        Templated.
    :param max_age: how long a video waits for room before it is given up: a timedelta, seconds, or ISO 8601. Templated.
        Default: 7 days.
    :param score: with ``carry_over``: a function that is given a storyboard as a dict and returns a number; those with
        the highest are planned first, whether they waited or not. None, the default: the oldest first.
    :param dry_run: check and estimate, and return an empty list, so that all that is mapped over it is skipped.
        Templated: ``"{{ params.dry_run }}"``.
    :param video_creation_conn_id: the connection that is looked at, and whose budgets are kept; None, the default: plan
        without a look. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param on_low_quota: what to do when the plan needs more minutes than the service has left: ``fail``, or
        ``make_what_fits``, which leaves the others out.
    :return: the storyboards to make, as dicts; with its metadata where one was given with it.
    :raises ConfigurationError: an argument or the quota cannot be read; or no video at all fits into the limits.
    :raises SpendingStoppedError: the quota is too low for the plan, or for any video of it.
    :raises SpendingRecordError: what runs share cannot be read or stored; nothing was planned.
    :raises ServiceError: the service cannot be asked for its quota.
    :raises InvalidRequestError: every storyboard is wrong, or they are no list.
    """

    # Airflow's BaseOperator has a method dry_run, which an attribute of that name would hide.
    template_fields: Sequence[str] = (
        *("storyboards", "max_videos", "max_minutes", "is_dry_run"),
        *("max_minutes_per_day", "max_minutes_per_month", "budget_timezone", "carry_over", "max_age"),
        *("video_creation_conn_id", "user_id"),
    )
    template_fields_renderers = {"storyboards": "json"}  # noqa: RUF012 - Airflow declares it this way
    ui_color = "#e8e3f6"
    fixed_words = {"on_low_quota": OnLowQuota}  # noqa: RUF012 - as Airflow declares such
    now = staticmethod(lambda: datetime.now(UTC))
    sleep = staticmethod(time.sleep)

    def __init__(
        self,
        *,
        storyboards: XComArg | Sequence[Storyboard | dict[str, Any] | str],
        max_videos: int | str | None = None,
        max_minutes: float | str | None = None,
        max_minutes_per_day: float | str | None = None,
        max_minutes_per_month: float | str | None = None,
        budget_timezone: str | None = None,
        carry_over: bool | str = False,
        max_age: timedelta | float | str = timedelta(days=7),
        score: Callable[[Mapping[str, Any]], float] | None = None,
        dry_run: bool | str = False,
        video_creation_conn_id: str | None = None,
        user_id: str | None = None,
        on_low_quota: OnLowQuota = "fail",
        trigger_rule: str = "all_done",
        **kwargs: Any,
    ) -> None:
        super().__init__(trigger_rule=trigger_rule, **kwargs)
        self.storyboards: Any = self.with_dicts(storyboards)
        self.max_videos = max_videos
        self.max_minutes = max_minutes
        self.max_minutes_per_day = max_minutes_per_day
        self.max_minutes_per_month = max_minutes_per_month
        self.budget_timezone = budget_timezone
        self.carry_over = carry_over
        self.max_age = max_age
        self.score = score
        self.is_dry_run = dry_run
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self.on_low_quota = on_low_quota
        with airflow_errors():
            self.require_fixed_words()
            for given, read in (
                (max_videos, self._max_videos),
                (max_minutes, lambda: self._minutes("max_minutes")),
                (max_minutes_per_day, lambda: self._minutes("max_minutes_per_day")),
                (max_minutes_per_month, lambda: self._minutes("max_minutes_per_month")),
                (carry_over, self._carries_over),
                (dry_run, self._dry_run),
            ):
                if not is_template(given):
                    read()
            if score is not None and not callable(score):
                raise wrong_argument(self.task_id, "score", score, "a function of a storyboard, or None")
            if score is not None and not is_template(carry_over) and not self._carries_over():
                raise ConfigurationError(
                    f"Task {self.task_id!r} has score= and no carry_over, so nothing would ask for it: give "
                    "carry_over=True, or take score= away."
                )

    @telling_failures
    def execute(self, context: Context) -> list[dict[str, Any]]:
        """Check, estimate, and say what is made."""
        from ..provider.spending.video_plan import plan_videos

        with airflow_errors():
            max_videos, max_minutes, dry_run = (
                self._max_videos(),
                self._minutes("max_minutes"),
                self._dry_run(),
            )
            given = self._given()
            hook = self._hook()
            shared = self._shared(context, dry_run)
            quota = self._quota(hook) if hook and any(item is not None for item in given) else None

            def choose(storyboards: Sequence[Any], room: Room) -> VideoPlan:
                return plan_videos(
                    storyboards,
                    max_videos=max_videos,
                    max_minutes=max_minutes,
                    quota_minutes=quota if self.on_low_quota == "make_what_fits" else None,
                    room=room,
                    **({"check": hook.check_speaker} if hook else {}),
                )

            with shared.planned(given, choose) as planned:
                if not planned.plan.videos:
                    self._require_no_failure_before(context)
                refused = self._refused(planned, quota)
                if not refused:
                    shared.carry_over(planned)
                self._tell(context, planned, quota, dry_run=dry_run)
                if refused:
                    raise refused
        if dry_run:
            self.log.info(
                "This is a dry run: nothing is sent. A CreateVideosOperator makes nothing, and tasks that are mapped "
                "over the plan are skipped."
            )
            return []
        return [video.as_given() for video in planned.plan.made]

    def _shared(self, context: Context, dry_run: bool) -> SharedPlan:
        """What this run shares with others; the connection that budgets are of must be named."""
        from ..hooks.spending.ended_runs import makers_of
        from ..hooks.spending.shared_plan import CarryOver, SharedPlan
        from ..hooks.spending.time_zone import zone
        from ..provider.spending.across_runs.budget import budgets_on

        now = self.now().astimezone(zone(None if is_none(self.budget_timezone) else self.budget_timezone))
        budgets = budgets_on(
            now.date(),
            per_day=self._minutes("max_minutes_per_day"),
            per_month=self._minutes("max_minutes_per_month"),
        )
        if budgets and is_none(self.video_creation_conn_id):
            raise ConfigurationError(
                f"Task {self.task_id!r} has {budgets[0].called} and no connection, and a budget is kept for each "
                "connection: give video_creation_conn_id=, the one that the videos are made with."
            )
        max_age = length_of_time(self.task_id, "max_age", self.max_age)
        return SharedPlan(
            context["ti"],
            now=now,
            conn_id=str(self.video_creation_conn_id),
            budgets=budgets,
            carry=CarryOver(max_age, self.score) if self._carries_over() else None,
            makers=makers_of(self.get_flat_relatives(upstream=False)) if budgets else {},
            is_dry=dry_run,
            sleep=self.sleep,
        )

    def _tell(self, context: Context, planned: Planned, quota: float | None, *, dry_run: bool) -> None:
        """Push and log what is decided."""
        from ..provider.spending.video_plan import VideoPlan

        plan, ti = planned.plan, context["ti"]
        ti.xcom_push(
            key=LEFT_OUT_KEY,
            value=[
                {"video": video.video, "reason": video.reason, "kind": video.kind}
                for video in (*plan.left_out, *planned.left_out)
            ],
        )
        estimate: dict[str, Any] = {
            "videos": len(plan.made),
            "minutes": round(plan.minutes, 2),
            "dry_run": dry_run,
            "each": [
                {"video": video.video, "minutes": round(video.minutes, 2)}
                | ({"left_by": video.left_by} if video.left_by else {})
                for video in plan.made
            ],
        }
        if quota is not None:
            estimate["quota_minutes"] = round(quota, 2)
        if planned.uses:
            estimate["budgets"] = [use.to_xcom() for use in planned.uses]
        ti.xcom_push(key=ESTIMATE_KEY, value=estimate)
        limits = {
            "max_videos": self._max_videos(),
            "max_minutes": self._minutes("max_minutes"),
            "quota_minutes": quota,
        }
        in_words = ", ".join(f"{name}={value:g}" for name, value in limits.items() if value is not None)
        everything = VideoPlan((*plan.videos, *planned.left_out))
        self.log.info(
            "%d of %d videos are to be made, about %.1f minutes (an estimate%s)\n%s",
            len(plan.made),
            len(everything.videos),
            plan.minutes,
            f"; {in_words}" if in_words else "",
            everything.table(),
        )
        for use in planned.uses:
            self.log.info("Budget of connection %r: %s", self.video_creation_conn_id, use)

    def _given(self) -> list[Any]:
        """What was given as a list; what mapped tasks returned is read with one request."""
        given = self.storyboards
        if given is None:
            return []
        if isinstance(given, str) or not isinstance(given, Sequence):
            problem = Problem("", "", f"must be a list of storyboards, not {type(given).__name__}")
            raise InvalidRequestError(f"argument storyboards= of task {self.task_id!r}", [problem])
        return list(given[:])

    def _require_no_failure_before(self, context: Context) -> None:
        """An empty list is a quiet night only if the tasks before did not fail."""
        from ..provider.spending.run_task import FAILED, RunTask, in_order, states_by_task, task_label

        ti: Any = context["ti"]
        before = in_order(
            [
                RunTask(task.task_id, upstream=frozenset(task.upstream_task_ids))
                for task in self.get_flat_relatives(upstream=True)
            ]
        )
        names = [task.task_id for task in before]
        states = ti.get_task_states(dag_id=ti.dag_id, task_ids=names, run_ids=[ti.run_id]) if names else {}
        by_task = states_by_task(states.get(ti.run_id, {}), names)
        if not any(
            state in (FAILED, "upstream_failed")
            for task_id in self.upstream_task_ids
            for state in by_task.get(task_id, {}).values()
        ):
            return
        failed = [
            task_label(task_id, map_index)
            for task_id in names
            for map_index, state in sorted(by_task.get(task_id, {}).items())
            if state == FAILED
        ]
        # Where none is left to name, one that failed was cleared meanwhile.
        raise ConfigurationError(
            "There is no storyboard to plan, since what comes before failed "
            f"({', '.join((failed or sorted(self.upstream_task_ids))[:10])}): see the log of the first of them, then "
            "clear it."
        )

    def _hook(self) -> VideoCreationHook | None:
        if self.video_creation_conn_id is None or is_none(self.video_creation_conn_id):
            return None
        from ..hooks.video_creation import VideoCreationHook

        return VideoCreationHook(self.video_creation_conn_id, None if is_none(self.user_id) else self.user_id)

    def _quota(self, hook: VideoCreationHook) -> float | None:
        """The minutes that the service has left; None where the connection does not say where to ask."""
        if "quota" in hook.profile.paths:
            return hook.get_quota()
        self.log.info(
            "Connection %r names no paths.quota: what is left of the quota is not looked at.",
            self.video_creation_conn_id,
        )
        return None

    def _refused(self, planned: Planned, quota: float | None) -> VideoCreationError | None:
        """Why the task fails with this plan; None when it does not."""
        from ..provider.spending.video_plan import VideoPlan

        plan = planned.plan
        # What waited for room is left to the next run again: it fails no night that has nothing of its own.
        given = VideoPlan(tuple(video for video in plan.videos if not video.left_by))
        if self.on_low_quota == "fail" and quota is not None and plan.minutes > max(quota, 0):
            return SpendingStoppedError(
                f"The plan of task {self.task_id!r} needs about {plan.minutes:.1f} minutes of video, and the service "
                f"says that {quota:.1f} minutes are left: nothing was sent, and nothing is paid. Raise the quota, "
                "lower max_videos= or max_minutes=, or let the task make what fits with on_low_quota='make_what_fits'."
            )
        if plan.made or not given.videos:
            return None
        if not given.valid:
            return InvalidRequestError(
                f"argument storyboards= of task {self.task_id!r}",
                [Problem(video.video, "", video.reason or "") for video in given.videos],
            )
        shortest = min(video.minutes for video in given.valid)
        if quota is not None and shortest > quota:
            return SpendingStoppedError(
                f"No video of task {self.task_id!r} fits into what the service says is left, {quota:.1f} minutes: the "
                f"shortest of {len(given.valid)} is about {shortest:.1f} minutes long. Nothing was sent, and nothing "
                "is paid. Raise the quota, then clear this task."
            )
        limits = {"max_minutes": self._minutes("max_minutes")}
        limits |= {use.budget.name: use.budget.seconds / 60 for use in planned.uses}
        for name, minutes in limits.items():
            if minutes is not None and shortest > minutes:
                return ConfigurationError(
                    f"No video fits into {name}={minutes:g} of task {self.task_id!r}: the shortest of "
                    f"{len(given.valid)} is about {shortest:.1f} minutes long. Raise {name}, or shorten the "
                    "storyboards."
                )
        # Others have spent the budget: that is no mistake, and the run ends well with nothing made.
        return None

    def _max_videos(self) -> int | None:
        given = self.max_videos
        return None if is_none(given) else whole_number(self.task_id, "max_videos", given, NO_LIMIT)

    def _minutes(self, name: str) -> float | None:
        given = getattr(self, name)
        return None if is_none(given) else number_above_zero(self.task_id, name, given, NO_LIMIT)

    def _carries_over(self) -> bool:
        return true_or_false(self.task_id, "carry_over", self.carry_over)

    def _dry_run(self) -> bool:
        return true_or_false(self.task_id, "dry_run", self.is_dry_run)
