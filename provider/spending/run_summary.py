"""What came of a run: which videos were made, which were not and why, and how the run ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ..errors import AmbiguousSubmissionError, InvalidRequestError
from ..stored_dataclass import length
from .failure import Failure
from .left_out import in_brackets, kind_of, worst_first
from .likeness import told_alike
from .run_task import FAILED, RunTask, TaskEnd, in_order, task_ends

FailWhen = Literal["none", "any", "never"]
OnLeftOut = Literal["ignore", "fail"]
MAX_LINES = 20
"""How many lines of a kind the text has; the dict has all (ours)."""
MAX_NAMES = 8
"""How many videos are named that failed alike (ours)."""
IN_DOUBT = "in-doubt"
_HOW = {IN_DOUBT: "IN DOUBT", "timed-out": "TIMED OUT", "skipped": "NOT SENT"}
CUT = "..."
"""Ends a message of which its task's result has room for a part only."""
NOT_ASKED = ("skipped", "removed")
"""States of a task that was not to run."""


@dataclass(frozen=True)
class MadeVideo:
    """A video that was made.

    :param video: its name.
    :param place: where it was delivered; None when it stays at the service.
    :param minutes: its length, where the service says it.
    :param share_url: a page that shows it: a capability, for XCom and not for logs.
    """

    video: str
    place: str | None = None
    minutes: float | None = None
    share_url: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class FailedTask:
    """A task that failed, or a video of a task that makes many, and how.

    :param state: ``failed``; of a video also ``in-doubt``, ``skipped`` or ``timed-out``, see ``videos.video_outcome``.
    """

    video: str
    task: str
    map_index: int
    kind: str
    message: str
    status: int | None = None
    code: str | None = None
    state: str = FAILED

    @classmethod
    def of(cls, failure: Failure, task: str, map_index: int, video: str) -> FailedTask:
        """A task that told how it failed.

        :param failure: what it told.
        :param task: its id.
        :param map_index: of the task.
        :param video: what to call what it works on.
        """
        # A registration in doubt is no video in doubt.
        is_in_doubt = failure.video is not None and failure.kind == AmbiguousSubmissionError.__name__
        state = IN_DOUBT if is_in_doubt else FAILED
        return cls(video, task, map_index, failure.kind, failure.message, failure.status, failure.code, state)


@dataclass(frozen=True)
class Cause:
    """What failed alike, told once.

    :param failures: the tasks, or the videos of tasks that make many; at least one.
    """

    failures: Sequence[FailedTask]

    @property
    def first(self) -> FailedTask:
        """The one whose message stands for all."""
        return self.failures[0]

    @property
    def headline(self) -> str:
        """How it failed, where, and which videos."""
        first = self.first
        names = ", ".join(dict.fromkeys(failure.video for failure in self.failures[:MAX_NAMES]))
        more = f" and {len(self.failures) - MAX_NAMES} more" if len(self.failures) > MAX_NAMES else ""
        how = _HOW.get(first.state, FAILED.upper())
        return f"{how} in {first.task} ({len(self.failures)} x {first.kind}): {names}{more}"

    @property
    def message(self) -> str:
        """What happened, and what to do."""
        first = self.first
        log = f"\nThe log of {first.task} has the whole message." if first.message.endswith(CUT) else ""
        return f"{first.message}{log}"


