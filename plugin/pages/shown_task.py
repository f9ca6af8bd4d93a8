"""A task instance and its job, read from Airflow as the user who asks for them: what he may not see is not there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from ...hooks.airflow.public_api import task_instance_path
from ...provider.shown.dag_task import CONNECTION_FIELD, DagTask, role_of
from ...provider.shown.listing import Listing, plan_listing, summary_listing
from ...provider.shown.rows_of_many import one_of_many
from ...provider.shown.run_instance import ASKING, DELIVERY_KEY, RESULT_KEY, has_ended
from ...provider.shown.run_rows import run_rows
from ...provider.shown.video_row import VideoRow
from ...provider.spending.plan_xcom import ESTIMATE_KEY, LEFT_OUT_KEY
from ...provider.stored_dataclass import MOST
from ...provider.submission.shown_job import JOB_KEY, ShownJob
from ..airflow_api import AirflowApi, dag_path
from .shown_run import read_run
from .task_values import TaskValues

PLAN_FIELDS = frozenset({"max_minutes", "is_dry_run"})
"""Template fields that a plan has (ours)."""
SUMMARY = "SummarizeVideosOperator"


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
    """What Airflow says about a task instance.

    :param state: Airflow's word; None before the task is scheduled.
    :param try_number: of the latest try, from 1.
    :param max_tries: how many tries there may be.
    :param ended_at: an ISO time; None while the task has not ended.
    :param is_ours: whether it is known to call the service.
    :param job: the job that it has named, with the task's own connection and user id; None without.
    :param names_job: whether an XCom names a job that is not shown, since the task's connection is not known.
    :param row: how its video stands, or the one of its videos that is asked for; None where it names none.
    :param size: of the file that it delivered, in bytes; None where it has not.
    :param listing: of a plan or a summary, what it says.
    :param makes_many: whether the task makes many videos, and so has a page of its own for them.
    """

    state: str | None
    try_number: int
    max_tries: int
    ended_at: str | None
    is_ours: bool
    job: ShownJob | None
    names_job: bool = False
    row: VideoRow | None = None
    size: int | None = None
    listing: Listing | None = None
    makes_many: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether it stays as it is until somebody clears it."""
        return has_ended(self.state)


@dataclass(frozen=True)
class OneOfMany:
    """One video of a task that makes many.

    :param name: of the video.
    :param shard: where the task's store has it; None where only the result has it.
    """

    name: str
    shard: int | None = None


async def read_task(
    api: AirflowApi, identity: TaskIdentity, video: OneOfMany | None = None, *, job_alone: bool = False
) -> ShownTask:
    """Read a task instance and its job.

    Whoever may read the task's XComs may see the job, whose URLs are there too.

    :param api: as the user sees it.
    :param identity: which task instance.
    :param video: which of its videos, where it makes many.
    :param job_alone: whether nothing is wanted but the job: for a picture, of which a page asks for many.
    :raises AirflowApiError: Airflow does not show it; 401, 403 and 404 say why.
    """
    path = task_instance_path(identity.dag_id, identity.run_id, identity.task_id)
    instance = (await api.call("GET", f"{path}/{identity.map_index}")).content
    rendered = instance.get("rendered_fields") or {}
    fields = await _template_fields(api, identity, rendered)
    as_whom, role = _as_whom(rendered), role_of(fields)
    values = TaskValues(api, path, identity.map_index, instance)
    listing = delivery = None
    if video:
        row = one_of_many(await values.of_many(video.shard), identity.run_id, video.name)
        told = _job_of(row, as_whom[0] if as_whom else "?")
    elif role == "approval":
        row = await _asked_about(api, identity) if instance.get("state") in ASKING else None
        told = _job_of(row, as_whom[0] if as_whom else "?")
    else:
        left = await values.of_one_job(None if job_alone else role)
        told, delivery = ShownJob.from_json(left.xcoms[JOB_KEY]), left.xcoms.get(DELIVERY_KEY)
        rows = run_rows([DagTask(identity.task_id, role)], [left], identity.run_id) if role else []
        row = rows[0] if rows and role != "many" else None
        listing = await _listing(values, instance, fields)
    return ShownTask(
        state=instance.get("state"),
        try_number=int(instance.get("try_number") or 0),
        max_tries=int(instance.get("max_tries") or 0) + 1,
        ended_at=instance.get("end_date"),
        is_ours=CONNECTION_FIELD in fields,
        job=_of_task(told, *as_whom) if told and as_whom else None,
        names_job=told is not None and as_whom is None,
        row=row,
        size=_size(delivery),
        listing=listing,
        makes_many=role == "many",
    )


