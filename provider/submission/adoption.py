"""A job that a person found at the service, and the line in a DAG that makes a task resume it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import ConfigurationError
from ..rendered_text import is_nothing

JOB_ID = "JOB_ID"
"""The placeholder in a line for an id that is not known yet."""
MAP_INDEX = "MAP_INDEX"
"""The placeholder in a line for a map index that is not known."""


@dataclass(frozen=True)
class Made:
    """A job that the same task has made before another one.

    :param what: for messages, such as ``storyboard``.
    :param argument: what takes its id.
    :param job_id: its id.
    """

    what: str
    argument: str
    job_id: str


@dataclass(frozen=True)
class Adoption:
    """A job that a person found at the service after a submission in doubt.

    :param job_id: its id, None for none.
    :param argument: what takes the id, for messages; None where nothing does.
    :param is_literal: whether the id is fixed in the DAG, and so applies to every later run too.
    :param run_id: of the task, for the line that adopts a job in this run alone.
    :param map_index: of the task, -1 for one that is not mapped.
    :param made_before: what the same task has made and paid for before this job; None for nothing.
    :param video: the video's name in a task that makes many, where the argument is a dict by name; None for one video.
    :raises ConfigurationError: the id is the placeholder of a line that was pasted.
    """

    job_id: str | None = None
    argument: str | None = None
    is_literal: bool = False
    run_id: str = "RUN_ID"
    map_index: int = -1
    made_before: Made | None = None
    video: str | None = None

    def __post_init__(self) -> None:
        given = self.job_id.get("job_id") if isinstance(self.job_id, Mapping) else self.job_id
        text = str(given).strip()
        if text == JOB_ID:
            raise ConfigurationError(
                f"{self.argument}={self._of_video} still contains the placeholder {JOB_ID}: replace it with the id of "
                "the job at the service. Nothing was sent."
            )
        object.__setattr__(self, "job_id", None if is_nothing(text) else text)

    def line(self, job_id: str = JOB_ID, map_index: int | str | None = None) -> str:
        """The argument to paste into the DAG: adopts a job in this run alone, and no job in any other.

        :param job_id: of the job.
        :param map_index: of the task that adopts it; this task's own when None.
        """
        index = self.map_index if map_index is None else map_index
        is_mapped = isinstance(index, str) or index >= 0
        of_task, sought = (
            (f"({self.run_id!r}, {index})", "(run_id, ti.map_index)")
            if is_mapped
            else (repr(self.run_id), "run_id")
        )
        template = f"{{{{ {{{of_task}: {job_id!r}}}.get({sought}) }}}}"
        # In double quotes, where it may: the template itself has single ones.
        value = repr(template) if self.video is None else f"{{{self.video!r}: {template!r}}}"
        return f"{self.argument}={value}"

    def lines(self, job_id: str = JOB_ID) -> str:
        """``line``, with the one that keeps what this task has made before: a clear forgets that too.

        :param job_id: of the job.
        """
        kept = self._kept()
        return f"{self.line(job_id)} and {kept}" if kept else self.line(job_id)

    def how_to_go_on(self, *, keeps_records: bool = True) -> str:
        """What to do about a submission in doubt, for messages.

        :param keeps_records: whether something outlives the task's tries that tells what it submitted.
        """
        return " ".join(
            part for part in (self._settled(), self.of_others(keeps_records=keeps_records)) if part
        )

    def of_others(self, *, keeps_records: bool = True) -> str:
        """What a clear means for the other videos of the task; empty where there are none.

        :param keeps_records: as of ``how_to_go_on``.
        """
        if self.video is None:
            return ""
        if keeps_records:
            return "Clearing keeps the task's other videos that are delivered or under way."
        return "Clearing also makes, and pays for, all other videos of this task again."

    def _settled(self) -> str:
        again = "again" if self.video is None else "it again"
        if self.argument is None:
            return f"If it made what was asked for, use that; if not, clear this task to submit {again}."
        found = (
            f"If the job is there, put its id into the DAG for this run alone, as {self.lines()}, and clear this "
            "task"
        )
        kept = self._kept()
        if kept is None or self.made_before is None:
            return f"{found}; if it is not, clear this task to submit {again}.{self._one_dict()}"
        return (
            f"{found}. If it is not, put {kept} into the DAG and clear this task to submit it again: without that line "
            f"the {self.made_before.what} is paid for again, too.{self._one_dict()}"
        )

    def _one_dict(self) -> str:
        if self.video is None:
            return ""
        return f" If {self.argument}= is already set, add the video to it."

    @property
    def _of_video(self) -> str:
        return "" if self.video is None else f" for video {self.video!r}"

    def _kept(self) -> str | None:
        made = self.made_before
        return None if made is None else replace(self, argument=made.argument).line(made.job_id)

    def why_attached(self) -> str:
        """What the log says about the adoption; it warns of a literal id."""
        why = f"Continuing with job {self.job_id}, given by {self.argument}{self._of_video}; nothing is sent"
        if not self.is_literal:
            return why
        return (
            f"{why}. The id is fixed in the DAG: every later run adopts this job{self._of_video} too, and makes "
            f"no video of its own. Remove it afterwards, or write {self.line(self.job_id or JOB_ID)}"
        )


NO_ADOPTION = Adoption()
