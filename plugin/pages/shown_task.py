"""A task instance and its job, read from Airflow as the user who asks for them: what he may not see is not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...hooks.airflow.public_api import task_instance_path, xcom_value, xcoms_path
from ...provider.submission.shown_job import JOB_KEY, ShownJob
from ..airflow_api import AirflowApi

UNFINISHED = ("queued", "scheduled", "running", "deferred", "restarting", "up_for_retry", "up_for_reschedule")
"""States of a task that a later look may find changed (source: Airflow); None as well."""
CONNECTION_FIELD = "video_creation_conn_id"
"""The template field in which each task of ours names its connection (ours)."""


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
    :param job: the job that it has told of, with the task's own connection and user id; None without.
    :param names_job: whether an XCom names a job that is not shown, since the task's connection is not known.
    """

    state: str | None
    try_number: int
    max_tries: int
    ended_at: str | None
    is_ours: bool
    job: ShownJob | None
    names_job: bool = False

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
    entry = await api.get(xcoms_path(path, JOB_KEY), map_index=identity.map_index)
    rendered = instance.get("rendered_fields") or {}
    told = ShownJob.from_json(xcom_value(entry))
    as_whom = _as_whom(rendered)
    return ShownTask(
        state=instance.get("state"),
        try_number=int(instance.get("try_number") or 0),
        max_tries=int(instance.get("max_tries") or 0) + 1,
        ended_at=instance.get("end_date"),
        is_ours=CONNECTION_FIELD in rendered,
        job=_of_task(told, *as_whom) if told and as_whom else None,
        names_job=told is not None and as_whom is None,
    )


def _as_whom(rendered: Mapping[str, Any]) -> tuple[str, str | None] | None:
    """The connection and the user id with which the task calls the service; None where Airflow does not tell.

    People may write XComs, but only a task that runs can write its rendered fields: whom to ask, and as whom, is never
    taken from an XCom. A field of this name is there only if the task's class has it among its ``template_fields``: a
    function's arguments stand below ``op_kwargs``. The class's own name would prove no more, since whoever writes a
    DAG chooses it, and may use every connection in any case.
    """
    conn_id, user_id = rendered.get(CONNECTION_FIELD), rendered.get("user_id")
    if conn_id in (None, "") or any(_is_changed(str(value)) for value in (conn_id, user_id)):
        return None
    return str(conn_id), None if user_id is None else str(user_id)


def _is_changed(text: str) -> bool:
    """Whether Airflow shows something else than what the task has: it masks secrets and cuts what is long."""
    return "***" in text or text.startswith("Truncated. ")


def _of_task(told: ShownJob, conn_id: str, user_id: str | None) -> ShownJob | None:
    """The job, if it is one of the connection.

    Its ids are the XCom's: who may write XComs of the task can have another job of the same connection read, as the
    same user id.
    """
    return replace(told, user_id=user_id) if told.video_creation_conn_id == conn_id else None
