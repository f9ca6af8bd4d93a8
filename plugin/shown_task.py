"""A task instance and its job, read from Airflow as the user who asks for them: what he may not see is not there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..provider.shown_job import JOB_KEY, ShownJob
from .airflow_api import AirflowApi, task_instance_path

UNFINISHED = ("queued", "scheduled", "running", "deferred", "restarting", "up_for_retry", "up_for_reschedule")
"""States of a task that a later look may find changed (source: Airflow); None as well."""


@dataclass(frozen=True)
class TaskIdentity:
    """Which task instance.

    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :param task_id: the task.
    :param map_index: of a mapped task; -1 of any other.
    """

    dag_id: str
    run_id: str
    task_id: str
    map_index: int = -1


@dataclass(frozen=True)
class ShownTask:
    """What Airflow tells of a task instance.

    :param state: Airflow's word; None before the task is scheduled.
    :param try_number: of the latest try, from 1.
    :param max_tries: how many tries there may be.
    :param ended_at: an ISO time; None while the task has not ended.
    :param is_ours: whether it is known to call the service.
    :param job: the job that it has told of; None without.
    """

    state: str | None
    try_number: int
    max_tries: int
    ended_at: str | None
    is_ours: bool
    job: ShownJob | None

    @property
    def has_ended(self) -> bool:
        """Whether it stays as it is until somebody clears it."""
        return self.state is not None and self.state not in UNFINISHED


async def read_task(api: AirflowApi, identity: TaskIdentity) -> ShownTask:
    """Read a task instance and its job.

    Whoever may read the task's XComs may see the job, whose URLs stand there too.

    :param api: as the user sees it.
    :param identity: which task instance.
    :raises AirflowApiError: Airflow shows it not; 401, 403 and 404 say why.
    """
    path = task_instance_path(identity.dag_id, identity.run_id, identity.task_id)
    instance = (await api.call("GET", f"{path}/{identity.map_index}")).content
    entry = await api.get(f"{path}/xcomEntries/{JOB_KEY}", map_index=identity.map_index)
    rendered = instance.get("rendered_fields") or {}
    return ShownTask(
        state=instance.get("state"),
        try_number=int(instance.get("try_number") or 0),
        max_tries=int(instance.get("max_tries") or 0) + 1,
        ended_at=instance.get("end_date"),
        is_ours="video_creation_conn_id" in rendered,
        job=_job(entry, rendered),
    )


def _job(entry: Any, rendered: Mapping[str, Any]) -> ShownJob | None:
    value = entry.get("value") if isinstance(entry, Mapping) else None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    job = ShownJob.from_json(value)
    # People may write XComs, and only the task its rendered fields: nobody reads with a connection that is not its own.
    conn_id = rendered.get("video_creation_conn_id")
    return job if job and conn_id in (None, job.video_creation_conn_id) else None
