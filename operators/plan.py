"""The operator that decides which videos a run makes, before anything is paid for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..hooks.airflow.template import is_template
from ..provider.errors import ConfigurationError, InvalidRequestError, Problem
from ..provider.rendered_text import is_none
from .base.strict_argument import NO_LIMIT, number_above_zero, true_or_false, whole_number

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import Storyboard
    from ..provider.spending.video_plan import VideoPlan


class PlanVideosOperator(MappedDataMixin):
    """Checks a run's storyboards, estimates the length of their videos, and returns those to make (source: ours).

    It runs ``all_done``, so also when tasks before it failed, with what those that succeeded returned; set
    ``trigger_rule="all_success"`` if one that failed shall stop the run.

    Stands before the tasks that are mapped over what it returns: ``video_from_storyboard.partial(...)
    .expand(storyboard=plan.output)``. Sends nothing itself. Storyboards that are wrong, that have the name of an
    earlier one, or that exceed a limit are left out and stop no other (docs/spending.md). The log has one table of
    all.

    The XCom ``left_out`` lists what is left out, as dicts with ``video`` and ``reason``; ``estimate`` holds
    ``videos`` and ``minutes`` in all, ``dry_run``, and ``each`` video to make with ``video`` and ``minutes``.

    :param storyboards: a list of models, of dicts with wire names, or of JSON or YAML texts; or what another task, or
        all map indexes of a mapped one, returned. None in it stands for a skipped one. Templated.
    :param max_videos: make so many videos at most, the first ones. None: no limit. Templated.
    :param max_minutes: make so many minutes of video at most, by the estimate. None: no limit. Templated.
    :param dry_run: check and estimate, and return an empty list, so that all that is mapped over it is skipped.
        Templated: ``"{{ params.dry_run }}"``.
    :return: the storyboards to make, as dicts.
    :raises ConfigurationError: a limit or ``dry_run`` cannot be read; or no video at all fits into the limits.
    :raises InvalidRequestError: every storyboard is wrong, or they are no list.
    """

    # Airflow's BaseOperator has a method dry_run, which an attribute of that name would hide.
    template_fields: Sequence[str] = ("storyboards", "max_videos", "max_minutes", "is_dry_run")
    template_fields_renderers = {"storyboards": "json"}  # noqa: RUF012 - Airflow declares it this way
    ui_color = "#e8e3f6"

    def __init__(
        self,
        *,
        storyboards: XComArg | Sequence[Storyboard | dict[str, Any] | str],
        max_videos: int | str | None = None,
        max_minutes: float | str | None = None,
        dry_run: bool | str = False,
        trigger_rule: str = "all_done",
        **kwargs: Any,
    ) -> None:
        super().__init__(trigger_rule=trigger_rule, **kwargs)
        if isinstance(storyboards, list | tuple):
            dicts = [item.to_dict() if hasattr(item, "to_dict") else item for item in storyboards]
            storyboards = self.made_of(dicts, storyboards)
        self.storyboards: Any = storyboards
        self.max_videos = max_videos
        self.max_minutes = max_minutes
        self.is_dry_run = dry_run
        with airflow_errors():
            for given, read in (
                (max_videos, self._max_videos),
                (max_minutes, self._max_minutes),
                (dry_run, self._dry_run),
            ):
                if not is_template(given):
                    read()

    @telling_failures
    def execute(self, context: Context) -> list[dict[str, Any]]:
        """Check, estimate, and say what is made."""
        from ..provider.spending.video_plan import plan_videos

        with airflow_errors():
            max_videos, max_minutes, dry_run = self._max_videos(), self._max_minutes(), self._dry_run()
            plan = plan_videos(self._given(), max_videos=max_videos, max_minutes=max_minutes)
            if not plan.videos:
                self._require_no_failure_before(context)
            ti = context["ti"]
            ti.xcom_push(
                key="left_out",
                value=[{"video": video.video, "reason": video.reason} for video in plan.left_out],
            )
            estimate = {
                "videos": len(plan.made),
                "minutes": round(plan.minutes, 2),
                "dry_run": dry_run,
                "each": [
                    {"video": video.video, "minutes": round((video.seconds or 0.0) / 60, 2)}
                    for video in plan.made
                ],
            }
            ti.xcom_push(key="estimate", value=estimate)
            limits = {"max_videos": max_videos, "max_minutes": max_minutes}
            in_words = ", ".join(f"{name}={value:g}" for name, value in limits.items() if value is not None)
            self.log.info(
                "%d of %d videos are to be made, about %.1f minutes (an estimate%s)\n%s",
                len(plan.made),
                len(plan.videos),
                plan.minutes,
                f"; {in_words}" if in_words else "",
                plan.table(),
            )
            self._require_something_to_make(plan)
        if dry_run:
            self.log.info("This is a dry run: nothing is sent, and what is mapped over the plan is skipped.")
            return []
        return [dict(video.storyboard or {}) for video in plan.made]

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
        ti: Any = context["ti"]
        before = sorted(self.upstream_task_ids)
        states = ti.get_task_states(dag_id=ti.dag_id, task_ids=before, run_ids=[ti.run_id]) if before else {}
        failed = sorted(
            name
            for name, state in states.get(ti.run_id, {}).items()
            if state in ("failed", "upstream_failed")
        )
        if failed:
            raise ConfigurationError(
                f"There is no storyboard to plan, since what makes them failed ({', '.join(failed[:10])}): see the log "
                "of the first failed task, then clear it."
            )

    def _require_something_to_make(self, plan: VideoPlan) -> None:
        if plan.made or not plan.videos:
            return
        if not plan.valid:
            raise InvalidRequestError(
                f"argument storyboards= of task {self.task_id!r}",
                [Problem(video.video, "", video.reason or "") for video in plan.videos],
            )
        shortest = min(video.seconds or 0.0 for video in plan.valid) / 60
        raise ConfigurationError(
            f"No video fits into max_minutes={self.max_minutes} of task {self.task_id!r}: the shortest of "
            f"{len(plan.valid)} is about {shortest:.1f} minutes long. Raise max_minutes, or shorten the storyboards."
        )

    def _max_videos(self) -> int | None:
        given = self.max_videos
        return None if is_none(given) else whole_number(self.task_id, "max_videos", given, NO_LIMIT)

    def _max_minutes(self) -> float | None:
        given = self.max_minutes
        return None if is_none(given) else number_above_zero(self.task_id, "max_minutes", given, NO_LIMIT)

    def _dry_run(self) -> bool:
        return true_or_false(self.task_id, "dry_run", self.is_dry_run)
