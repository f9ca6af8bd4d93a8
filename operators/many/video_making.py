"""The steps of one of many videos: storyboard, wait, render, wait, deliver; starting where an earlier try got to.

It is a generator, so that the code reads in the order of its steps, and its caller decides when, and in which thread,
each step runs. Before each step it yields what that step needs: a turn to submit, the end of a job, a turn to deliver.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

from ...hooks.airflow.errors import airflow_errors
from ...hooks.airflow.metrics import count_submission
from ...hooks.delivery.video_delivery import VideoDelivery
from ...hooks.job_poll import job_of_event
from ...provider.errors import VideoCreationError
from ...provider.models.job import Job, result_of
from ...provider.submission.decision import Submit
from ...provider.submission.submission_request import counted_from, of_render, of_storyboard
from ...provider.videos.asked_storyboard import asked_storyboard
from ...provider.videos.video_outcome import VideoOutcome
from ...provider.waiting.job_wait import JobWait
from ..base.job import RETRYABLE
from ..submission.callback_url import asking_for_callback
from ..submission.job_ending import recorded_end, told_when_purged
from .video_log import VideoLog

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...hooks.delivery.order import Order
    from ...hooks.records.video_records import RecordsOfVideo
    from ...hooks.video_creation import VideoCreationHook
    from ...provider.submission.adoption import Adoption
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.submission_request import SubmissionRequest
    from ...provider.videos.given_videos import GivenVideo
    from ..submission.paid_job import PaidJob
    from ..submission.submissions import Submissions
    from .brake import Brake


@dataclass(frozen=True)
class ToSubmit:
    """The next step may submit."""


@dataclass(frozen=True)
class ToWait:
    """The next step takes the event of a job's end, see ``provider.waiting.wait_event``.

    :param wait: for the job.
    :param webhook: whether the service may have been asked to call back.
    """

    wait: JobWait
    webhook: bool


@dataclass(frozen=True)
class ToDeliver:
    """The next step delivers."""


Need = ToSubmit | ToWait | ToDeliver
Way = Generator[Need, Mapping[str, Any] | None, VideoOutcome]


@dataclass(frozen=True)
class SharedByVideos:
    """What all videos of a task share.

    :param context: the task's context.
    :param hook: of its connection; threads share it.
    :param log: the task's log.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    :param timeout: how many seconds to wait for a video.
    :param poll_interval: seconds between polls; None for a schedule.
    :param brake: stops what is sent.
    :param order_for: returns what to deliver where, for a render job and a video.
    :param cancel_if_given_up: cancels a job that the task gives up because of this error, where it is asked to.
    """

    context: Context
    hook: VideoCreationHook
    log: Any
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    timeout: float
    poll_interval: float | None
    brake: Brake
    order_for: Callable[[str, GivenVideo], Order]
    cancel_if_given_up: Callable[[str, VideoCreationError], bool]


class VideoMaking:
    """Makes one video; each of its steps runs in one thread at a time.

    :param video: what is asked for.
    :param shared: what all videos share.
    :param submissions: of this video.
    :param records: of this video.
    :param stages: names the records of its storyboard and of its render.
    :param adopted: jobs that a person found at the service, by kind.
    """

    def __init__(
        self,
        video: GivenVideo,
        shared: SharedByVideos,
        submissions: Submissions,
        records: RecordsOfVideo,
        *,
        stages: tuple[str, str],
        adopted: Mapping[str, Adoption],
    ) -> None:
        self.video = video
        self.name = video.name or ""
        self.records = records
        self.storyboard_job_id: str | None = None
        self.render_job_id: str | None = None
        self._shared = shared
        self._submissions = submissions
        self._storyboard_stage, self._render_stage = stages
        self._adopted = adopted

    def way(self) -> Way:
        """Make the video, and deliver it.

        :return: where it is.
        :raises VideoCreationError: what ended it.
        """
        render = yield from self._rendered()
        yield ToDeliver()
        return self._delivered(render)

    @property
    def has_job(self) -> bool:
        """Whether an earlier try has a job, so that a storyboard that is wrong by now does not matter."""
        return self._submissions.has_job(self._storyboard()) or self._submissions.has_job(self._rendering())

    def check(self) -> None:
        """Check the storyboard before anything is paid for; otherwise it is checked when it is sent.

        :raises InvalidRequestError: it is wrong, or names an unknown voice.
        """
        self._shared.hook.check_speaker(self._paid.body)

    def _rendered(self) -> Generator[Need, Mapping[str, Any] | None, Job]:
        made: Job | str
        if self._submissions.has_job(self._rendering()):
            storyboard = self._submissions.found(self._storyboard_stage)
            made = (storyboard and storyboard.job_id) or ""
        else:
            made = yield from self._storyboard_made()
        self.storyboard_job_id = (made if isinstance(made, str) else made.job_id) or None
        request = self._rendering(self.storyboard_job_id)
        decision = self._submissions.decide(request, self._shared.hook)
        if isinstance(decision, Submit):
            yield ToSubmit()
            with told_when_purged(request, self.name):
                paid = self._render_request(made)
            decision = self._send(request, decision, paid)
        self.render_job_id = decision.job_id
        return (yield from self._ended(request, decision))

    def _storyboard_made(self) -> Generator[Need, Mapping[str, Any] | None, Job | str]:
        request = self._storyboard()
        is_in_doubt = self._submissions.is_in_doubt(request)
        if not self._submissions.has_job(request):
            if not is_in_doubt:
                yield ToSubmit()
            request = self._storyboard(self._paid.body)
        decision = self._submissions.decide(request, self._shared.hook)
        if isinstance(decision, Submit):
            if is_in_doubt:
                # Looking for it may take a minute, in which others submit.
                yield ToSubmit()
            self._shared.hook.check_speaker(self._paid.body)
            decision = self._send(request, decision, self._paid)
        self.storyboard_job_id = decision.job_id
        if decision.record.state == "completed":
            return decision.job_id
        return (
            yield from self._ended(request, decision, needs_result=not self._shared.hook.profile.render_by_id)
        )

    @cached_property
    def _paid(self) -> PaidRequest[str]:
        return self._shared.hook.storyboard_request(self.video.storyboard)

    def _render_request(self, storyboard: Job | str) -> PaidRequest[str]:
        settings = None
        if isinstance(storyboard, Job) and not self._shared.hook.profile.render_by_id:
            settings = result_of(storyboard, "render_settings")
        return self._shared.hook.render_request(
            settings, storyboard_job_id=self.storyboard_job_id, video_name=self.name
        )

    def _send(self, request: SubmissionRequest, decision: Submit, paid: PaidRequest[str]) -> PaidJob:
        self._shared.brake.require_open(request.operation)
        intent = decision.record
        if self._submissions.takes_callbacks:
            shared = self._shared
            paid, intent = asking_for_callback(
                shared.hook, shared.context["ti"], request, intent, paid, shared.log
            )
        with self._shared.brake.watching(str(request.kind)):
            return self._submissions.send(self._shared.hook, request, intent, paid)

    def _ended(
        self, request: SubmissionRequest, job: PaidJob, *, needs_result: bool = True
    ) -> Generator[Need, Mapping[str, Any] | None, Job]:
        """The finished job, once its event is there; its end is recorded."""
        shared, kind = self._shared, str(request.kind)
        # A worker that only resumes finds jobs that this very try has already counted.
        if not (job.is_attached and self._submissions.is_resumed):
            count_submission(shared.hook.video_creation_conn_id, kind, attached=job.is_attached)
        wait = job.wait(shared.clock(), timeout=shared.timeout, poll_interval=shared.poll_interval)
        while True:
            event = yield ToWait(wait, bool(job.record.webhook))
            try:
                with (
                    airflow_errors(retryable=RETRYABLE),
                    recorded_end(
                        self._submissions,
                        request,
                        job.job_id,
                        self.name,
                        partial(shared.cancel_if_given_up, job.job_id),
                    ),
                ):
                    return job_of_event(
                        shared.hook,
                        event or {},
                        shared.clock,
                        VideoLog(shared.log, self.name),
                        _wait_again,
                        kind=kind,
                        needs_result=needs_result,
                        sleep=shared.sleep,
                    )
            except _RunsOnError as runs_on:
                wait = runs_on.wait

    def _delivered(self, render: Job) -> VideoOutcome:
        shared = self._shared
        order = shared.order_for(render.job_id, self.video)
        delivery = VideoDelivery(
            order,
            shared.hook,
            tell=lambda line: shared.log.info("%s", line),
            warn=lambda line: shared.log.warning("%s", line),
        )
        with told_when_purged(self._rendering(), self.name), shared.brake.watching_delivery():
            delivered = delivery.run()
        minutes = None if delivered.duration is None else round(delivered.duration / 60, 3)
        return VideoOutcome(
            self.name,
            "delivered",
            self.storyboard_job_id,
            render.job_id,
            order.destination,
            minutes,
            metadata=self.video.metadata,
        )

    def _storyboard(self, body: Mapping[str, Any] | None = None) -> SubmissionRequest:
        asked = asked_storyboard(self.name, body) if body else None
        return of_storyboard(self.name, asked, self._adopted["storyboard"], self._storyboard_stage)

    def _rendering(self, storyboard_job_id: str | None = None) -> SubmissionRequest:
        storyboard = self._submissions.found_or_none(self._storyboard_stage)
        shared, began_at = self._shared, storyboard.started_at if storyboard else None
        return of_render(
            storyboard_job_id,
            self._adopted["render"],
            self._render_stage,
            started_at=counted_from(began_at, timeout=shared.timeout, now=shared.clock()),
            video_name=self.name,
        )


class _RunsOnError(Exception):
    """The job of an event has not ended."""

    def __init__(self, wait: JobWait) -> None:
        super().__init__(wait.job_id)
        self.wait = wait


def _wait_again(wait: JobWait) -> NoReturn:
    raise _RunsOnError(wait)
