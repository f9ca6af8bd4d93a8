"""Makes many videos of storyboards in one task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from airflow.providers.common.compat.sdk import AirflowSkipException, AirflowTaskTimeout, BaseOperator

from ..hooks.airflow.errors import airflow_error, airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.template import is_template
from ..provider.errors import ExecutionTimeoutError, InvalidRequestError, VideosFailedError
from ..provider.message_lines import in_lines
from ..provider.spending.given_name import given_name
from ..provider.waiting.time_limits import seconds
from .base.fixed_words import FixedWordsMixin
from .base.job import BaseJobOperator
from .base.lineage import backgrounds, stored
from .base.strict_argument import whole_number

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseOperatorLink, Context, ObjectStoragePath, XComArg

    from ..provider.delivery.dataset_name import DatasetName
    from ..provider.videos.video_outcome import VideoOutcome
    from .many.videos_runner import VideosRunner

EVENT_VERSION = 1
"""The version of an asset event's extra; raised by any change that readers would notice (ours)."""
OnInvalid = Literal["fail", "skip"]
OnFailure = Literal["fail", "skip", "succeed"]


class CreateVideosOperator(FixedWordsMixin, BaseJobOperator):
    """Makes a video of each storyboard of a list in one task, and delivers them (source: ours).

    Each video goes through its steps by itself (storyboard, wait, render, wait, deliver), and a slow one does not hold
    up the others. All storyboards are checked before the first is paid for. A retry recognizes each video by its name:
    it repeats nothing that is delivered, waits for what is under way, and submits what failed or is new in the list. A
    clear does the same, and also submits again what is in doubt. To make everything again, start another run.
    docs/recipes/one-task-or-many.md says when to take one task for all, one for each chunk, or a task group for each
    video.

    Below Airflow 3.3, set ``[video_creation] record_folder``: without it the task waits on its worker, and a retry
    fails as in doubt.

    The result is a list with a dict for each video: ``name``, ``state`` (``delivered``, ``failed``, ``in-doubt``,
    ``skipped``, ``timed-out``), ``storyboard_job_id``, ``render_job_id``, ``file``, ``minutes``, ``error``,
    ``message``; at most 300 bytes each. A longer one has its message cut, and then loses its job ids; ``file`` is never
    cut. The manifest has all of it, and the metadata. Each asset among ``outlets`` gets an event whose extra holds
    ``folder``, ``manifest``, ``delivered`` and ``videos``, so that a DAG scheduled on it can publish.

    :param storyboards: a list of models, of dicts with wire names, or of JSON or YAML texts; or of pairs of one of
        these and a dict of metadata for the sidecar; or what another task returned. Each needs a different videoName.
        Templated.
    :param destination: a folder, as a path or a URL for ObjectStoragePath, that ends with a slash: each file is named
        after its video. Templated.
    :param max_active: how many videos may have a job at the service at the same time.
    :param wake_after: how many seconds after the first job's end the triggerer gathers more ended jobs, before it wakes
        a worker.
    :param on_invalid: what to do when a storyboard is wrong: ``fail`` before anything is paid for, or ``skip`` it.
    :param on_failure: what to do when a video is not delivered, after all have ended: ``fail``, ``skip`` the task, or
        let it ``succeed``.
    :param manifest: a file, as a path or a URL, that holds a line of JSON for each video, and is rewritten as videos
        end. Default: none. Templated.
    :param subtitles: as in ``DownloadVideoOperator``.
    :param thumbnail: as in ``DownloadVideoOperator``.
    :param sidecar: as in ``DownloadVideoOperator``.
    :param deferrable: leave waits to the triggerer, once a worker has had nothing else to do for 15 s; default from
        ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls. Default: a schedule that learns from the connection's jobs
        (docs/measured/polling.md).
    :param timeout: how many seconds to wait for each video, default 2 hours, counted from its own submission. A render
        that is sent after that time gets the same time again.
    :param on_ambiguous: what a retry does with a video that an earlier try may have submitted: ``fail``, or
        ``resubmit`` and perhaps pay twice.
    :param stop_after: stop sending once this many videos have failed for a cause that they all share. None: never stop.
    :param cancel_on_kill: cancel the jobs when a person stops or clears the task, or Airflow stops its worker. These
        jobs are then lost: to make their videos, name them in ``make_again`` and clear the task. Default: the jobs
        continue, and a retry or a clear waits for them.
    :param cancel_on_timeout: cancel a job when its video's ``timeout`` is over.
    :param make_again: names of videos that clearing the task submits and pays for again, even if they are delivered or
        under way. Default: none. Templated.
    :param adopt_storyboard_job_ids: a dict from video names to storyboard jobs that were found at the service after a
        submission in doubt. Templated.
    :param adopt_render_job_ids: the same for render jobs. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the result of each video, in the order of the list.
    :raises ConfigurationError: an argument is wrong; nothing was sent.
    :raises InvalidRequestError: storyboards are wrong, or two have the same name; nothing was sent.
    :raises VideosFailedError: some videos are not delivered; the others are.
    """

    template_fields: Sequence[str] = (
        *("storyboards", "destination", "manifest"),
        *("make_again", "adopt_storyboard_job_ids", "adopt_render_job_ids"),
        *BaseJobOperator.template_fields,
    )
    template_fields_renderers = {"storyboards": "json"}  # noqa: RUF012 - Airflow declares it this way
    fixed_words = {"on_invalid": OnInvalid, "on_failure": OnFailure}  # noqa: RUF012 - as Airflow declares such
    operator_extra_links: Collection[BaseOperatorLink] = ()
    adopt_storyboard_job_ids: Mapping[str, str | None] | None
    adopt_render_job_ids: Mapping[str, str | None] | None
    leave_after = 15.0
    """How many seconds without an ended job, or anything to do, before a worker leaves its waits to the triggerer
    (ours)."""

    def __init__(
        self,
        *,
        storyboards: XComArg | Sequence[Any],
        destination: str | ObjectStoragePath,
        max_active: int = 50,
        wake_after: float | timedelta = 60.0,
        on_invalid: OnInvalid = "fail",
        on_failure: OnFailure = "fail",
        manifest: str | ObjectStoragePath | None = None,
        subtitles: Sequence[Literal["srt", "vtt"]] | Literal["srt", "vtt"] = (),
        thumbnail: bool = False,
        sidecar: bool = False,
        make_again: Sequence[str] | str = (),
        adopt_storyboard_job_ids: Mapping[str, str | None] | None = None,
        adopt_render_job_ids: Mapping[str, str | None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboards: Any = self.with_dicts(storyboards)
        self.destination = destination
        self.on_invalid = on_invalid
        self.on_failure = on_failure
        self.manifest = manifest
        self.make_again = make_again
        self.thumbnail = thumbnail
        self.sidecar = sidecar
        self.take_adoptions(
            adopt_storyboard_job_ids=adopt_storyboard_job_ids, adopt_render_job_ids=adopt_render_job_ids
        )
        self.under_way: VideosRunner | None = None
        self.asked_for: Any = ()
        """The storyboards as they were read: lineage is reported from a process that must not ask Airflow for them."""
        self._delivered: list[str | None] = []
        from .base.delivery_order import check_subtitles

        with airflow_errors():
            if on_invalid == "fail":
                self._check_what_stands_in_the_dag()
            self.max_active = whole_number(self.task_id, "max_active", max_active)
            self.wake_after = seconds(wake_after, "wake_after", self.task_id)
            self.subtitles = check_subtitles(subtitles, self.task_id)
            self.require_fixed_words()

    def _check_what_stands_in_the_dag(self) -> None:
        """Check storyboards without templates while the DAG is parsed."""
        if not isinstance(self.storyboards, list | tuple):
            return
        from ..provider.spending.given_storyboard import storyboard_and_metadata
        from ..provider.videos.given_videos import GivenVideo, problems_in, require_none

        for index, item in enumerate(self.storyboards):
            storyboard, _ = storyboard_and_metadata(item)
            if not isinstance(storyboard, Mapping) or "scenes" not in storyboard or is_template(storyboard):
                continue
            from ..provider.models import Storyboard

            try:
                Storyboard.read(storyboard)
            except InvalidRequestError as error:
                video = GivenVideo(index, given_name(storyboard), storyboard)
                require_none(problems_in(video.label, error), self.task_id)

    @telling_failures
    def execute(self, context: Context) -> list[dict[str, Any]]:
        """Make all videos, or those that earlier tries left undone."""
        return self.make(context)

    def make(self, context: Context) -> list[dict[str, Any]]:
        """What ``execute`` does, for a subclass that makes the storyboards first.

        :param context: the task's context.
        :return: as ``execute``.
        """
        return self._make(context, {}, is_resumed=False)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> list[dict[str, Any]]:
        """Resume the videos whose jobs have ended."""
        from ..provider.waiting.wait_event import ends_of

        return self._make(context, ends_of(event), is_resumed=True)

    @telling_failures
    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Resume after the deferral; say so if the try's time was over before the waits'.

        :raises ExecutionTimeoutError: the try's execution_timeout is over.
        """
        from ..triggers.deferral import TaskDeferralTimeout

        with airflow_errors():
            try:
                return BaseOperator.resume_execution(self, next_method, next_kwargs, context)
            except TaskDeferralTimeout as error:
                raise self._out_of_try_time() from error

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The backgrounds of all scenes."""
        from ..provider.spending.given_storyboard import storyboard_and_metadata

        given = self.asked_for if isinstance(self.asked_for, list | tuple) else ()
        storyboards = (storyboard_and_metadata(item)[0] for item in given)
        return [dataset for storyboard in storyboards for dataset in backgrounds(storyboard)]

    def datasets_made(self) -> Iterable[DatasetName | None]:
        """The videos."""
        return stored(self._delivered)

    def on_kill(self) -> None:
        """Send nothing more; cancel the jobs if asked to, otherwise say that they continue."""
        runner = self.under_way
        if runner is None:
            return
        # A plain flag: a signal handler must not take a lock.
        runner.sends_nothing = True
        if not runner.jobs_under_way:
            return
        if self.cancel_on_kill:
            from .base.job_cancelling import cancel_jobs_on_kill

            cancel_jobs_on_kill(self.hook, runner.jobs_under_way, "its task was stopped", self.log)
        else:
            self.log.warning(
                "This task was stopped. %d jobs continue at the service, and a retry or a clear waits for them",
                len(runner.jobs_under_way),
            )

    def _make(
        self, context: Context, ends: Mapping[str, Mapping[str, Any]], *, is_resumed: bool
    ) -> list[dict[str, Any]]:
        from ..provider.videos.videos_report import headline
        from ..triggers.deferral import defer_until_some_ended
        from .many.prepared_try import PreparedTry

        with airflow_errors():
            try:
                prepared = PreparedTry(self, context, ends, is_resumed=is_resumed)
                self.under_way = runner = prepared.runner()
                left = runner.run()
            except AirflowTaskTimeout as error:
                if self.under_way:
                    self._push(context, prepared.outcomes(self.under_way))
                raise self._out_of_try_time() from error
            outcomes = prepared.outcomes(runner)
            self._delivered = [outcome.file for outcome in outcomes if outcome.is_delivered]
            if runner.sends_nothing and runner.left_undone:
                self._push(context, outcomes)
                raise airflow_error(
                    VideosFailedError(
                        f"Task {self.task_id!r} was told to stop. {headline(outcomes)} {runner.left_undone} videos are "
                        "left. Their jobs continue at the service. A retry or a clear resumes them, and does not pay "
                        "for these jobs again."
                    ),
                    retryable=True,
                )
            if left:
                prepared.keep_brake()
                defer_until_some_ended(
                    self,
                    [need.wait for need in left],
                    then="execute_complete",
                    timeout=self._try_left(context),
                    poll_interval=self.poll_interval,
                    wake_after=self.wake_after,
                    webhooks={need.wait.job_id for need in left if need.webhook},
                    cancel_on_kill=self.cancel_on_kill is True,
                )
            return self._result(context, outcomes)

    def _result(self, context: Context, outcomes: Sequence[VideoOutcome]) -> list[dict[str, Any]]:
        """Report all results, and end the task accordingly."""
        from ..hooks.airflow.outlet_events import tell_outlets
        from ..provider.videos.videos_report import causes, headline, what_to_do
        from .base.delivery_order import check_folder

        result = [outcome.to_xcom() for outcome in outcomes]
        said = "\n".join([headline(outcomes), *causes(outcomes)])
        told = {
            "version": EVENT_VERSION,
            "folder": check_folder(self.destination, self.task_id),
            "manifest": None if self.manifest is None else str(self.manifest),
            "delivered": sum(outcome.is_delivered for outcome in outcomes),
            "videos": len(outcomes),
        }
        tell_outlets(context, self.outlets, told, self.log)
        missing = [
            outcome for outcome in outcomes if not outcome.is_delivered and not self._may_miss(outcome)
        ]
        is_failed = bool(missing) and self.on_failure == "fail"
        if not is_failed:
            # Of a task that fails, the error says it.
            is_whole = all(outcome.is_delivered for outcome in outcomes)
            (self.log.info if is_whole else self.log.warning)("%s", in_lines(said))
        if not missing or self.on_failure == "succeed":
            return result
        self._push(context, outcomes)
        if self.on_failure == "skip":
            raise AirflowSkipException(said)
        said = f"{said}\n{what_to_do(missing)}"
        raise airflow_error(VideosFailedError(said), retryable=any(outcome.retryable for outcome in missing))

    def _push(self, context: Context, outcomes: Sequence[VideoOutcome]) -> None:
        """Let others see the results of the videos, although the task returns nothing."""
        if ti := context.get("ti"):
            ti.xcom_push(key="return_value", value=[outcome.to_xcom() for outcome in outcomes])

    def _may_miss(self, outcome: VideoOutcome) -> bool:
        """Whether the DAG's author wants a video with a wrong storyboard left out."""
        return outcome.state == "skipped" and outcome.error == InvalidRequestError.__name__

    def _out_of_try_time(self) -> ExecutionTimeoutError:
        return ExecutionTimeoutError(
            f"The execution_timeout of task {self.task_id!r}, {self.execution_timeout}, is over. It includes the time "
            "that the task is deferred. Jobs that are under way continue at the service. A retry waits for them "
            "again, and submits what was not submitted yet. Raise execution_timeout=, or leave it out: timeout= "
            "limits the time of each video.",
            job_id="",
        )
