"""Reports the result of a run, and decides whether the run succeeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowFailException, BaseOperator

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import failures_of
from ..provider.errors import ConfigurationError
from ..provider.message_lines import in_lines
from ..provider.spending.plan_xcom import ESTIMATE_KEY, LEFT_OUT_KEY
from ..provider.spending.run_summary import FailWhen, OnLeftOut
from .articles import FetchArticlesOperator
from .base.strict_argument import one_of
from .download import DownloadVideoOperator
from .plan import PlanVideosOperator
from .render import RenderVideoOperator
from .video import CreateVideoOperator
from .videos import CreateVideosOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..provider.spending.run_summary import RunSummary
    from ..provider.spending.run_task import RunTask

MAKERS = (CreateVideoOperator, RenderVideoOperator, DownloadVideoOperator)
"""The operators that make a video: the last of them that ran says whether it was made."""
MAKERS_OF_MANY = (CreateVideosOperator,)
"""The operator that reports the result of each of its videos itself."""
LEAVING_OUT = (FetchArticlesOperator, PlanVideosOperator)
"""The operators that push ``left_out``."""


class SummarizeVideosOperator(BaseOperator):
    """Reports the results of the tasks before it, and decides whether the run succeeds (source: ours).

    Its trigger rule is ``all_done``. As the DAG's only last task it decides the state of the run. With
    ``fail_when="none"``, the default, the run succeeds if at least one video was made, even when others failed. If
    every failure should fail the run, set ``fail_when="any"``.

    Put it after the tasks that make videos, mapped or not: ``videos >> SummarizeVideosOperator(task_id="summarize")``.
    It reports on all tasks before it: what plan and fetch tasks left out, how many videos were delivered (or rendered,
    where nothing is downloaded), how long they are, and why tasks failed. For a task that makes many videos it reports
    each one. If scripts were not used, and articles' own text was read, the headline says so and why. The log has a
    summary for the person on call; ``NightSummaryNotifier`` sends one (docs/recipes/alerts.md).

    The dict that it returns has ``headline``, ``made``, ``failed`` (with those in doubt), ``in_doubt``, ``skipped``
    (such as rejected ones), ``minutes``, ``videos`` (``video``, ``place``, ``minutes``, ``share_url``), ``failures``
    (``video``, ``task``, ``map_index``, ``kind``, ``message``, ``status``, ``code``, ``state``), ``left_out``
    (``video`` or ``url``, ``reason``, ``kind``) and ``dry_run``. Share URLs are capabilities: they are in the dict and
    not in the log.

    :param fail_when: when the task, and with it the run, fails: ``none`` (the default), if something failed and no
        video was made; ``any``, if anything failed; ``never``.
    :param on_left_out: ``ignore``, the default: what earlier tasks left out is counted and named, but fails nothing;
        ``fail``: the task fails if something *wrong* was left out, such as a row with a mistake or a page that cannot
        be read. What is over a limit, or left to the next run, never fails it.
    :raises ConfigurationError: an argument is none of these, or no task before it makes videos.
    """

    ui_color = "#e8e3f6"

    def __init__(
        self,
        *,
        fail_when: FailWhen = "none",
        on_left_out: OnLeftOut = "ignore",
        trigger_rule: str = "all_done",
        **kwargs: Any,
    ) -> None:
        super().__init__(trigger_rule=trigger_rule, **kwargs)
        self.fail_when: FailWhen = fail_when
        self.on_left_out: OnLeftOut = on_left_out
        with airflow_errors():
            one_of(self.task_id, "fail_when", fail_when, FailWhen)
            one_of(self.task_id, "on_left_out", on_left_out, OnLeftOut)

    def execute(self, context: Context) -> dict[str, Any]:
        """Collect the results of the tasks before, and log them."""
        ti: Any = context["ti"]
        with airflow_errors():
            summary = self._summary(ti)
        self.log.info("%s", summary.text())
        if summary.is_failure(self.fail_when, self.on_left_out):
            ti.xcom_push(key="return_value", value=summary.to_xcom())
            raise AirflowFailException(
                in_lines(f"{summary.headline()} The summary in this task's log names the causes.")
            )
        return summary.to_xcom()

    def _summary(self, ti: Any) -> RunSummary:
        from ..provider.scripts.unused_scripts import unused_scripts
        from ..provider.spending.run_summary import summary_of
        from ..provider.spending.run_task import states_by_task

        before = {task.task_id: task for task in self.get_flat_relatives(upstream=True)}
        states = ti.get_task_states(dag_id=ti.dag_id, task_ids=sorted(before), run_ids=[ti.run_id])
        by_task = states_by_task(states.get(ti.run_id, {}), before)
        tasks = [_seen(ti, task, by_task.get(task_id, {})) for task_id, task in before.items()]
        if not any(task.makes_videos or task.videos is not None for task in tasks):
            raise ConfigurationError(
                in_lines(
                    f"No task before {self.task_id!r} makes videos. Put it after them with >>, such as "
                    "video_from_storyboard(...) >> SummarizeVideosOperator(...)."
                )
            )
        return summary_of(tasks, unused_scripts(_written(ti, before.values())))


def is_kind(task: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a task, mapped or not, is of one of these operators.

    :param task: the task in the DAG.
    :param kinds: the operators.
    """
    kind = getattr(task, "operator_class", type(task))
    return isinstance(kind, type) and issubclass(kind, kinds)


def _pulled(ti: Any, task: Any, key: str, kinds: tuple[type, ...]) -> list[Any]:
    """The values of all map indexes that have some, in their order; none of a task of another kind."""
    if not is_kind(task, kinds):
        return []
    return [value for value in ti.xcom_pull(task_ids=[task.task_id], key=key) or () if value is not None]


def _written(ti: Any, tasks: Iterable[Any]) -> list[Any]:
    """What those of the tasks returned that write scripts."""
    # Not above: most DAG files have no scripts.
    from .script import WriteScriptOperator

    return [made for task in tasks for made in _pulled(ti, task, "return_value", (WriteScriptOperator,))]


def _seen(ti: Any, task: Any, states: Mapping[int, str | None]) -> RunTask:
    """What a task left. For tasks that are not ours only the failure is read: their other XComs are their own."""
    from ..provider.spending.run_task import FAILED, RunTask

    def videos() -> dict[int, Any] | None:
        """What each map index reports of its videos; one that failed has reported it, too."""
        if not is_kind(task, MAKERS_OF_MANY):
            return None
        return {
            index: ti.xcom_pull(task_ids=task.task_id, key="return_value", map_indexes=index)
            for index in states
        }

    return RunTask(
        task.task_id,
        upstream=frozenset(task.upstream_task_ids),
        states=states,
        makes_videos=is_kind(task, MAKERS),
        is_mapped=bool(task.is_mapped) or next(task.iter_mapped_task_groups(), None) is not None,
        results=_pulled(ti, task, "return_value", MAKERS),
        failures=failures_of(ti, task.task_id) if FAILED in states.values() else [],
        left_out=_pulled(ti, task, LEFT_OUT_KEY, LEAVING_OUT),
        estimates=_pulled(ti, task, ESTIMATE_KEY, (PlanVideosOperator,)),
        videos=videos(),
    )
