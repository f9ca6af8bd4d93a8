"""The operator that says what came of a run, and decides how the run ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowFailException, BaseOperator

from ..provider.protocol.errors import ConfigurationError
from .base import BaseVideoCreationOperator
from .download import DownloadVideoOperator
from .failure_xcom import failures_of
from .plan import PlanVideosOperator
from .render import RenderVideoOperator
from .video import CreateVideoOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..provider.spending.run_summary import FailWhen, RunSummary, TaskEnd

MAKERS = (CreateVideoOperator, RenderVideoOperator, DownloadVideoOperator)
"""What a video comes out of: the last of them on its way says whether it was made."""


class SummarizeVideosOperator(BaseOperator):
    """Says what came of the tasks before it, and decides how the run ends (source: ours).

    Set it behind the tasks that make videos, mapped or not: ``videos >> SummarizeVideosOperator(
    task_id="summarize")``. It looks at all tasks before it: what plan and fetch tasks left out, how many videos were
    delivered (or rendered, where nothing is downloaded), how long they are, and why tasks failed. It runs when they
    are done, however they ended. The log has a text for the person on call.

    The dict that it returns has ``headline``, ``made``, ``failed``, ``skipped`` (such as rejected ones), ``minutes``,
    ``videos`` (``video``, ``place``, ``minutes``, ``share_url``), ``failures`` (``video``, ``task``, ``map_index``,
    ``kind``, ``message``, ``status``, ``code``), ``left_out`` and ``dry_run``. Share URLs are capabilities: they are
    in the dict and not in the log.

    :param fail_when: ``none``, the default: the task fails, and so the run, if something failed and no video was made;
        ``any``: if anything failed; ``never``.
    :raises ConfigurationError: ``fail_when`` is none of these, or no task before it makes videos.
    """

    ui_color = "#e8e3f6"

    def __init__(
        self, *, fail_when: FailWhen = "none", trigger_rule: str = "all_done", **kwargs: Any
    ) -> None:
        super().__init__(trigger_rule=trigger_rule, **kwargs)
        self.fail_when: FailWhen = fail_when
        if fail_when not in ("none", "any", "never"):
            raise ConfigurationError(
                f"fail_when of task {self.task_id!r} must be 'none', 'any' or 'never', not {fail_when!r}."
            )

    def execute(self, context: Context) -> dict[str, Any]:
        """Look at the tasks before, and log what came of them."""
        from ..hooks.airflow_errors import airflow_errors

        ti: Any = context["ti"]
        with airflow_errors():
            summary = self._summary(ti)
        self.log.info("%s", summary.text())
        if summary.is_failure(self.fail_when):
            ti.xcom_push(key="return_value", value=summary.to_xcom())
            raise AirflowFailException(f"{summary.headline()} The log of this task says why.")
        return summary.to_xcom()

    def _summary(self, ti: Any) -> RunSummary:
        from ..provider.spending.run_summary import summarize

        before = {task.task_id: task for task in self.get_flat_relatives(upstream=True)}
        states = ti.get_task_states(dag_id=ti.dag_id, task_ids=sorted(before), run_ids=[ti.run_id])
        by_task = states_by_task(states.get(ti.run_id, {}), before)
        makers = {task_id for task_id, task in before.items() if is_kind(task, MAKERS)}
        if not makers:
            raise ConfigurationError(
                f"No task before {self.task_id!r} makes videos: set it behind them with >>, such as "
                "video_from_storyboard(...) >> SummarizeVideosOperator(...)."
            )
        plans = [task_id for task_id, task in before.items() if is_kind(task, (PlanVideosOperator,))]
        estimates = [value for task_id in plans for value in _pulled(ti, task_id, "estimate")]
        estimate = estimates[0] if len(estimates) == 1 else None
        planned = [str(video["video"]) for video in (estimate or {}).get("each", ())]
        behind_plan = before[plans[0]].get_flat_relative_ids(upstream=False) if estimate else set()
        left_out: list[Mapping[str, Any]] = []
        ends: list[TaskEnd] = []
        for task_id in _in_order(before.values()):
            task = before[task_id]
            end = _end(ti, task, by_task.get(task_id, {}), makers)
            # Only tasks that are mapped over the whole plan have its indexes.
            named = task_id in behind_plan and end.states.keys() == set(range(len(planned)))
            ends.append(replace(end, names=planned) if named else end)
            if not is_kind(task, (BaseVideoCreationOperator,)):
                for items in _pulled(ti, task_id, "left_out"):
                    left_out += [item for item in items if isinstance(item, Mapping)]
        return summarize(ends, left_out=left_out, estimate=estimate)


def is_kind(task: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a task, mapped or not, is of one of these operators.

    :param task: as it stands in the DAG.
    :param kinds: the operators.
    """
    kind = getattr(task, "operator_class", type(task))
    return isinstance(kind, type) and issubclass(kind, kinds)


def _is_mapped(task: Any) -> bool:
    return bool(task.is_mapped) or next(task.iter_mapped_task_groups(), None) is not None


def states_by_task(
    states: Mapping[str, str | None], tasks: Iterable[str]
) -> dict[str, dict[int, str | None]]:
    """Task id -> map index -> state, of what Airflow gives in one dict.

    :param states: state by ``task_id``, or by ``task_id_mapindex`` for a mapped one.
    :param tasks: the ids of all tasks that are asked for.
    """
    known = set(tasks)
    found: dict[str, dict[int, str | None]] = {}
    for name, state in states.items():
        task_id, _, index = name.rpartition("_")
        if name in known:
            found.setdefault(name, {})[-1] = state
        elif task_id in known and index.isdecimal():
            found.setdefault(task_id, {})[int(index)] = state
    return found


def _end(ti: Any, task: Any, states: Mapping[int, str | None], makers: set[str]) -> TaskEnd:
    from ..provider.spending.run_summary import FAILED, TaskEnd

    is_maker = task.task_id in makers
    results: dict[int, Any] = {}
    if is_maker:
        done = [index for index, state in sorted(states.items()) if state == "success"]
        values = _pulled(ti, task.task_id, "return_value")
        # XCom tells no map indexes: what is incomplete cannot be told apart.
        results = dict(zip(done, values, strict=True)) if len(done) == len(values) else {}
    told = failures_of(ti, task.task_id) if FAILED in states.values() else []
    failures = {failure.map_index: failure for failure in told}
    if is_maker and states.keys() == {-1} and states[-1] != FAILED and _is_mapped(task):
        # It was never known how many there would be.
        states = {}
    is_last = is_maker and not makers & task.get_flat_relative_ids(upstream=False)
    chain = [task_id for task_id in _in_order(task.get_flat_relatives(upstream=True)) if task_id in makers]
    return TaskEnd(task.task_id, states, results, failures, (*chain, task.task_id) if is_last else ())


def _pulled(ti: Any, task_id: str, key: str) -> list[Any]:
    """The values of all map indexes of a task that has some, in their order."""
    return [value for value in ti.xcom_pull(task_ids=[task_id], key=key) or () if value is not None]


def _in_order(tasks: Iterable[Any]) -> Sequence[str]:
    """Task ids, each behind those that it depends on."""
    left = {task.task_id: set(task.upstream_task_ids) for task in tasks}
    ordered: list[str] = []
    while left:
        ready = sorted(task_id for task_id, before in left.items() if not before & left.keys())
        ordered += ready
        for task_id in ready:
            del left[task_id]
    return ordered
