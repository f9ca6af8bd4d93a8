"""What a notification says of a run, in a text and in HTML; it holds no URL that anybody could watch a video by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ..stored_dataclass import thawed_strictly
from .failure import Failure
from .left_out import kind_of
from .run_summary import Cause, FailedTask, MadeVideo, causes
from .run_task import task_label

MAX_CAUSES, MAX_ROWS = 5, 5
"""How many causes, and rows that were left out, a notification names (ours)."""


@dataclass(frozen=True)
class ToldCause:
    """What went wrong, once for all that it happened to.

    :param headline: how it failed, in which task, and which videos.
    :param message: what happened, and what to do; may have several lines.
    :param log: the address of a failed task's log.
    """

    headline: str
    message: str
    log: str


@dataclass(frozen=True)
class ToldRun:
    """What came of a run, or of one task of it, for whoever is not looking at Airflow (source: ours).

    :param dag_id: the DAG.
    :param run_id: the run.
    :param headline: in one sentence.
    :param page: the address of the run's tab "Videos".
    :param causes: what went wrong, what most videos failed of first.
    :param videos: what was made, without addresses of the service.
    :param left_out: the rows that a person must fix, with ``video`` or ``url``, and ``reason``.
    """

    dag_id: str
    run_id: str
    headline: str
    page: str
    causes: Sequence[ToldCause] = ()
    videos: Sequence[MadeVideo] = ()
    left_out: Sequence[Mapping[str, Any]] = ()

    @property
    def text(self) -> str:
        """All of it as lines of text: what must not be cut off comes first."""
        lines = [f"{self.dag_id}: {self.headline}", f"Videos of the run: {self.page}"]
        for cause in self.causes[:MAX_CAUSES]:
            said = [*cause.message.splitlines(), f"Log: {cause.log}"]
            lines += ["", cause.headline, *(f"    {line}" for line in said)]
        rows = [f"Left out: {_row(item)}" for item in self.left_out[:MAX_ROWS]]
        return "\n".join([*lines, *([""] if rows else []), *rows, *self._more()])

    @property
    def html(self) -> str:
        """The same for an e-mail."""
        parts = [
            f"<p><b>{escape(self.dag_id)}: {escape(self.headline)}</b></p>",
            f'<p><a href="{escape(self.page)}">Videos of the run</a></p>',
        ]
        for cause in self.causes[:MAX_CAUSES]:
            message = "<br>".join(escape(cause.message).splitlines())
            log = f'<a href="{escape(cause.log)}">Log</a>'
            parts.append(f"<p><b>{escape(cause.headline)}</b><br>{message}<br>{log}</p>")
        rows = "".join(f"<li>{escape(_row(item))}</li>" for item in self.left_out[:MAX_ROWS])
        parts += [f"<p>Left out:</p><ul>{rows}</ul>"] if rows else []
        return "\n".join([*parts, *(f"<p>{escape(line)}</p>" for line in self._more())])

    def _more(self) -> list[str]:
        more = max(len(self.causes) - MAX_CAUSES, 0), max(len(self.left_out) - MAX_ROWS, 0)
        said = [
            f"{number} more {what}" for number, what in zip(more, ("causes", "rows"), strict=True) if number
        ]
        return [f"And {' and '.join(said)}: see the log of the summary's task."] if said else []


@dataclass(frozen=True)
class RunAddresses:
    """Where a notification about a run leads to.

    :param dag_id: the DAG.
    :param run_id: the run.
    :param page: the address of the run's tab "Videos".
    :param log: makes the address of the log of a task and map index.
    """

    dag_id: str
    run_id: str
    page: str
    log: Callable[[str, int], str]


def told_run(
    at: RunAddresses,
    ended: str = "",
    summaries: Sequence[Mapping[str, Any]] = (),
    failures: Sequence[Failure] = (),
) -> ToldRun:
    """Put together what is known of a run, or of one task of it (source: ours).

    :param at: where to look.
    :param ended: how it ended, in a sentence; empty where the summaries say all.
    :param summaries: what tasks of ``SummarizeVideosOperator`` returned, perhaps of another release: ``is_summary``.
    :param failures: of tasks, where there is no summary.
    """
    failed = [_failed(failure) for failure in failures]
    failed += [
        item for item in (thawed_strictly(FailedTask, of) for of in _items(summaries, "failures")) if item
    ]
    made = [item for item in (thawed_strictly(MadeVideo, of) for of in _items(summaries, "videos")) if item]
    left_out = [item for item in _items(summaries, "left_out") if isinstance(item, Mapping)]
    return ToldRun(
        at.dag_id,
        at.run_id,
        " ".join(filter(None, [ended, *(summary["headline"] for summary in summaries)])),
        at.page,
        [_cause(cause, at) for cause in causes(failed)],
        [replace(video, share_url=None) for video in made],
        [item for item in left_out if kind_of(item) == "wrong" and _is_readable(item)],
    )


def is_summary(result: Any) -> bool:
    """Whether a value is what ``SummarizeVideosOperator`` returns.

    :param result: a JSON value.
    """
    return isinstance(result, Mapping) and isinstance(result.get("headline"), str)


def _is_readable(item: Mapping[str, Any]) -> bool:
    return all(isinstance(item.get(name, ""), str) for name in ("video", "url", "reason"))


def _failed(failure: Failure) -> FailedTask:
    task, index = failure.task_id, failure.map_index
    label = task_label(task, index)
    return FailedTask.of(failure, task, index, failure.video or label)


def _cause(cause: Cause, at: RunAddresses) -> ToldCause:
    return ToldCause(cause.headline, cause.message, at.log(cause.first.task, cause.first.map_index))


def _items(results: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    lists = [result.get(key) for result in results]
    return [item for items in lists if isinstance(items, list) for item in items]


def _row(item: Mapping[str, Any]) -> str:
    return f"{item.get('video') or item.get('url')}: {item.get('reason')}"
