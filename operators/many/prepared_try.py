"""Matches the videos that a task is asked for with what earlier tries left of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ...hooks.connection import read_profile
from ...hooks.delivery.manifest import Manifest
from ...hooks.delivery.own_folder import own_name
from ...hooks.delivery.place import place_of, require_writable
from ...hooks.records.task_store import task_store
from ...hooks.records.video_records import VideoRecords
from ...provider.errors import (
    InvalidRequestError,
    JobDeadlinePassedError,
    Problem,
    SpendingStoppedError,
    VideoCreationError,
)
from ...provider.message_lines import in_lines
from ...provider.submission.adoption import Adoption
from ...provider.videos.given_videos import (
    GivenVideo,
    adopted_jobs,
    given_videos,
    names_of,
    problems_in,
    require_none,
    require_own_names,
)
from ...provider.videos.video_outcome import VideoOutcome, message_of
from ...provider.videos.video_shards import identity
from ...provider.videos.videos_report import WORDS
from ...provider.waiting.request_budget import RequestBudget
from ..base.delivery_order import (
    check_folder,
    check_manifest,
    checked_metadata,
    delivery_order,
    destination_of,
    require_own_place,
    warn_of_odd_names,
)
from ..base.job_cancelling import cancel_job
from ..submission.submissions import Submissions
from ..submission.this_try import this_try
from .brake import Brake
from .earlier_tries import MAX_NAMES, EarlierTries, shown_names
from .inbox import Inbox
from .job_ends import JobEnds
from .manifest_file import ManifestFile
from .video_log import VideoLog
from .video_making import SharedByVideos, VideoMaking
from .videos_runner import VideosRunner

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...hooks.delivery.order import Order
    from ...provider.connection.profile import ServiceProfile
    from .videos_task import VideosTask


class PreparedTry:
    """Prepares what a try of the task has to do.

    :param task: the rendered operator.
    :param context: the task's context.
    :param ends: events from a trigger, by job.
    :param is_resumed: whether the task was deferred.
    :raises ConfigurationError: an argument is wrong; nothing was sent.
    :raises InvalidRequestError: two storyboards have the same name; nothing was sent.
    """

    def __init__(
        self,
        task: VideosTask,
        context: Context,
        ends: Mapping[str, Mapping[str, Any]],
        *,
        is_resumed: bool,
    ) -> None:
        self._task = task
        self._context = context
        self._ends = ends
        self._is_resumed = is_resumed
        self._folder = check_folder(task.destination, task.task_id)
        manifest = None if task.manifest is None else check_manifest(task.manifest, task.task_id)
        given = task.storyboards
        if not isinstance(given, str | Mapping) and hasattr(given, "__getitem__"):
            # The results of mapped tasks are read at once.
            given = list(given[:])
        task.asked_for = given
        self._given = given_videos(given, task.task_id)
        require_own_names(self._given, task.task_id)
        for video in self._given:
            checked_metadata(video.metadata, task.task_id, where=f" at {video.label}")
        store = task_store(context)
        self._try = this_try(context, task.on_ambiguous, keeps_records=store is not None)
        self._inbox = Inbox()
        self._records = VideoRecords(store, self._inbox.ask, lambda: self._inbox.put(lambda: None))
        self._brake = Brake(task.stop_after)
        names = [video.name for video in self._given if video.name]
        if manifest:
            require_own_place(manifest, self._folder, names, task.task_id)
        self._adopted = {
            kind: adopted_jobs(
                getattr(task, f"adopt_{kind}_job_ids"), f"adopt_{kind}_job_ids", names, task.task_id
            )
            for kind in ("storyboard", "render")
        }
        again = {identity(name) for name in names_of(task.make_again, "make_again", task.task_id)}
        unknown = sorted(again - set(map(identity, names)))
        if unknown and not is_resumed:
            task.log.warning(
                "make_again= names videos that are not in storyboards=, and has no effect on them: %s",
                shown_names(unknown),
            )
        self._earlier = EarlierTries(
            task, context, self._records, self._try, again=again, is_resumed=is_resumed
        )
        self._own = own = own_name(context)
        # Opened here: before anything is paid, and in the thread that may read an Airflow connection.
        place_of(destination_of(self._folder, "video"), own, task.task_id)
        self._manifest = ManifestFile(
            Manifest(manifest, own, task.task_id) if manifest else None, task.clock, task.log
        )
        self._unsent_told = 0

    def runner(self) -> VideosRunner:
        """All videos, ready to be made.

        :raises InvalidRequestError: storyboards are wrong; nothing was sent.
        :raises SubmissionRecordError: the store cannot be read; nothing was sent.
        """
        task = self._task
        self._leave_alone(self._records.open([video.name for video in self._given if video.name]))
        if not self._is_resumed:
            warn_of_odd_names(self._folder, task.task_id, task.log)
        shared = SharedByVideos(
            context=self._context,
            hook=task.hook,
            log=task.log,
            clock=task.clock,
            sleep=task.sleep,
            timeout=task.timeout,
            poll_interval=task.poll_interval,
            brake=self._brake,
            order_for=self._order_for,
            cancel_if_given_up=self._cancel_if_given_up,
        )
        ended = self._earlier.ended(self._given)
        done = {identity(outcome.name) for outcome in ended}
        makings, wrong = [], []
        for video in self._given:
            if video.name is not None and identity(video.name) in done:
                continue
            try:
                makings.append(self._making(video, shared))
            except InvalidRequestError as error:
                wrong.append((video, error))
        if wrong and task.on_invalid == "fail":
            problems = [problem for video, error in wrong for problem in problems_in(video.label, error)]
            require_none(problems, task.task_id)
        left_out = [self._left_out(video, error) for video, error in wrong]
        for (video, _), outcome in zip(wrong, left_out, strict=True):
            if video.name is not None:
                self._records.of(video.name).keep_outcome_later(outcome.to_json(self._try))
        if self._given and not done and not any(making.has_job for making in makings):
            # Nothing is paid yet: if the record cannot be written, the task stops now.
            require_writable(destination_of(self._folder, "video"), self._own, task.task_id)
            self._manifest.try_out()
        for outcome in ended:
            self._brake.take_in(outcome)
        if self._is_resumed:
            self._brake.restore(self._records.brake, self._try)
        if task.deferrable and not self._records.outlive_the_try:
            task.log.warning(
                "This Airflow keeps no record between tries without [video_creation] record_folder "
                "(docs/operate/record-folder.md), so the task waits on its worker"
            )
        # Jobs that are already under way at the service count first.
        makings.sort(key=lambda making: not making.has_job)
        return VideosRunner(
            makings,
            [*ended, *left_out],
            self._records,
            self._inbox,
            self._brake,
            RequestBudget(task.hook.profile.requests_per_minute),
            max_active=task.max_active,
            ends=self._ends,
            seconds_to_stop=task.hook.profile.total_timeout,
            leave_after=task.leave_after if task.deferrable and self._records.outlive_the_try else None,
            task_try=self._try,
            state_when_invalid="skipped" if task.on_invalid == "skip" else "failed",
            job_ends=lambda ended: JobEnds(
                task.video_creation_conn_id, task.user_id, self._read_connection, ended, task.log
            ),
            told=self._told,
            clock=task.clock,
            log=task.log,
        )

    def outcomes(self, runner: VideosRunner) -> list[VideoOutcome]:
        """The outcomes of the videos that have ended, in the order of the list; the manifest has them too.

        :param runner: that has run.
        :raises TryReplacedError: Airflow no longer accepts anything from this try.
        """
        if runner.replaced:
            raise runner.replaced
        by_name = {identity(outcome.name): outcome for outcome in runner.outcomes}
        found = [by_name.get(identity(video.name or video.label)) for video in self._given]
        ended = [outcome for outcome in found if outcome]
        if self._given:
            self._manifest.finish(ended)
        return ended

    def keep_brake(self) -> None:
        """Keep what stops submissions, for when the deferred task resumes."""
        try:
            self._records.keep_brake(self._brake.to_json(self._try))
        except Exception as error:
            self._task.log.warning("This try has stopped sending, but that could not be recorded: %s", error)

    def _making(self, video: GivenVideo, shared: SharedByVideos) -> VideoMaking:
        task, name = self._task, video.name
        if name is None:
            # A storyboard without a name is wrong, and this says why.
            task.hook.storyboard_request(video.storyboard)
            raise InvalidRequestError("storyboard", [Problem("videoName", "", "is required")])
        records = self._records.of(name)
        stages = self._earlier.stages(name)
        self._earlier.carry_over(video, name)
        submissions = Submissions(
            self._context,
            VideoLog(task.log, name),
            store=records if self._records.outlive_the_try else None,
            stages=stages,
            on_ambiguous=task.on_ambiguous,
            is_resumed=self._is_resumed,
            clock=task.clock,
            sleep=task.sleep,
        )
        making = VideoMaking(
            video,
            shared,
            submissions,
            records,
            stages=stages,
            adopted={kind: self._adoption(kind, name) for kind in ("storyboard", "render")},
        )
        # Once a night: a worker that only resumes checks what it sends when it sends it.
        if not self._is_resumed and not making.has_job:
            making.check()
        return making

    def _adoption(self, kind: str, name: str) -> Adoption:
        argument = f"adopt_{kind}_job_ids"
        adoption = self._task.adoption(argument, self._context)
        return replace(adoption, job_id=self._adopted[kind].get(identity(name)), video=name)

    def _order_for(self, job_id: str, video: GivenVideo) -> Order:
        task = self._task
        return delivery_order(
            self._context,
            task_id=task.task_id,
            job_id=job_id,
            destination=self._folder,
            video_name=video.name,
            subtitles=task.subtitles,
            thumbnail=task.thumbnail,
            sidecar=task.sidecar,
            metadata=video.metadata,
        )

    def _cancel_if_given_up(self, job_id: str, error: VideoCreationError) -> bool:
        task = self._task
        if not isinstance(error, JobDeadlinePassedError) or not task.cancel_on_timeout:
            return False
        return cancel_job(task.hook, job_id, "its video timed out", task.log)

    def _left_out(self, video: GivenVideo, error: InvalidRequestError) -> VideoOutcome:
        return VideoOutcome(
            video.name or video.label,
            "skipped",
            error=type(error).__name__,
            message=message_of(error),
            metadata=video.metadata,
        )

    def _leave_alone(self, gone: list[str]) -> None:
        if gone and not self._is_resumed:
            self._task.log.warning(
                "Videos of earlier tries are no longer in the list, and are left alone. What was submitted for them "
                "is paid for: %s",
                shown_names(gone),
            )

    def _read_connection(self, conn_id: str) -> ServiceProfile:
        """For a waiting thread; only the main thread asks Airflow."""
        return cast("ServiceProfile", self._inbox.ask(lambda: read_profile(conn_id)))

    def _told(self, outcome: VideoOutcome) -> None:
        if outcome.error == SpendingStoppedError.__name__:
            self._unsent_told += 1
            if self._unsent_told == MAX_NAMES:
                self._task.log.warning("More videos ended like this: the end of this log counts them")
        if not outcome.is_delivered and self._unsent_told < MAX_NAMES:
            # Most messages already begin with the name.
            said = (outcome.message or "").removeprefix(f"Video {outcome.name!r}: ")
            self._task.log.warning("%s", in_lines(f"Video {outcome.name!r}: {WORDS[outcome.state]}. {said}"))
        if runner := self._task.under_way:
            self._manifest.show(runner.outcomes)
