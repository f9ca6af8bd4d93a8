"""Makes a video of a storyboard in one task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..provider.errors import SubmissionRecordError
from .base import BaseRequestOperator
from .base_job import BaseJobOperator
from .lineage import backgrounds
from .video_group import video_from_storyboard

__all__ = ["CreateVideoOperator", "video_from_storyboard"]

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.delivery.dataset_name import DatasetName
    from ..provider.models import Storyboard
    from ..provider.models.job import Job
    from ..provider.submission.subject import Subject
    from .submit_once import SubmitOnce


class CreateVideoOperator(BaseRequestOperator, BaseJobOperator):
    """Submits a storyboard, waits for it, renders it and waits for the video (source: the interface, both jobs).

    Each stage is recorded: a retry repeats no finished stage, and pays for no stage twice. Below Airflow 3.3, which
    keeps no record, a retry fails as in doubt.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls; absent: on a worker a schedule that grows with the time waited, in the
        triggerer one that learns from the jobs of the connection (docs/polling.md).
    :param timeout: seconds until the video must be there, default 2 hours, counted from the task's first try, for
        both jobs together; the job may go on.
    :param on_ambiguous: what a retry does when an earlier try may have submitted: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param stop_after: in a mapped task, send nothing any more once so many others of the run failed for a cause that
        all share, such as a token that is not accepted or a used-up quota (docs/spending.md); None: never stop.
    :param adopt_storyboard_job_id: a storyboard job that was found at the service after a submission in doubt; no
        storyboard is sent. Templated.
    :param adopt_render_job_id: a render job that was found there; nothing is sent. Templated.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the finished render job as a dict, see ``provider.models.job.Job``.
    :raises InvalidRequestError: the storyboard is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: a submission may have been accepted; it was not sent again.
    :raises JobFailedError: the service says that a job failed; a retry submits a new one for that stage.
    :raises JobError: a job was lost or purged, or the time is over.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    stages = ("storyboard", "render")
    adopt_storyboard_job_id: str | None
    adopt_render_job_id: str | None
    template_fields: Sequence[str] = (
        "storyboard",
        "adopt_storyboard_job_id",
        "adopt_render_job_id",
        *BaseJobOperator.template_fields,
    )
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard: Storyboard | Mapping[str, Any] | XComArg | str,
        adopt_storyboard_job_id: str | None = None,
        adopt_render_job_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)
        self.take_adoptions(
            adopt_storyboard_job_id=adopt_storyboard_job_id, adopt_render_job_id=adopt_render_job_id
        )
        self.storyboard_job_id: str | None = None

    @telling_failures
    def execute(self, context: Context) -> dict[str, Any]:
        """Go from the storyboard, or from where an earlier try came to, to the video."""
        with airflow_errors():
            render = self._render_once(context).found()
            adopted = self.adoption("adopt_render_job_id").job_id
            is_adopted = adopted and not (render and render.state == "failed")
            # Also where the storyboard's end is not recorded, since the store was away: it may be purged by now.
            if is_adopted or (render and render.state in ("submitted", "completed")):
                of_storyboard = self._storyboard_once(context)
                storyboard_record = of_storyboard.found()
                if not (is_adopted or (render and render.adopted == render.job_id)):
                    of_storyboard.stop_if_another()
                return self._rendered(context, (storyboard_record and storyboard_record.job_id) or "")
            storyboard = self.storyboard_to_send(self.storyboard, self._storyboard_once(context))
            operation = f"create storyboard {storyboard.video_name!r}" if storyboard else ""
            once = self._storyboard_once(context, operation)
            submission = once.job(
                storyboard.to_wire() if storyboard else {},
                lambda while_waiting, webhook: self.hook.create_storyboard(
                    storyboard or self.storyboard, webhook, while_waiting=while_waiting
                ),
                names_webhook=lambda: storyboard and storyboard.webhook,
            )
            if submission.state == "completed":
                return self._rendered(context, submission.job_id or "")
            return self._rendered(
                context, self.wait(context, once, submission, "storyboard", "storyboard_complete")
            )

    def storyboard_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Go on from the finished storyboard that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            return self._rendered(context, self.resumed(self._storyboard_once(context), event))

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished video that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            self._storyboard_once(context).stop_if_another()
            return self.resumed(self._render_once(context), event).to_xcom()

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The backgrounds of the scenes."""
        return backgrounds(self.storyboard)

    def _rendered(self, context: Context, storyboard: Job | str) -> dict[str, Any]:
        """Submit the render of a storyboard job, or of the one with this id, and wait for it."""
        from ..provider.models.job import result_of
        from ..provider.models.render import names_webhook
        from ..provider.submission.subject import Subject

        storyboard_job_id = storyboard if isinstance(storyboard, str) else storyboard.job_id
        self.storyboard_job_id = storyboard_job_id
        settings: list[dict[str, Any]] = []

        def prepare() -> None:
            job = self.hook.get_job(storyboard) if isinstance(storyboard, str) else storyboard
            settings.append(result_of(job, "render_settings"))

        of_storyboard = Subject("storyboard job", storyboard_job_id, {"storyboard_job_id": storyboard_job_id})
        once = self._render_once(
            context, f"render video of storyboard job {storyboard_job_id}", of_storyboard
        )
        submission = once.job(
            {"storyboard_job_id": storyboard_job_id},
            lambda while_waiting, webhook: self.hook.render_video(
                settings[0], webhook, video_name=self.video_name, while_waiting=while_waiting
            ),
            prepare=prepare,
            names_webhook=lambda: names_webhook(settings[0]),
        )
        return self.wait(context, once, submission, "render", "execute_complete").to_xcom()

    def _storyboard_once(self, context: Context, operation: str = "create storyboard") -> SubmitOnce:
        from ..provider.submission.subject import Subject

        return self.submit_once(
            context,
            operation,
            kind="storyboard",
            stage="storyboard",
            subject=Subject("video", self.video_name, {"videoName": self.video_name}),
            adopt=self.adoption("adopt_storyboard_job_id"),
        )

    def _render_once(
        self, context: Context, operation: str = "render video", subject: Subject | None = None
    ) -> SubmitOnce:
        """The render's record; its deadline counts from the same moment as the storyboard's."""
        try:
            storyboard = self._storyboard_once(context).found()
        except SubmissionRecordError:
            storyboard = None
        started_at = storyboard.started_at if storyboard else context["ti"].start_date.timestamp()
        adopt = self.adoption("adopt_render_job_id")
        if storyboard and storyboard.job_id:
            from ..provider.submission.adoption import Made

            made = Made("storyboard", "adopt_storyboard_job_id", storyboard.job_id)
            adopt = replace(adopt, made_before=made)
        return self.submit_once(
            context,
            operation,
            kind="render",
            stage="render",
            subject=subject,
            adopt=adopt,
            started_at=started_at,
        )