@dataclass(frozen=True)
class RunSummary:
    """What came of a run.

    :param made: the videos.
    :param failed: how many videos were to be made, and were not; those in doubt count too.
    :param skipped: how many were not asked for any more, such as rejected ones.
    :param failures: the tasks that failed, and the videos that failed in tasks that make many.
    :param left_out: what was left out before, as dicts with ``reason`` and ``video`` or ``url``.
    :param dry_run_estimate: of a dry run: the estimate of the plan.
    :param scripts: a sentence on scripts that were not used; empty where all were.
    """

    made: Sequence[MadeVideo]
    failed: int
    skipped: int
    failures: Sequence[FailedTask]
    left_out: Sequence[Mapping[str, Any]]
    dry_run_estimate: Mapping[str, Any] | None = None
    scripts: str = ""

    @property
    def minutes(self) -> float:
        """Minutes of video that were made, where the service said the lengths."""
        return sum(video.minutes or 0.0 for video in self.made)

    @property
    def in_doubt(self) -> int:
        """How many of those that failed may have been submitted."""
        return min(self.failed, sum(failure.state == IN_DOUBT for failure in self.failures))

    @property
    def asked(self) -> int:
        """How many videos the run was asked for: what was left out counts, unless it is another run's."""
        left_out = sum(kind_of(item) != "other" for item in self.left_out)
        return len(self.made) + self.failed + self.skipped + left_out

    def is_failure(self, fail_when: FailWhen, on_left_out: OnLeftOut = "ignore") -> bool:
        """Whether the run ends as failed.

        :param fail_when: ``none``: something failed and no video was made; ``any``: anything failed; ``never``.
        :param on_left_out: ``fail``: the run also fails if something wrong was left out.
        """
        if on_left_out == "fail" and any(kind_of(item) == "wrong" for item in self.left_out):
            return True
        something_failed = bool(self.failures or self.failed)
        if fail_when == "none":
            return something_failed and not self.made
        return something_failed and fail_when == "any"

    def headline(self) -> str:
        """The run in one sentence, and in a second one what is wrong with videos that were made."""
        return " ".join(filter(None, [self._counted(), self.scripts]))

    def _counted(self) -> str:
        out, why = len(self.left_out), in_brackets(self.left_out)
        if self.dry_run_estimate is not None:
            videos, minutes = self.dry_run_estimate.get("videos"), self.dry_run_estimate.get("minutes")
            return (
                f"Dry run: {videos} videos would be made, about {minutes} minutes; {out} left out{why}; "
                "nothing was sent."
            )
        # Each video that failed has one failed task; what failed beyond them never became a video to make.
        more = len(self.failures) - self.failed
        others = f"; {more} other {'task' if more == 1 else 'tasks'} failed" if more > 0 else ""
        doubt = f"{self.in_doubt} in doubt, " if self.in_doubt else ""
        return (
            f"{len(self.made)} of {self.asked} videos were made, {length_in_words(self.minutes)}; "
            f"{self.failed - self.in_doubt} failed, {doubt}{self.skipped} skipped, "
            f"{out} left out before anything was sent{why}{others}."
        )

    def text(self) -> str:
        """The run for a person: what to fix first, then what was made, then what was left out."""
        lines = [self.headline()]
        for cause in causes(self.failures):
            lines += [cause.headline, *(f"    {line}" for line in cause.message.splitlines())]
        lines += _some(f"made: {_made_line(video)}" for video in self.made)
        lines += _some(
            f"left out: {item.get('video') or item.get('url')}: {item.get('reason')}"
            for item in worst_first(self.left_out)
        )
        return "\n".join(lines)

    def to_xcom(self) -> dict[str, Any]:
        """The run as a dict of JSON values."""
        return {
            "headline": self.headline(),
            "made": len(self.made),
            "failed": self.failed,
            "in_doubt": self.in_doubt,
            "skipped": self.skipped,
            "minutes": round(self.minutes, 2),
            "videos": [asdict(video) for video in self.made],
            "failures": [asdict(failure) for failure in self.failures],
            "left_out": [dict(item) for item in self.left_out],
            "dry_run": self.dry_run_estimate is not None,
        }


def summarize(
    ends: Sequence[TaskEnd],
    *,
    left_out: Sequence[Mapping[str, Any]] = (),
    estimate: Mapping[str, Any] | None = None,
    scripts: str = "",
) -> RunSummary:
    """Put together what the tasks of a run tell (source: ours).

    :param ends: of all tasks before the summary.
    :param left_out: what was left out before.
    :param estimate: of the plan.
    :param scripts: a sentence on scripts that were not used, if there is one.
    """
    by_id = {end.task_id: end for end in ends}
    made: list[MadeVideo] = []
    failed = skipped = 0
    for last in ends:
        for map_index, state in sorted(last.states.items()) if last.makes else ():
            if state == "success":
                made.append(_made(last, map_index, by_id))
            elif state in NOT_ASKED:
                skipped += map_index >= 0
            else:
                failed += 1
    failures = []
    for end in ends:
        of_many = _OfMany(end)
        made += of_many.made
        left_out = [*left_out, *of_many.left_out]
        failed += len(of_many.failures)
        failures += of_many.failures
        failures += [
            _failure(end, map_index)
            for map_index, state in sorted(end.states.items())
            if state == FAILED and map_index not in of_many.told
        ]
    is_dry = bool(estimate and estimate.get("dry_run"))
    return RunSummary(
        made,
        failed,
        skipped,
        failures,
        list(left_out),
        estimate if is_dry else None,
        scripts,
    )


