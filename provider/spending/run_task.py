"""What the tasks of a run left behind, and how each of them ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any

from .failure import Failure

FAILED = "failed"


@dataclass(frozen=True)
class RunTask:
    """What one task of the run left.

    :param task_id: of the task.
    :param upstream: the tasks directly before it.
    :param states: map index -> state; -1 for a task that is not mapped.
    :param makes_videos: whether a video, or a step towards it, comes out of it.
    :param is_mapped: whether it, or a group that it is in, is mapped.
    :param results: what those map indexes returned that returned something, in their order.
    :param failures: how its map indexes failed, where they told.
    :param left_out: what it left out, as it pushed it.
    :param estimates: of a plan, as it pushed them.
    :param videos: of a task that makes many, map index -> what it returned, where it did; None for any other task.
    """

    task_id: str
    upstream: AbstractSet[str] = frozenset()
    states: Mapping[int, str | None] = field(default_factory=dict)
    makes_videos: bool = False
    is_mapped: bool = False
    results: Sequence[Any] = ()
    failures: Sequence[Failure] = ()
    left_out: Sequence[Any] = ()
    estimates: Sequence[Any] = ()
    videos: Mapping[int, Any] | None = None


@dataclass(frozen=True)
class TaskEnd:
    """How one task of the run ended.

    :param task_id: of the task.
    :param states: map index -> state; -1 for a task that is not mapped.
    :param results: map index -> what it returned, where that is known.
    :param failures: map index -> how it failed, where it told.
    :param makes: the tasks of one video from its first to this one, when this is the video's last; else empty.
    :param names: of the videos, by map index, where they are known.
    :param videos: of a task that makes many, as ``RunTask`` has them.
    """

    task_id: str
    states: Mapping[int, str | None]
    results: Mapping[int, Any] = field(default_factory=dict)
    failures: Mapping[int, Failure] = field(default_factory=dict)
    makes: tuple[str, ...] = ()
    names: Sequence[str] = ()
    videos: Mapping[int, Any] | None = None

    def name(self, map_index: int) -> str | None:
        """The name of the video of a map index, None when it is not known."""
        return self.names[map_index] if 0 <= map_index < len(self.names) else None

    def label(self, map_index: int) -> str:
        """One map index of the task, for a person."""
        return task_label(self.task_id, map_index)


def task_label(task_id: str, map_index: int) -> str:
    """A task instance, for a person (source: ours).

    :param task_id: of the task.
    :param map_index: -1 for one that is not mapped.
    """
    return task_id if map_index < 0 else f"{task_id}[{map_index}]"


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


def in_order(tasks: Sequence[RunTask]) -> list[RunTask]:
    """The tasks, each behind those that it depends on.

    :param tasks: of one run, in any order.
    """
    by_id = {task.task_id: task for task in sorted(tasks, key=lambda task: task.task_id)}
    graph = {task_id: sorted(task.upstream & by_id.keys()) for task_id, task in by_id.items()}
    return [by_id[task_id] for task_id in TopologicalSorter(graph).static_order()]


def task_ends(
    ordered: Sequence[RunTask], plan: str | None = None, planned: Sequence[str] = ()
) -> list[TaskEnd]:
    """How the tasks ended, and which of them are the last of their videos.

    :param ordered: each behind those that it depends on.
    :param plan: the task that decided which videos to make.
    :param planned: their names.
    """
    before: dict[str, set[str]] = {}
    for task in ordered:
        direct = task.upstream & before.keys()
        before[task.task_id] = direct.union(*(before[task_id] for task_id in direct))
    makers = [task.task_id for task in ordered if task.makes_videos]
    ends = []
    for task in ordered:
        is_last = task.makes_videos and not any(task.task_id in before[maker] for maker in makers)
        chain = [maker for maker in makers if maker in before[task.task_id]]
        states = _known_states(task)
        # Only tasks that are mapped over the whole plan have its indexes.
        is_named = (
            task.videos is None and plan in before[task.task_id] and states.keys() == set(range(len(planned)))
        )
        ends.append(
            TaskEnd(
                task.task_id,
                states,
                _results(task),
                {failure.map_index: failure for failure in task.failures},
                (*chain, task.task_id) if is_last else (),
                planned if is_named else (),
                task.videos,
            )
        )
    return ends


def _known_states(task: RunTask) -> Mapping[int, str | None]:
    """Without that of a mapped task of which it was never known how many there would be."""
    is_unknown = task.makes_videos and task.is_mapped and task.states.keys() == {-1}
    return {} if is_unknown and task.states[-1] != FAILED else task.states


def _results(task: RunTask) -> dict[int, Any]:
    done = [index for index, state in sorted(task.states.items()) if state == "success"]
    # XCom tells no map indexes: what is incomplete cannot be told apart.
    return dict(zip(done, task.results, strict=True)) if len(done) == len(task.results) else {}
