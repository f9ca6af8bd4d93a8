"""Asks Airflow what became of other runs: a run that has ended spends no more than it has sent."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ...provider.quoting import quotable
from ...provider.spending.across_runs.unspent import ENDED_RUN, unspent_videos
from ...provider.spending.run_task import states_by_task

MANY, ANY = "many", "any"
"""What is known of a task after a plan: each of its videos, or only how the task ended."""

KINDS = {"CreateVideosOperator": MANY}
"""Operator -> what is known of its videos; of any other ``ANY``."""
PAYING_NOTHING = {"SummarizeVideosOperator", "DownloadVideoOperator", "EmptyOperator"}

log = logging.getLogger(__name__)


def makers_of(behind: Iterable[Any]) -> dict[str, str]:
    """The tasks behind a plan that may pay, and what is known of their videos (source: ours).

    :param behind: the tasks after the plan, as in the DAG, mapped or not.
    """
    return {
        task.task_id: KINDS.get(task.task_type, ANY)
        for task in behind
        if task.task_type not in PAYING_NOTHING
    }


def about_run(ti: Any, makers: Mapping[str, str]) -> dict[str, Any]:
    """What a plan notes of its run, so that others can ask what became of it (source: ours).

    :param ti: the task instance of the plan.
    :param makers: task behind the plan that may pay -> ``MANY`` or ``ANY``.
    """
    return {
        "dag_id": ti.dag_id,
        "run_id": ti.run_id,
        "task_id": ti.task_id,
        "map_index": -1 if ti.map_index is None else ti.map_index,
        "makers": dict(makers),
    }


class EndedRuns:
    """Answers which videos a run never sent (source: ours).

    :param ti: the task instance that asks.
    """

    def __init__(self, ti: Any) -> None:
        self._ti = ti

    def unspent(self, note: Mapping[str, Any]) -> Collection[str]:
        """The videos of a note that are not spent, and never will be; none where that cannot be known.

        :param note: as its run has written it, with ``about_run`` and ``videos``.
        """
        try:
            return self._unspent(note)
        # The run may have been deleted. Whatever goes wrong here: what was reserved counts.
        except Exception as error:
            log.info(
                "What run %s of DAG %s has spent cannot be told (%s): all that it reserved counts",
                *(quotable(str(note.get(name))) for name in ("run_id", "dag_id")),
                type(error).__name__,
            )
            return ()

    def _unspent(self, note: Mapping[str, Any]) -> Collection[str]:
        dag_id, run_id, makers = note["dag_id"], note["run_id"], note["makers"]
        if not makers or self._ti.get_dagrun_state(dag_id=dag_id, run_id=run_id) not in ENDED_RUN:
            return ()
        found = self._ti.get_task_states(dag_id=dag_id, task_ids=sorted(makers), run_ids=[run_id])
        by_task = states_by_task(found.get(run_id, {}), makers)
        states = {task: by_task.get(task, {}).values() for task in makers}
        told = {
            task: self._told(dag_id, run_id, task, by_task.get(task, {}))
            for task, kind in makers.items()
            if kind == MANY
        }
        return unspent_videos(note["videos"], states, told)

    def _told(self, dag_id: str, run_id: str, task: str, states: Mapping[int, str | None]) -> Iterable[Any]:
        told = (
            self._ti.xcom_pull(task_ids=task, dag_id=dag_id, run_id=run_id, map_indexes=index)
            for index in states
        )
        return [videos for videos in told if videos is not None]
