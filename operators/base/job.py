"""The base of the operators that submit jobs and may wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from airflow.providers.common.compat.sdk import AirflowTaskTimeout, conf

from ...hooks.airflow.errors import airflow_errors
from ...hooks.airflow.failure_xcom import stop_if_siblings_failed, telling_failures
from ...hooks.airflow.job_xcom import tell_of_job
from ...hooks.airflow.links import PreviewLink, VideoLink
from ...provider.errors import (
    ConfigurationError,
    ExecutionTimeoutError,
    InvalidRequestError,
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    ServiceError,
    VideoCreationError,
)
from ...provider.waiting.time_limits import DEFAULT_TIMEOUT, execution_timeout_came_first, seconds
from ..submission.adopting import AdoptingMixin
from .lineage import LineageMixin, at_service
from .strict_argument import checked_stop_after
from .video_creation import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseOperatorLink, Context

    from ...provider.delivery.dataset_name import DatasetName
    from ...provider.models.job import Job
    from ...provider.submission.decision import Submit
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.submission_request import SubmissionRequest
    from ...provider.submission.task_try import OnAmbiguous
    from ...provider.waiting.job_wait import JobWait
    from ..submission.paid_job import PaidJob
    from ..submission.submissions import Submissions

RETRYABLE = (ConfigurationError, JobFailedError, JobLostError, ServiceError)
"""What a retry may fix once the job is submitted, since it resumes that job and pays nothing: everything but a purged
result. Only a failed job is submitted again."""


class BaseJobOperator(AdoptingMixin, LineageMixin, BaseVideoCreationOperator):
    """The base of the operators that submit jobs and may wait for them.

    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls. Default: on a worker, an interval that grows with the time waited; in
        the triggerer, a schedule that learns from the connection's jobs (docs/measured/polling.md).
    :param timeout: how many seconds to wait, default 2 hours, counted from the task's first try. The job may continue
        after that.
    :param on_ambiguous: what a retry does when an earlier try may have submitted the job: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param stop_after: in a mapped task, stop sending once this many others of the run have failed for a cause that they
        all share, such as a rejected token or a used-up quota (docs/recipes/spending.md). None: never stop.
    :param cancel_on_kill: cancel the job when a person stops the task, when Airflow stops its worker, and when the task
        fails permanently while the job may continue. Needs ``cancel`` in the connection's extra ``paths``. A worker
        that is shut down counts as stopped: the first retry then finds a cancelled job, and the next one pays for a new
        job (docs/operate/cancelling-a-job.md). Default: only when a person stops the task while it waits in the
        triggerer. False: never.
    :param cancel_on_timeout: cancel the job when ``timeout`` is over, or the last try's ``execution_timeout``.
    """

    stages: ClassVar[Sequence[str]] = ("",)
    """Names the records of this task's submissions."""
    storyboard_job_id: Any = None
    """For a render, its storyboard job, where the task knows it."""
    operator_extra_links: Collection[BaseOperatorLink] = (PreviewLink(), VideoLink())
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def __init__(
        self,
        *,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        poll_interval: float | timedelta | None = None,
        timeout: float | timedelta = DEFAULT_TIMEOUT,
        on_ambiguous: OnAmbiguous = "fail",
        stop_after: int | None = 3,
        cancel_on_kill: bool | None = None,
        cancel_on_timeout: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.deferrable = deferrable
        self.cancel_on_kill = cancel_on_kill
        self.cancel_on_timeout = cancel_on_timeout
        self.on_ambiguous: OnAmbiguous = on_ambiguous
        with airflow_errors():
            self.poll_interval = (
                None if poll_interval is None else seconds(poll_interval, "poll_interval", self.task_id)
            )
            self.timeout = seconds(timeout, "timeout", self.task_id)
            self.stop_after = checked_stop_after(stop_after, self.task_id)
        self._awaited_job_id: str | None = None
        self._made_job_id: str | None = None

    def submissions(self, context: Context, *, is_resumed: bool = False) -> Submissions:
        """What this task has submitted, and submits now; made once for each try.

        :param context: the task's context.
        :param is_resumed: whether the task was deferred.
        """
        from ..submission.submissions import Submissions

        return Submissions(
            context,
            self.log,
            stages=self.stages,
            on_ambiguous=self.on_ambiguous,
            is_resumed=is_resumed,
            clock=self.clock,
            sleep=self.sleep,
        )

    def storyboard_request(
        self, submissions: Submissions, request: SubmissionRequest, given: Any
    ) -> PaidRequest[str] | None:
        """The checked storyboard; None when it is wrong now, but an earlier try has a job.

        :param submissions: the task's submissions.
        :param request: what the task is asked to submit.
        :param given: as given to the operator.
        :raises InvalidRequestError: it is wrong, and there is no job.
        """
        try:
            self.require_rendered(given, "storyboard")
            return self.hook.storyboard_request(given)
        except InvalidRequestError as error:
            if not submissions.has_job(request):
                raise
            self.log.warning(
                "The storyboard is now wrong. It is not sent, since an earlier try has a job: %s", error
            )
            return None

    def send(
        self,
        context: Context,
        submissions: Submissions,
        request: SubmissionRequest,
        decision: Submit,
        paid: PaidRequest[str],
    ) -> PaidJob:
        """Send a request, and ask the service to tell Airflow when the job ends, where the connection says so.

        :param context: the task's context.
        :param submissions: the task's submissions.
        :param request: what the task is asked to submit.
        :param decision: from ``Submissions.decide``.
        :param paid: what is sent.
        :raises AmbiguousSubmissionError: it may have been accepted.
        :raises SubmissionRecordError: the intent cannot be stored; nothing was sent.
        """
        from ..submission.callback_url import asking_for_callback

        intent = decision.record
        if submissions.takes_callbacks:
            paid, intent = asking_for_callback(self.hook, context["ti"], request, intent, paid, self.log)
        return submissions.send(self.hook, request, intent, paid)

    def stop_if_siblings_failed(self, context: Context, operation: str) -> None:
        """Stop before sending if so many others of the run have failed that this one would fail, too.

        :param context: the task's context.
        :param operation: what would be done, for messages.
        :raises SpendingStoppedError: see ``hooks.airflow.failure_xcom``.
        """
        if self.stop_after is not None:
            stop_if_siblings_failed(context, self.stop_after, operation, self.log)

    def tell_of_job(self, context: Context, job: PaidJob) -> None:
        """Let Airflow's UI show the job (docs/operate/ui.md), and its metrics count it (docs/operate/metrics.md).

        :param context: the task's context.
        :param job: this task's job.
        """
        from ...hooks.airflow.metrics import count_submission
        from ...provider.submission.shown_job import ShownJob

        kind, record = job.request.kind, job.record
        is_adopted = record.adopted == record.job_id
        shown = ShownJob(
            job.job_id,
            kind,
            self.video_creation_conn_id,
            user_id=self.user_id,
            storyboard_job_id=self.storyboard_job_id if kind == "render" else None,
            submitted_at=None if is_adopted else record.submitted_at,
            video_name=self.video_name or None,
        )
        tell_of_job(context, shown, self.log)
        if kind:
            count_submission(self.video_creation_conn_id, kind, attached=job.is_attached)

    def wait(self, context: Context, submissions: Submissions, job: PaidJob, then: str) -> Job:
        """Wait on this worker until the job ends, or defer; then record how it ended.

        :param context: the task's context.
        :param submissions: the task's submissions.
        :param job: this task's job.
        :param then: the method that Airflow calls after the deferral.
        :raises JobError: the job has no result, or the wait timed out.
        """
        from ...hooks.job_poll import completed_job, poll

        self.tell_of_job(context, job)
        ended = partial(self._ended, submissions, job.request, job.job_id)
        if job.record.state == "completed":
            with airflow_errors(retryable=RETRYABLE), ended():
                return completed_job(self.hook, job.job_id, self.log, str(job.request.kind))
        wait = job.wait(self.clock(), timeout=self.timeout, poll_interval=self.poll_interval)
        # An earlier try's job may have ended in the meantime: then no triggerer is needed.
        asked_for_callback = bool(job.record.webhook)
        if self.deferrable and not job.is_attached:
            self._defer(context, wait, then, asked_for_callback)
        self._awaited_job_id = job.job_id
        with airflow_errors(retryable=RETRYABLE), ended():
            try:
                while (finished := poll(self.hook, wait, self.clock, self.log, self.sleep)) is None:
                    if self.deferrable:
                        self._defer(context, wait, then, asked_for_callback)
                    self.sleep(wait.seconds_to_next_poll(self.clock()))
            except AirflowTaskTimeout as error:
                raise self._out_of_execution_timeout(job.job_id) from error
        return finished

    def resumed(
        self,
        context: Context,
        submissions: Submissions,
        request: SubmissionRequest,
        event: Mapping[str, Any],
        then: str,
        *,
        needs_result: bool = True,
    ) -> Job:
        """Read the finished job that the trigger saw, or raise what ended the wait; record it.

        :param context: the task's context.
        :param submissions: the task's submissions.
        :param request: what the task was asked to submit.
        :param event: the trigger's event.
        :param then: the method that Airflow calls after another deferral.
        :param needs_result: whether a job that the trigger saw completed is read.
        :raises JobError: the job has no result, or the wait timed out.
        :raises AnotherSubjectError: the list of a mapped task has changed while it was deferred.
        """
        from ...hooks.job_poll import job_of_event

        def wait_again(wait: JobWait) -> NoReturn:
            self._defer(context, wait, then, bool(event.get("webhook")))

        submissions.stop_if_another(request)
        self._awaited_job_id = job_id = str(event.get("job_id", ""))
        with airflow_errors(retryable=RETRYABLE), self._ended(submissions, request, job_id):
            return job_of_event(
                self.hook,
                event,
                self.clock,
                self.log,
                wait_again,
                kind=str(request.kind),
                needs_result=needs_result,
                sleep=self.sleep,
            )

    @telling_failures
    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Resume after the deferral; say so if the try's time was over before the wait's.

        :raises ExecutionTimeoutError: the try's execution_timeout is over.
        """
        from ...triggers.deferral import TaskDeferralTimeout
        from ..submission.job_ending import tell_of_time_out

        with airflow_errors():
            try:
                return super().resume_execution(next_method, next_kwargs, context)
            except TaskDeferralTimeout as error:
                submissions = self.submissions(context, is_resumed=True)
                job_id = self._recorded_job_id(submissions)
                timed_out = self._out_of_execution_timeout(job_id)
                tell_of_time_out(timed_out, is_cancelled=self._is_cancelled(submissions, job_id, timed_out))
                raise timed_out from error

    def datasets_made(self) -> Iterable[DatasetName | None]:
        """The task's last job, which is at the service."""
        return [at_service(self.hook, self._made_job_id)]

    def on_kill(self) -> None:
        """Cancel the job if asked to; otherwise say that it continues: a retry of this task waits for it again."""
        if self._awaited_job_id is None:
            return
        if self.cancel_on_kill:
            from .job_cancelling import cancel_job_on_kill

            cancel_job_on_kill(self.hook, self._awaited_job_id, "its task was stopped", self.log)
        else:
            self.log.warning(
                "This task was stopped. Job %s continues at the service, and a retry waits for it",
                self._awaited_job_id,
            )

    def _defer(self, context: Context, wait: JobWait, then: str, asked_for_callback: bool) -> NoReturn:
        from ...triggers.deferral import defer_until_ended

        defer_until_ended(
            self,
            wait,
            then=then,
            timeout=self._try_left(context),
            asked_for_callback=asked_for_callback,
            cancel_on_kill=self.cancel_on_kill is not False,
        )

    def _out_of_execution_timeout(self, job_id: str) -> ExecutionTimeoutError:
        """The error of a try whose time was over before the wait's.

        :param job_id: the job; empty where it is not known.
        """
        message = execution_timeout_came_first(
            self.task_id, execution_timeout=self.execution_timeout, timeout=self.timeout, job_id=job_id
        )
        return ExecutionTimeoutError(message, job_id=job_id)

    def _try_left(self, context: Context) -> timedelta | None:
        """What is left of the try's execution_timeout, which Airflow does not count while a task is deferred."""
        if self.execution_timeout is None:
            return None
        ran = timedelta(seconds=self.clock() - context["ti"].start_date.timestamp())
        return max(self.execution_timeout - ran, timedelta(0))

    @contextmanager
    def _ended(self, submissions: Submissions, request: SubmissionRequest, job_id: str) -> Iterator[None]:
        from ..submission.job_ending import recorded_end

        is_cancelled = partial(self._is_cancelled, submissions, job_id)
        with recorded_end(submissions, request, job_id, self.video_name, is_cancelled):
            yield
        self._made_job_id = job_id

    def _is_cancelled(self, submissions: Submissions, job_id: str, error: VideoCreationError) -> bool:
        """Cancel a job that this task gives up, where the DAG's author asks for that."""
        from .job_cancelling import cancel_job

        if isinstance(error, JobDeadlinePassedError):
            is_wanted, why = self.cancel_on_timeout, "its task timed out"
        elif isinstance(error, ExecutionTimeoutError):
            is_wanted = self.cancel_on_timeout and submissions.is_last_try
            why = "its task's last try timed out"
        else:
            is_wanted, why = (
                self.cancel_on_kill is True and submissions.is_last_try,
                "its task has failed permanently",
            )
        return is_wanted and bool(job_id) and cancel_job(self.hook, job_id, why, self.log)

    def _recorded_job_id(self, submissions: Submissions) -> str:
        """The job of this task's last recorded submission; empty where the store cannot be read."""
        records = [submissions.found_or_none(stage) for stage in self.stages]
        return next((record.job_id for record in reversed(records) if record and record.job_id), "")