async def _asked_about(api: AirflowApi, identity: TaskIdentity) -> VideoRow | None:
    """The video about which a person is asked: it is made by tasks before this one."""
    place = (identity.task_id, identity.map_index)
    rows = (await read_run(api, identity.dag_id, identity.run_id)).rows
    return next((row for row in rows if (row.task, row.map_index) == place), None)


async def _listing(
    values: TaskValues, instance: Mapping[str, Any], fields: Collection[str]
) -> Listing | None:
    if set(fields) >= PLAN_FIELDS:
        return plan_listing(await values.xcom(ESTIMATE_KEY), await values.xcom(LEFT_OUT_KEY))
    if instance.get("operator") == SUMMARY:
        return summary_listing(await values.xcom(RESULT_KEY))
    return None


def _size(delivery: Any) -> int | None:
    size = delivery.get("size") if isinstance(delivery, Mapping) else None
    return size if type(size) is int and 0 <= size < MOST else None


async def _template_fields(
    api: AirflowApi, identity: TaskIdentity, rendered: Mapping[str, Any]
) -> Collection[str]:
    """Those of the task: as it was rendered, otherwise as it is in the DAG now."""
    if rendered:
        return rendered.keys()
    task = await api.get(f"{dag_path(identity.dag_id)}/tasks/{quote(identity.task_id, safe='')}")
    return (task or {}).get("template_fields") or ()


def _job_of(row: VideoRow | None, conn_id: str) -> ShownJob | None:
    job_id = (row.render_job_id or row.storyboard_job_id) if row else None
    if row is None or job_id is None:
        return None
    kind = "render" if row.render_job_id else "storyboard"
    storyboard = row.storyboard_job_id if row.render_job_id else None
    return ShownJob(job_id, kind, conn_id, storyboard_job_id=storyboard, video_name=row.name)


def _as_whom(rendered: Mapping[str, Any]) -> tuple[str, str | None] | None:
    """The connection and the user id with which the task calls the service; None where Airflow does not say.

    People may write XComs, but only a task that runs can write its rendered fields: whom to ask, and as whom, is never
    taken from an XCom. A field of this name is there only if the task's class has it among its ``template_fields``: a
    function's arguments are below ``op_kwargs``. The class's own name would prove no more, since whoever writes a
    DAG chooses it, and may use every connection in any case.
    """
    conn_id, user_id = rendered.get(CONNECTION_FIELD), rendered.get("user_id")
    if conn_id in (None, "") or any(_is_changed(str(value)) for value in (conn_id, user_id)):
        return None
    return str(conn_id), None if user_id is None else str(user_id)


def _is_changed(text: str) -> bool:
    """Whether Airflow shows something different from what the task has: it masks secrets and cuts long values."""
    return "***" in text or text.startswith("Truncated. ")


def _of_task(told: ShownJob, conn_id: str, user_id: str | None) -> ShownJob | None:
    """The job, if it is one of the connection.

    Its ids are the XCom's: who may write XComs of the task can make this read another job of the same connection, as
    the same user id.
    """
    return replace(told, user_id=user_id) if told.video_creation_conn_id == conn_id else None


def index_of(map_index: str) -> int:
    """The map index that a page was asked for: for a task that is not mapped the UI leaves the placeholder unchanged.

    :param map_index: as it is in the path.
    """
    return int(map_index) if map_index.isascii() and map_index.isdigit() and len(map_index) < 10 else -1