def summary_of(tasks: Sequence[RunTask], scripts: str = "") -> RunSummary:
    """Put together what the tasks of a run left (source: ours).

    What was pushed in another shape than ours is passed over: a run whose videos are paid for has its summary.

    :param tasks: all before the summary, in any order.
    :param scripts: as of ``summarize``.
    """
    ordered = in_order(tasks)
    plans = [
        (task.task_id, estimate)
        for task in ordered
        for estimate in task.estimates
        if isinstance(estimate, Mapping)
    ]
    # Of two plans nobody knows which one named the videos.
    plan, estimate = plans[0] if len(plans) == 1 else (None, None)
    return summarize(
        task_ends(ordered, plan, _planned(estimate or {})),
        left_out=[
            item
            for task in ordered
            for items in task.left_out
            if isinstance(items, list)
            for item in items
            if isinstance(item, Mapping)
        ],
        estimate=estimate,
        scripts=scripts,
    )


def _planned(estimate: Mapping[str, Any]) -> list[str]:
    each = estimate.get("each")
    known = [item for item in each if isinstance(item, Mapping)] if isinstance(each, list) else []
    return [str(item.get("video")) for item in known]


def _made(last: TaskEnd, map_index: int, by_id: Mapping[str, TaskEnd]) -> MadeVideo:
    results = [by_id[task_id].results.get(map_index) for task_id in last.makes if task_id in by_id]
    job = next(
        (item for item in reversed(results) if isinstance(item, Mapping) and item.get("video_url")), {}
    )
    result = last.results.get(map_index)
    place = result if isinstance(result, str) and ("/" in result or "\\" in result) else None
    name = last.name(map_index) or (place or "").replace("\\", "/").rpartition("/")[2]
    seconds = length(job.get("duration"))
    return MadeVideo(
        name or last.label(map_index),
        place,
        None if seconds is None else round(seconds / 60, 3),
        job.get("share_url"),
    )


class _OfMany:
    """What a task that makes many videos reports for each; nothing for any other task."""

    def __init__(self, end: TaskEnd) -> None:
        self.made: list[MadeVideo] = []
        self.failures: list[FailedTask] = []
        self.left_out: list[dict[str, str]] = []
        self.told: set[int] = set()
        """The map indexes whose videos say what failed."""
        for map_index, videos in sorted((end.videos or {}).items()):
            for video in videos if isinstance(videos, list) else ():
                if isinstance(video, Mapping) and isinstance(video.get("state"), str):
                    self._take_in(end, map_index, video)

    def _take_in(self, end: TaskEnd, map_index: int, video: Mapping[str, Any]) -> None:
        name, state, minutes = str(video.get("name")), str(video["state"]), length(video.get("minutes"))
        kind, message = str(video.get("error") or state), str(video.get("message") or "")
        if state == "delivered":
            place = video.get("file")
            self.made.append(
                MadeVideo(
                    name,
                    place if isinstance(place, str) else None,
                    None if minutes is None else round(minutes, 3),
                )
            )
        elif (state, kind) == ("skipped", InvalidRequestError.__name__):
            self.left_out.append({"video": name, "reason": message, "kind": "wrong"})
        else:
            self.told.add(map_index)
            self.failures.append(FailedTask(name, end.task_id, map_index, kind, message, state=state))


def _failure(end: TaskEnd, map_index: int) -> FailedTask:
    told = end.failures.get(map_index)
    label = end.label(map_index)
    name = (told.video if told else None) or end.name(map_index) or label
    if told is None:
        return FailedTask(name, end.task_id, map_index, FAILED, f"The log of {label} says why.")
    return FailedTask.of(told, end.task_id, map_index, name)


def causes(failures: Sequence[FailedTask]) -> list[Cause]:
    """Failures of one task and kind together, those with most first, and what was only stopped last (source: ours).

    :param failures: of a run.
    """
    groups: dict[tuple[Any, ...], list[FailedTask]] = {}
    for failure in failures:
        told = failure.code or told_alike(failure.message, failure.video)
        alike = (failure.task, failure.state, failure.kind, failure.status, told)
        groups.setdefault(alike, []).append(failure)
    ordered = sorted(
        groups.values(), key=lambda alike: (alike[0].kind == "SpendingStoppedError", -len(alike))
    )
    return [Cause(alike) for alike in ordered]


def _made_line(video: MadeVideo) -> str:
    length = "" if video.minutes is None else f", {length_in_words(video.minutes, 'min')}"
    return f"{video.video}{length}{f', {video.place}' if video.place else ''}"


def length_in_words(minutes: float, unit: str = "minutes") -> str:
    """Minutes, or seconds where that reads better: most summaries of articles are short (source: ours).

    :param minutes: of video.
    :param unit: how minutes are called.
    """
    seconds = round(minutes * 60)
    return f"{seconds} s" if 0 < seconds < 60 else f"{minutes:.1f} {unit}"


def _some(lines: Any) -> list[str]:
    shown = list(lines)
    more = len(shown) - MAX_LINES
    return shown[:MAX_LINES] + ([f"... and {more} more, in the XCom of this task"] if more > 0 else [])
