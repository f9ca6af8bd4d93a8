"""The videos of a run, read from Airflow as the user who asks for them: what he may not see is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ...hooks.airflow.public_api import ANY, xcoms_path
from ...provider.shown.budget_lines import budget_lines, carried_line
from ...provider.shown.dag_task import DagTask, dag_tasks, task_ids
from ...provider.shown.run_rows import run_rows
from ...provider.shown.video_row import VideoRow, counted
from ...provider.spending.plan_xcom import ESTIMATE_KEY
from ..airflow_api import AirflowApi, dag_path
from ..run_database import read_former_tasks, read_run_instances

RESULTS_OF = ("render", "video", "watch", "many")
"""The results of these say how long their videos are."""
ENDED = ("success", "failed")
MAX_RUNS = 14
"""How many runs of a DAG are listed (ours)."""


@dataclass(frozen=True)
class ShownRun:
    """What Airflow says about a run and its videos.

    :param state: of the run, in Airflow's words.
    :param rows: the videos.
    :param budgets: how much of each budget the run's plans have left, and what was carried over to them.
    """

    state: str
    rows: list[VideoRow]
    budgets: list[str]

    def to_json(self, *, with_rows: bool) -> dict[str, Any]:
        """What the page is drawn from.

        :param with_rows: whether each video is listed, or only their numbers.
        """
        told = {
            "run": self.state,
            "ended": self.state in ENDED,
            **counted(self.rows),
            "budgets": self.budgets,
        }
        return told | {"rows": [row.to_json() for row in self.rows]} if with_rows else told


async def read_run(
    api: AirflowApi, dag_id: str, run_id: str, of_task: tuple[str, int] | None = None
) -> ShownRun:
    """Read the videos of a run.

    :param api: as the user sees it.
    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :param of_task: the task and map index whose videos alone are wanted; None for those of the whole run.
    :raises AirflowApiError: Airflow does not show it; 401, 403 and 404 say why.
    """
    state = await require_readable(api, dag_id, run_id)
    listed = await api.get(f"{dag_path(dag_id)}/tasks")
    former = await asyncio.to_thread(read_former_tasks, dag_id, run_id, task_ids(listed)) if listed else []
    tasks = dag_tasks(listed, *former)
    if of_task:
        tasks = [task for task in tasks if task.task_id == of_task[0]]
    instances = await asyncio.to_thread(_instances, dag_id, run_id, tasks) if tasks else []
    if of_task:
        instances = [instance for instance in instances if instance.map_index == of_task[1]]
    rows = await asyncio.to_thread(run_rows, tasks, instances, run_id)
    budgets = [
        f"{name}: {used}"
        for instance in instances
        for lines in (budget_lines, carried_line)
        for name, used in lines(instance.xcoms.get(ESTIMATE_KEY))
    ]
    return ShownRun(state, rows, budgets)


async def require_readable(api: AirflowApi, dag_id: str, run_id: str) -> str:
    """Have Airflow judge whether the user may read a run, its task instances and their XComs; the state of the run.

    :param api: as the user sees it.
    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :raises AirflowApiError: he may not, or there is no such run.
    """
    run = (await api.call("GET", run_path(dag_id, run_id))).content
    instances = f"{run_path(dag_id, run_id)}/taskInstances"
    for path in (instances, xcoms_path(f"{instances}/{ANY}")):
        await api.call("GET", path, params={"limit": 1})
    return str(run.get("state"))


async def read_runs(api: AirflowApi, dag_id: str) -> list[dict[str, Any]]:
    """The last runs of a DAG, the latest first: id, state and when each was to run.

    :param api: as the user sees it.
    :param dag_id: the DAG.
    :raises AirflowApiError: Airflow does not show them; 401, 403 and 404 say why.
    """
    params = {"limit": MAX_RUNS, "order_by": "-run_after"}
    listed = (await api.call("GET", f"{dag_path(dag_id)}/dagRuns", params=params)).content
    return [_run(run) for run in listed["dag_runs"]]


def run_path(dag_id: str, run_id: str) -> str:
    """The path of a DAG run in Airflow's API.

    :param dag_id: the DAG.
    :param run_id: the DAG run.
    """
    return f"{dag_path(dag_id)}/dagRuns/{quote(run_id, safe='')}"


def _instances(dag_id: str, run_id: str, tasks: list[DagTask]) -> Any:
    telling = [task.task_id for task in tasks if task.role in RESULTS_OF]
    return read_run_instances(dag_id, run_id, [task.task_id for task in tasks], telling)


def _run(run: Mapping[str, Any]) -> dict[str, Any]:
    at = run.get("start_date") or run.get("run_after")
    return {
        "id": str(run.get("dag_run_id")),
        "state": str(run.get("state")),
        "at": None if at is None else str(at),
    }
