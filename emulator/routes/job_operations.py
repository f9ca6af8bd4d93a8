"""The operations on jobs: create a storyboard, render a video, read a job, cancel it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from ..contract.error import ErrorBody
from ..contract.job import JobReply, SubmissionReply
from ..contract.operation_paths import CANCEL_PATH, JOB_PATH, RENDER_BY_ID_PATH, RENDER_PATH, STORYBOARD_PATH
from ..contract.render import RenderByIdRequest, RenderRequest
from ..contract.storyboard import StoryboardRequest
from ..jobs.job import Kind
from ..jobs.job_reply import job_reply
from ..jobs.quota import Quota, estimated_seconds
from ..service import Service, caller_base_url, service_of
from .authorization import AuthorizedRoute
from .replies import accepted
from .service_error import OPERATION_ERRORS, ServiceError

job_operations = APIRouter(route_class=AuthorizedRoute, responses=OPERATION_ERRORS)


_SUBMISSION_ERRORS: dict[int | str, dict[str, Any]] = {
    402: {"model": ErrorBody, "description": "The quota does not cover the video."}
}


@job_operations.post(
    STORYBOARD_PATH,
    operation_id="createStoryboard",
    response_model=SubmissionReply,
    responses=_SUBMISSION_ERRORS,
)
async def create_storyboard(request: Request, storyboard: StoryboardRequest) -> Response:
    """Create a storyboard: starts a job which makes a preview. Source: the interface, "Create a storyboard"."""
    return _submit(request, "storyboard", storyboard, storyboard.webhook)


@job_operations.post(
    RENDER_PATH, operation_id="renderVideo", response_model=SubmissionReply, responses=_SUBMISSION_ERRORS
)
async def render_video(request: Request, settings: RenderRequest) -> Response:
    """Render a storyboard: starts a job which makes an .mp4.

    Source: the interface, "Follow-up operations named for the storyboard job".
    """
    return _submit(request, "render", settings.storyboard, settings.webhook, settings.previewId)


@job_operations.put(
    RENDER_BY_ID_PATH,
    operation_id="renderVideoById",
    response_model=SubmissionReply,
    responses={**_SUBMISSION_ERRORS, 404: {"model": ErrorBody}, 409: {"model": ErrorBody}},
)
async def render_video_by_id(
    request: Request, storyboard_job_id: str, settings: RenderByIdRequest | None = None
) -> Response:
    """Render a storyboard which this service still has. Source: ours; comparable services have it."""
    job = service_of(request).store.job(storyboard_job_id)
    if job is None or job.kind != "storyboard":
        raise ServiceError(404, f"There is no storyboard job {storyboard_job_id!r}.")
    if job.state != "completed":
        raise ServiceError(
            409, f"The storyboard job {storyboard_job_id!r} is {job.state}: there is nothing to render."
        )
    storyboard = StoryboardRequest.model_validate(job.storyboard)
    return _submit(request, "render", storyboard, settings.webhook if settings else None, job.preview_id)


@job_operations.get(
    JOB_PATH, operation_id="getJob", response_model=JobReply, responses={404: {"model": ErrorBody}}
)
async def get_job(request: Request, job_id: str) -> Response:
    """Read a job. Source: the interface, "Follow-up operations named for the storyboard job"."""
    service = service_of(request)
    dialect = service.conduct.behaviour.dialect
    job = service.runner.poll(job_id)
    if job is None:
        raise ServiceError(dialect.unknown_job, f"There is no job {job_id!r}.")
    reply = job_reply(job, service.runner.progress(job), caller_base_url(request), service.links)
    return JSONResponse(dialect.job(reply))


@job_operations.post(
    CANCEL_PATH,
    operation_id="cancelJob",
    response_model=SubmissionReply,
    responses={404: {"model": ErrorBody}, 409: {"model": ErrorBody}},
)
async def cancel_job(request: Request, job_id: str) -> Response:
    """Stop a job: it then has failed, and costs nothing. Source: ours; comparable services have it."""
    service = service_of(request)
    if not service.runner.cancel(job_id):
        job = service.store.job(job_id)
        if job is None:
            raise ServiceError(404, f"There is no job {job_id!r}.")
        raise ServiceError(409, f"The job {job_id!r} is {job.state}: there is nothing to cancel.")
    return JSONResponse(service.conduct.behaviour.dialect.submission({"job_id": job_id, "success": True}))


def _submit(
    request: Request, kind: Kind, storyboard: StoryboardRequest, webhook: str | None, preview_id: str = ""
) -> Response:
    service = service_of(request)
    behaviour = service.conduct.behaviour
    key = request.headers.get(behaviour.idempotency_header) if behaviour.idempotency_header else None
    # Nothing is awaited from here on, so that of two equal submissions at the same time one finds the other.
    job = service.store.job_of_key(kind, key) if key else None
    if job is None:
        _check_webhook(service, webhook)
        _check_connection(service, storyboard)
        body: dict[str, Any] = storyboard.model_dump(mode="json", exclude_none=True, exclude={"webhook"})
        _check_quota(service, body)
        job = service.runner.submit(kind, body, webhook, preview_id, key)
    request.state.call.job_id = job.job_id
    dialect = behaviour.dialect
    return accepted(dialect.submission({"job_id": job.job_id, "success": True}), dialect)


def _check_webhook(service: Service, webhook: str | None) -> None:
    most = service.conduct.behaviour.webhook_max_length
    if webhook is not None and most is not None and len(webhook) > most:
        raise ServiceError.of_field("webhook", f"has {len(webhook)} characters; at most {most} are accepted")


def _check_quota(service: Service, storyboard: dict[str, Any]) -> None:
    """Refuse what the quota does not cover, the storyboard already, since nobody could render it."""
    total = service.conduct.behaviour.quota_minutes
    if total is None:
        return
    quota = Quota.of(total, service.store.charged_seconds())
    seconds = estimated_seconds(storyboard)
    if not quota.covers(seconds):
        raise ServiceError(
            402,
            f"The video takes {seconds / 60:.2f} minutes, and {quota.minutes_left:.2f} minutes of the quota are left.",
        )


def _check_connection(service: Service, storyboard: StoryboardRequest) -> None:
    """Check that private media come with a connection that may read them.

    Source: the interface, "Rules for the connection", rule 3. An `https://` object may be public; `s3://` never is.
    """
    scenes = list(enumerate(storyboard.scenes or []))
    named = [("awsConnectionId", storyboard.awsConnectionId)]
    named += [(f"scenes[{number}].awsConnectionId", scene.awsConnectionId) for number, scene in scenes]
    for path, connection_id in named:
        if connection_id is None:
            continue
        connection = service.store.aws_connection(connection_id)
        if connection is None:
            raise ServiceError.of_field(path, "no connection with that id is registered")
        if not connection["enabled"]:
            raise ServiceError.of_field(path, "the connection is not enabled")
    for number, scene in scenes:
        is_private = scene.backgroundUri and scene.backgroundUri.startswith("s3://")
        if is_private and not (storyboard.awsConnectionId or scene.awsConnectionId):
            path = f"scenes[{number}].backgroundUri"
            raise ServiceError.of_field(path, "private media need an awsConnectionId")
