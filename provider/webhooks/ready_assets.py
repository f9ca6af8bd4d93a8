"""The assets whose events say that a job has ended, so that DAGs can be scheduled on them (source: ours)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

if TYPE_CHECKING:
    from ..models.job import Job
    from .webhook_url import Submitter

Ready = Literal["preview_ready", "video_ready", "job_failed"]


@dataclass(frozen=True)
class ReadyAsset:
    """An asset of a connection.

    :param name: as Airflow shows it.
    :param uri: as Airflow finds it; written as Airflow keeps it.
    """

    name: str
    uri: str


def ready_asset(ready: Ready, conn_id: str) -> ReadyAsset:
    """One of a connection's three assets.

    :param ready: ``preview_ready``, ``video_ready`` or ``job_failed``.
    :param conn_id: the connection.
    """
    return ReadyAsset(f"{conn_id}: {ready}", f"video-creation://{quote(conn_id, safe='')}/{ready}")


def asset_of(job: Job, submitter: Submitter) -> ReadyAsset:
    """The asset that a job's end is an event of.

    :param job: that has ended: completed, failed, or its result purged already.
    :param submitter: whose job it is.
    """
    if job.state == "completed":
        ready: Ready = "preview_ready" if submitter.kind == "storyboard" else "video_ready"
    else:
        ready = "job_failed"
    return ready_asset(ready, submitter.conn_id)


def event_extra(job: Job, submitter: Submitter) -> dict[str, Any]:
    """The event's metadata, for the DAGs that it starts. No URL: who may read events may not be who may see videos.

    :param job: that has ended.
    :param submitter: whose job it is.
    :return: ``job_id``, ``kind``, ``state``, ``video_creation_conn_id``, ``duration`` (s) and ``error_code`` (of a
        job that failed; None where the service says none), ``dag_id``, ``run_id``, ``task_id``, ``map_index``.
    """
    return {
        "job_id": job.job_id,
        "kind": submitter.kind,
        "state": job.state,
        "video_creation_conn_id": submitter.conn_id,
        "duration": job.duration,
        "error_code": None if job.state == "completed" else job.error_code,
        "dag_id": submitter.dag_id,
        "run_id": submitter.run_id,
        "task_id": submitter.task_id,
        "map_index": submitter.map_index,
    }
