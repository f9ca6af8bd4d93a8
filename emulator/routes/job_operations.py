"""The operations on jobs: create a storyboard, render a video, read a job."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from ..contract.error import ErrorBody
from ..contract.job import JobReply, SubmissionReply
from ..contract.operation_paths import JOB_PATH, RENDER_PATH, STORYBOARD_PATH
from ..contract.render import RenderRequest
from ..contract.storyboard import StoryboardRequest
from ..jobs.job import Job, Kind
from ..jobs.job_reply import job_reply
from ..service import Service, caller_base_url, service_of
from .authorization import AuthorizedRoute
from .replies import accepted
from .service_error import OPERATION_ERRORS, ServiceError

job_operations = APIRouter(route_class=AuthorizedRoute, responses=OPERATION_ERRORS)


@job_operations.post(STORYBOARD_PATH, operation_id="createStoryboard", response_model=SubmissionReply)
async def create_storyboard(request: Request, storyboard: StoryboardRequest) -> Response:
    """Create a storyboard: starts a job which makes a preview. Source: the interface, "Create a storyboard"."""
    return _submit(request, "storyboard", storyboard, storyboard.webhook)


@job_operations.post(RENDER_PATH, operation_id="renderVideo", response_model=SubmissionReply)
async def render_video(request: Request, settings: RenderRequest) -> Response:
    """Render a storyboard: starts a job which makes an .mp4.

    Source: the interface, "Follow-up operations named for the storyboard job".
    """
    return _submit(request, "render", settings.storyboard, settings.webhook, settings.previewId)


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


def _submit(
    request: Request, kind: Kind, storyboard: StoryboardRequest, webhook: str | None, preview_id: str = ""
) -> Response:
    service = service_of(request)
    header = service.conduct.behaviour.idempotency_header
    key = request.headers.get(header) if header else None
    job_id = service.submissions_by_key.get((kind, key)) if key else None
    if job_id is None:
        _check_connection(service, storyboard)
        body: dict[str, Any] = storyboard.model_dump(mode="json", exclude_none=True, exclude={"webhook"})
        job: Job = service.runner.submit(kind, body, webhook, preview_id)
        job_id = job.job_id
        if key:
            service.submissions_by_key[kind, key] = job_id
    request.state.call.job_id = job_id
    dialect = service.conduct.behaviour.dialect
    return accepted(dialect.submission({"job_id": job_id, "success": True}), dialect)


def _check_connection(service: Service, storyboard: StoryboardRequest) -> None:
    """Check that private media come with a connection that may read them.

    Source: the interface, "Rules for the connection", rule 3. An `https://` object may be public; `s3://` never is.
    """
    connection_id = storyboard.awsConnectionId
    if connection_id is not None:
        connection = service.store.aws_connection(connection_id)
        if connection is None:
            raise ServiceError.of_field("awsConnectionId", "no connection of that id is registered")
        if not connection["enabled"]:
            raise ServiceError.of_field("awsConnectionId", "the connection is not enabled")
        return
    for number, scene in enumerate(storyboard.scenes or []):
        if scene.backgroundUri and scene.backgroundUri.startswith("s3://"):
            path = f"scenes[{number}].backgroundUri"
            raise ServiceError.of_field(path, "private media need an awsConnectionId")
