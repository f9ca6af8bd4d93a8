"""The notifier that reports how a night's run went, through any notifier of Airflow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow.providers.common.compat.sdk import BaseNotifier

from ..hooks.airflow.errors import airflow_errors
from ..provider.errors import ConfigurationError
from ..provider.quoting import shortened

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..provider.spending.failure import Failure
    from ..provider.spending.told_run import ToldRun

CONTEXT_KEY = "night"
"""The variable in the templates of the notifier that sends."""
UNTOLD = "It gave no reason. Its log may say more."
"""For a task whose worker was lost, or that is not one of ours (ours)."""


class NightSummaryNotifier(BaseNotifier):
    """Reports the results of a run, or why one task failed, through any of Airflow's notifiers (source: ours).

    Wrapped around a notifier it adds the variable ``night`` to its templates: ``NightSummaryNotifier(SlackNotifier(
    text="{{ night.text }}"))``. Set it as ``on_success_callback`` and ``on_failure_callback`` of the
    ``SummarizeVideosOperator`` or of the DAG, or as ``on_failure_callback`` of any task (docs/recipes/alerts.md).

    ``night`` has ``text`` and ``html``, the whole message; ``headline``; ``page``, the address of the run's tab
    "Videos"; ``causes``, each with ``headline``, ``message`` and ``log``; ``videos``, each with ``video``, ``place``
    and ``minutes``; ``left_out``, the rows that a person must fix; ``dag_id`` and ``run_id``. It holds no share URL.

    Where the summary cannot be read, the headline says so, and the addresses are there all the same.

    :param through: the notifier that sends; or any other callback: a function of the context, which has ``night``.
    :raises ConfigurationError: it is neither.
    """

    def __init__(self, through: Callable[[Context], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.through = through
        if not callable(through) or isinstance(through, type) or iscoroutinefunction(through):
            with airflow_errors():
                raise ConfigurationError(
                    f"NightSummaryNotifier has through={shortened(repr(through), 200)}. Give a notifier, such as "
                    "SlackNotifier(...), or a function of the context."
                )

    def notify(self, context: Context) -> None:
        """Send it.

        :param context: of the callback.
        """
        told: Any = {**context, CONTEXT_KEY: self._told(context)}
        # A notifier keeps what it has rendered: the next call would send it again.
        copy(self.through)(told)

    def _told(self, context: Any) -> ToldRun:
        from ..hooks.airflow.links import log_url, run_tab_url
        from ..provider.spending.told_run import RunAddresses, told_run

        dag_id, run_id = context["dag"].dag_id, context["run_id"]
        at = RunAddresses(dag_id, run_id, run_tab_url(dag_id, run_id), partial(log_url, dag_id, run_id))
        try:
            # Airflow gives a reason to callbacks of a DAG only.
            found = _of_run(context) if "reason" in context else _of_task(context)
            told = told_run(at, found.ended, found.summaries, found.failures)
        except Exception as error:
            self.log.warning("The results of run %r cannot be read: %s", run_id, type(error).__name__)
            return told_run(at, f"{_ended(context)} The results of its videos cannot be read.")
        return told


class _Found(NamedTuple):
    """What is known: how the run ended, what summaries returned, and how tasks failed."""

    ended: str
    summaries: Sequence[Any] = ()
    failures: Sequence[Failure] = ()


def _of_run(context: Any) -> _Found:
    """Of a callback of a DAG, in the DAG processor: it reads XComs through any task instance of the run."""
    ended, ti = _ended(context), context.get("ti")
    if ti is None:
        return _Found(
            f"{ended} Airflow named none of its tasks, so the results of its videos cannot be read."
        )
    tasks, summaries, looked_at = context["dag"].tasks, [], set()
    for task in tasks:
        if _is_summary(task) and (summary := _summary(ti, task.task_id, -1)):
            summaries.append(summary)
            looked_at |= {task.task_id, *task.get_flat_relative_ids(upstream=True)}
    ended = "" if summaries and context["reason"] == "success" else ended
    return _Found(ended, summaries, _failures(ti, {task.task_id for task in tasks} - looked_at))


def _of_task(context: Any) -> _Found:
    """Of a callback of a task: in its process, or in the DAG processor when the worker was lost."""
    from ..hooks.airflow.failure_xcom import FAILURE_KEY
    from ..provider.spending.failure import Failure

    ti, error = context["ti"], context.get("exception")
    if _is_summary(ti.task) and (summary := _summary(ti, ti.task_id, ti.map_index)):
        return _Found("", [summary])
    if not _has_failed(context):
        return _Found(_ended(context))
    known = {"task_id": ti.task_id, "map_index": ti.map_index, "video": getattr(ti.task, "video_name", None)}
    if error is None:
        told = ti.xcom_pull(task_ids=ti.task_id, key=FAILURE_KEY, map_indexes=ti.map_index)
        return _Found(
            _ended(context), failures=[Failure.from_json(told) or Failure("failed", UNTOLD, **known)]
        )
    return _Found(_ended(context), failures=[Failure.of(error, **known)])


def _failures(ti: Any, task_ids: AbstractSet[str]) -> list[Failure]:
    """The failures among these tasks."""
    from ..hooks.airflow.failure_xcom import failures_of
    from ..provider.spending.failure import Failure
    from ..provider.spending.run_task import FAILED, states_by_task

    if not task_ids:
        return []
    found = []
    states = ti.get_task_states(dag_id=ti.dag_id, task_ids=sorted(task_ids), run_ids=[ti.run_id])
    for task_id, by_index in states_by_task(states.get(ti.run_id, {}), task_ids).items():
        failed = sorted(index for index, state in by_index.items() if state == FAILED)
        told = {failure.map_index: failure for failure in failures_of(ti, task_id)} if failed else {}
        found += [told.get(index) or Failure("failed", UNTOLD, task_id, index) for index in failed]
    return found


def _ended(context: Any) -> str:
    if "reason" in context:
        return "The run succeeded." if context["reason"] == "success" else "The run failed."
    return f"Task {context['ti'].task_id} {'failed' if _has_failed(context) else 'ended'}."


def _has_failed(context: Any) -> bool:
    # After a lost worker there is no exception, and no key for it; nor is there in ``dags test`` before Airflow 3.3.
    return context.get("exception") is not None or "exception" not in context


def _summary(ti: Any, task_id: str, map_index: int) -> Any:
    """What a summary returned; None where it has not."""
    from ..provider.spending.told_run import is_summary

    result = ti.xcom_pull(task_ids=task_id, key="return_value", map_indexes=map_index)
    return result if is_summary(result) else None


def _is_summary(task: Any) -> bool:
    from ..operators.summary import SummarizeVideosOperator, is_kind

    return is_kind(task, (SummarizeVideosOperator,))
