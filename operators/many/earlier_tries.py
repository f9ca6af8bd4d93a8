"""What earlier tries of a task left of its videos, and what this try keeps of that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ...provider.errors import InvalidRequestError
from ...provider.submission.stored_records import RECORDS_KEY, frozen, thawed
from ...provider.videos.asked_storyboard import changed_fields
from ...provider.videos.cleared_videos import kept_after_clear, newest_generation
from ...provider.videos.video_outcome import VideoOutcome
from ...provider.videos.video_shards import identity, stage_of
from ..submission.found_answer import found_answer

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...hooks.records.video_records import RecordsOfVideo, VideoRecords
    from ...provider.submission.record import Submission
    from ...provider.submission.task_try import TaskTry
    from ...provider.videos.given_videos import GivenVideo
    from .videos_task import VideosTask

MAX_NAMES = 10
"""How many names of videos the log shows (ours)."""


class EarlierTries:
    """Reads what is recorded of each video.

    :param task: the operator, rendered.
    :param context: the task's context.
    :param records: of the task's videos, open.
    :param task_try: that reads them.
    :param again: identities of the videos that a clear is to make again.
    :param is_resumed: whether the try was deferred.
    """

    def __init__(
        self,
        task: VideosTask,
        context: Context,
        records: VideoRecords,
        task_try: TaskTry,
        *,
        again: Collection[str],
        is_resumed: bool,
    ) -> None:
        self._task = task
        self._context = context
        self._records = records
        self._try = task_try
        self._again = again
        self._is_resumed = is_resumed

    def ended(self, given: Sequence[GivenVideo]) -> list[VideoOutcome]:
        """The videos with nothing left to do: delivered, or ended in this very try.

        :param given: all videos that the task is asked for.
        """
        found, changed = [], []
        for video in given:
            if video.name is None:
                continue
            kept = self._records.of(video.name).outcome or {}
            outcome = VideoOutcome.from_json(video.name, kept, video.metadata)
            if outcome is None or (
                kept.get("generation") != self._try.generation and self._is_again(video.name)
            ):
                continue
            is_of_now = self._is_resumed and kept.get("try") == self._try.number
            if is_of_now or (outcome.is_delivered and not self._is_superseded(video.name, kept)):
                found.append(outcome)
                if outcome.is_delivered and self._has_changed_since(video, kept):
                    changed.append(outcome.name)
        if changed:
            self._task.log.warning(
                "These videos are delivered, and their storyboards have changed since. They stay as they are. To make "
                "them again, and pay for them, name them in make_again= and clear the task: %s",
                shown_names(changed),
            )
        if found and not self._is_resumed:
            self._task.log.info(
                "%d of %d videos were delivered by earlier tries, and stay as they are",
                len(found),
                len(given),
            )
        return found

    def stages(self, name: str) -> tuple[str, str]:
        """The keys of the records of a video's storyboard and render.

        :param name: of the video.
        """
        shard = self._records.shard_of(name)
        return stage_of(shard, name, "storyboard"), stage_of(shard, name, "render")

    def carry_over(self, video: GivenVideo, name: str) -> None:
        """After a clear of the task, keep the jobs that a video has.

        :param video: that is asked for.
        :param name: of the video.
        """
        records, generation = self._records.of(name), self._try.generation
        stored = records.get(RECORDS_KEY)
        if stored is None or self._is_again(name):
            return
        found = thawed(stored, self.stages(name), generation)
        # An answer belongs to the generation in which its submission began.
        known = {
            stage: self._answered(records, stage, record) if record.generation != generation else record
            for stage, record in found.items()
        }
        outcome = records.outcome or {}
        told = outcome.get("try") if outcome.get("state") == "in-doubt" else None
        kept = kept_after_clear(
            known,
            generation,
            self._task.clock(),
            told_in_try=told,
            has_changed=lambda sent: self._is_corrected(video, sent),
        )
        if kept != found:
            records.carry_over(frozen(kept))

    def _is_again(self, name: str) -> bool:
        return identity(name) in self._again

    def _is_superseded(self, name: str, outcome: Mapping[str, object]) -> bool:
        """Whether the video was submitted again after this result, because a clear asked for another one."""
        generation = outcome.get("generation")
        return type(generation) is int and newest_generation(self._submitted(name)) > generation

    def _has_changed_since(self, video: GivenVideo, outcome: Mapping[str, object]) -> bool:
        """Whether a delivered video has another storyboard after a clear of the task."""
        if self._is_resumed or video.name is None or outcome.get("generation") == self._try.generation:
            return False
        sent = self._submitted(video.name).get(self.stages(video.name)[0])
        return sent is not None and bool(self._changed_fields(video, sent))

    def _submitted(self, name: str) -> Mapping[str, Submission]:
        """The records of a video's submissions, by stage."""
        return thawed(self._records.of(name).get(RECORDS_KEY), self.stages(name), self._try.generation)

    def _is_corrected(self, video: GivenVideo, sent: Submission) -> bool:
        changed = self._changed_fields(video, sent)
        if changed:
            self._task.log.warning(
                "Video %r: its storyboard has changed since its render failed (%s). It is submitted and paid for again",
                *(video.name, ", ".join(changed)),
            )
        return bool(changed)

    def _changed_fields(self, video: GivenVideo, sent: Submission) -> list[str]:
        try:
            body = self._task.hook.storyboard_request(video.storyboard).body
        except InvalidRequestError:
            return []
        return changed_fields(video.name or "", body, sent)

    def _answered(self, records: RecordsOfVideo, stage: str, record: Submission) -> Submission:
        """A record; an intent gets the job that a callback or a replaced try has named."""
        if record.state != "intent":
            return record
        answer = found_answer(records.get, self._context.get("ti"), stage, record, self._task.log)
        return answer.record if answer else record


def shown_names(names: Sequence[str]) -> str:
    """Names of videos for the log, which need not list a whole night.

    :param names: names of any number of videos.
    """
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"{', '.join(names[:MAX_NAMES])}{more}"
