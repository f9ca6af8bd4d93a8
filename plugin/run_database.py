"""What Airflow's database keeps of the videos of a run: a few queries, however many videos there are.

Airflow's public API lists XComs without their values, and gives one value a call, at about 10 ms each: the page of a
night would take many seconds. So it is asked first whether the user may read them, see ``pages.shown_run``, and they
are read here after it has said so. Only the API server, which has the database, calls this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from ..hooks.airflow.public_api import xcom_value
from ..provider.shown.run_instance import (
    DELIVERY_KEY,
    FAILURE_KEY,
    RESULT_KEY,
    VIDEO_NAME_KEY,
    RunInstance,
)
from ..provider.spending.plan_xcom import ESTIMATE_KEY, LEFT_OUT_KEY
from ..provider.submission.shown_job import JOB_KEY
from ..provider.submission.stored_records import RECORD_KEY, RECORDS_KEY
from ..provider.videos.video_shards import INDEX_KEY

XCOM_KEYS = (JOB_KEY, FAILURE_KEY, DELIVERY_KEY, VIDEO_NAME_KEY, LEFT_OUT_KEY, ESTIMATE_KEY)


def read_run_instances(
    dag_id: str, run_id: str, task_ids: Collection[str], telling_results: Collection[str]
) -> list[RunInstance]:
    """The instances of some tasks of a run, with what they left behind. It blocks: call it in a thread.

    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :param task_ids: of the tasks.
    :param telling_results: the tasks whose result is wanted too.
    """
    from airflow.models.taskinstance import TaskInstance
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session
    from sqlalchemy import select

    def of(table: Any, *columns: Any) -> Any:
        return (
            select(table.c.task_id, table.c.map_index, *columns)
            .where(table.c.dag_id == dag_id, table.c.run_id == run_id, table.c.task_id.in_(list(task_ids)))
            .order_by(table.c.task_id, table.c.map_index)
        )

    tis, xcoms = _table(TaskInstance), _table(XComModel)
    is_wanted = xcoms.c.key.in_(XCOM_KEYS) | (
        (xcoms.c.key == RESULT_KEY) & xcoms.c.task_id.in_(list(telling_results))
    )
    with create_session() as session:
        found = session.execute(
            of(tis, tis.c.state, tis.c.try_number, tis.c.max_tries, tis.c.rendered_map_index)
        ).all()
        pushed = session.execute(of(xcoms, xcoms.c.key, xcoms.c.value).where(is_wanted)).all()
        stored = _stored(session, of)
    left: dict[tuple[str, int], dict[str, Any]] = {}
    for task_id, map_index, key, value in pushed:
        left.setdefault((task_id, map_index), {})[key] = xcom_value({"value": value})
    return [
        RunInstance(
            task_id,
            map_index,
            None if state is None else str(getattr(state, "value", state)),
            try_number or 0,
            max_tries or 0,
            name,
            left.get((task_id, map_index), {}),
            stored.get((task_id, map_index), {}),
        )
        for task_id, map_index, state, try_number, max_tries, name in found
    ]


def read_former_tasks(dag_id: str, run_id: str, task_ids: Collection[str]) -> list[dict[str, Any]]:
    """The tasks of a run that are no longer in the DAG, as Airflow's API lists tasks. It blocks: call it in a thread.

    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :param task_ids: of all tasks that the DAG has now.
    :return: a listing for each version of the DAG that had such tasks.
    """
    from airflow.models.serialized_dag import SerializedDagModel
    from airflow.models.taskinstance import TaskInstance
    from airflow.utils.session import create_session
    from sqlalchemy import select

    tis = _table(TaskInstance)
    former = (
        select(tis.c.task_id, tis.c.dag_version_id)
        .where(tis.c.dag_id == dag_id, tis.c.run_id == run_id, tis.c.task_id.not_in(list(task_ids)))
        .distinct()
    )
    with create_session() as session:
        found = session.execute(former).all()
        versions = {version for _, version in found}
        wanted = select(SerializedDagModel).where(SerializedDagModel.dag_version_id.in_(versions))
        models = session.scalars(wanted).all() if versions else []
        return [{"tasks": [_listed(task) for task in model.dag.tasks]} for model in models]


def _listed(task: Any) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "template_fields": list(task.template_fields),
        "downstream_task_ids": sorted(task.downstream_task_ids),
        "is_mapped": bool(getattr(task, "is_mapped", False)),
    }


def _table(model: Any) -> Any:
    return model.__table__


def _stored(session: Any, of: Any) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """What is in the task state stores of the tasks; nothing before Airflow 3.3."""
    import json

    try:
        from airflow.models.task_state_store import TaskStateStoreModel
    except ImportError:
        return {}
    table = _table(TaskStateStoreModel)
    is_ours = table.c.key.in_([RECORD_KEY, RECORDS_KEY, INDEX_KEY]) | table.c.key.startswith(f"{INDEX_KEY}.")
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for task_id, map_index, key, value in session.execute(
        of(table, table.c.key, table.c.value).where(is_ours)
    ):
        # One broken value must not hide the other videos.
        with suppress(ValueError, RecursionError):
            found.setdefault((task_id, map_index), {})[key] = json.loads(value)
    return found
