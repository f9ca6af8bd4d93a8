"""The tasks of a DAG that choose or make videos, and which of them come before which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

Role = Literal["storyboard", "approval", "render", "watch", "video", "download", "many", "choice"]
CONNECTION_FIELD = "video_creation_conn_id"
"""The template field in which each task of ours names its connection (ours)."""
_ROLES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("many", frozenset({"adopt_storyboard_job_ids"})),
    ("video", frozenset({"adopt_storyboard_job_id"})),
    ("render", frozenset({"render_settings"})),
    ("storyboard", frozenset({"adopt_job_id"})),
    ("download", frozenset({"job_id", "destination"})),
    ("watch", frozenset({"job_id"})),
)
"""Role -> template fields that tasks of it have: those of a subclass too, whatever its name is."""
_QUESTION = frozenset({"subject", "body"})
"""Template fields of a task that asks a person (source: Airflow's HITLOperator)."""


_CHOOSING = (frozenset({"max_minutes", "is_dry_run"}), frozenset({"feed_url", "urls", "files"}))
"""Template fields of a task that chooses what becomes a video: it makes none, and says what it left out."""


def role_of(template_fields: Iterable[Any]) -> Role | None:
    """What a task does for a video; None for nothing.

    :param template_fields: of its operator.
    """
    fields = {field for field in template_fields if isinstance(field, str)}
    if fields >= _QUESTION:
        return "approval"
    if CONNECTION_FIELD not in fields:
        return None
    return next((role for role, has in _ROLES if fields >= has), None)


def chooses(template_fields: Iterable[Any]) -> bool:
    """Whether a task chooses what becomes a video, as plans and fetches of articles do.

    :param template_fields: of its operator.
    """
    fields = {field for field in template_fields if isinstance(field, str)}
    return any(fields >= has for has in _CHOOSING)


@dataclass(frozen=True)
class DagTask:
    """A task that chooses videos, or works on them.

    :param task_id: of the task.
    :param role: what it does.
    :param before: the nearest tasks before it that work on videos too.
    :param is_mapped: whether it is mapped by itself; of a mapped task group Airflow's API does not tell.
    """

    task_id: str
    role: Role
    before: frozenset[str] = frozenset()
    is_mapped: bool = False


def dag_tasks(listed: Any, *former: Any) -> list[DagTask]:
    """The tasks that choose videos or work on them, each behind those that it depends on.

    :param listed: the answer of Airflow's API to a GET of a DAG's tasks.
    :param former: the same of earlier versions of the DAG, for tasks that it has no more.
    """
    versions = [list(_tasks(version)) for version in (*former, listed)]
    tasks = {task["task_id"]: task for version in versions for task in version}
    upstream: dict[str, set[str]] = {task_id: set() for task_id in sorted(tasks)}
    for task in (task for version in versions for task in version):
        for after in _texts(task.get("downstream_task_ids")):
            upstream.get(after, set()).add(task["task_id"])
    found: list[DagTask] = []
    nearest: dict[str, frozenset[str]] = {}
    for task_id in _in_order(upstream):
        before = frozenset[str]().union(*(nearest.get(direct, frozenset()) for direct in upstream[task_id]))
        fields = _texts(tasks[task_id].get("template_fields"))
        role = role_of(fields)
        if role:
            found.append(DagTask(task_id, role, before, tasks[task_id].get("is_mapped") is True))
        elif chooses(fields):
            found.append(DagTask(task_id, "choice"))
        nearest[task_id] = frozenset({task_id}) if role else before
    return found


def task_ids(listed: Any) -> list[str]:
    """The ids of all tasks of a DAG.

    :param listed: the answer of Airflow's API to a GET of a DAG's tasks.
    """
    return [task["task_id"] for task in _tasks(listed)]


def _tasks(listed: Any) -> Iterator[Mapping[str, Any]]:
    tasks = listed.get("tasks") if isinstance(listed, Mapping) else None
    for task in tasks if isinstance(tasks, list) else ():
        if isinstance(task, Mapping) and isinstance(task.get("task_id"), str):
            yield task


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _in_order(upstream: Mapping[str, set[str]]) -> list[str]:
    try:
        return list(TopologicalSorter(upstream).static_order())
    except CycleError:
        return list(upstream)
