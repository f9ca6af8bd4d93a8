"""The admin API: changes the behaviour of a running emulator and tells what has happened. Source: ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, ValidationError

from ..conduct.fault import Fault
from ..service import service_of
from .service_error import ServiceError, field_errors

admin = APIRouter(prefix="/admin", include_in_schema=False)

LISTED_JOBS = 1000


class StateChange(BaseModel):
    """What a job is made to become."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["completed", "failed", "cleaned"]


@admin.get("/behaviour")
async def read_behaviour(request: Request) -> Response:
    """Tell how the service behaves now."""
    return JSONResponse(service_of(request).conduct.behaviour.model_dump(mode="json"))


@admin.patch("/behaviour")
async def change_behaviour(request: Request, changes: Annotated[dict[str, Any], Body()]) -> Response:
    """Change the options that the body names; the others stay."""
    try:
        behaviour = service_of(request).conduct.change(changes)
    except ValidationError as error:
        fields = field_errors(error.errors())
        raise ServiceError(400, f"The behaviour is not valid: {', '.join(fields)}.", fields) from None
    return JSONResponse(behaviour.model_dump(mode="json"))


@admin.post("/faults")
async def add_fault(request: Request, fault: Fault) -> Response:
    """Add a fault to those which there are; counts begin again."""
    conduct = service_of(request).conduct
    behaviour = conduct.change({"faults": [*conduct.behaviour.faults, fault]})
    return _list(fault.model_dump(mode="json") for fault in behaviour.faults)


@admin.delete("/faults")
async def clear_faults(request: Request) -> Response:
    """Let nothing go wrong any more."""
    service_of(request).conduct.change({"faults": []})
    return Response(status_code=204)


@admin.get("/calls")
async def list_calls(
    request: Request, operation: str | None = None, name: str | None = None, job_id: str | None = None
) -> Response:
    """List the latest calls, oldest first."""
    calls = service_of(request).conduct.calls.calls(operation, name, job_id)
    return _list(asdict(call) for call in calls)


@admin.get("/totals")
async def list_totals(request: Request) -> Response:
    """Count all calls by operation, name and the job asked for."""
    return _list(service_of(request).conduct.calls.totals())


@admin.get("/jobs")
async def list_jobs(request: Request, video_name: str | None = None) -> Response:
    """List the latest jobs, newest first."""
    jobs = service_of(request).store.latest_jobs(LISTED_JOBS, video_name)
    fields = (
        "job_id",
        "kind",
        "video_name",
        "state",
        "created_at",
        "finished_at",
        "least_seconds",
        "error_message",
    )
    return _list({field: getattr(job, field) for field in fields} for job in jobs)


@admin.put("/jobs/{job_id}")
async def change_job(request: Request, job_id: str, change: StateChange) -> Response:
    """Let a job complete, fail or be purged now."""
    job = service_of(request).runner.set_state(job_id, change.state)
    if job is None:
        raise ServiceError(404, f"There is no job {job_id!r}.")
    return JSONResponse({"job_id": job.job_id, "state": job.state})


@admin.get("/deliveries")
async def list_deliveries(request: Request) -> Response:
    """List the attempts to deliver completions to webhooks, oldest first."""
    return _list(asdict(delivery) for delivery in service_of(request).webhooks.deliveries)


@admin.post("/expire-tokens")
async def expire_tokens(request: Request) -> Response:
    """Make every token invalid that was fetched so far."""
    service_of(request).tokens.expire_all()
    return Response(status_code=204)


@admin.post("/reset")
async def reset(request: Request) -> Response:
    """Forget jobs, connections, tracks, calls and deliveries, and behave as at the start."""
    service = service_of(request)
    service.runner.forget_all()
    service.webhooks.deliveries.clear()
    service.conduct.reset()
    return Response(status_code=204)


def _list(items: Iterable[Any]) -> Response:
    return JSONResponse(list(items))
