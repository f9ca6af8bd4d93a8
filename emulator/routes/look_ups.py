"""What can be looked up before paying: voices, fonts, the quota, the list of jobs. Source: ours."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from ..contract.catalogue import BUILT_IN_VOICES, FontList, JobList, QuotaReply, VoiceList
from ..contract.operation_paths import FONTS_PATH, JOBS_PATH, QUOTA_PATH, VOICES_PATH
from ..jobs.job import Job
from ..jobs.quota import Quota
from ..service import service_of
from .authorization import AuthorizedRoute
from .service_error import OPERATION_ERRORS, ServiceError

look_ups = APIRouter(route_class=AuthorizedRoute, responses=OPERATION_ERRORS)

PAGE, LARGEST_PAGE = 100, 1000
"""Jobs on a page of the list."""


@look_ups.get(VOICES_PATH, operation_id="listVoices", response_model=VoiceList)
async def list_voices(request: Request) -> Response:
    """List the voices: those that are always there, then the tracks that were added."""
    service = service_of(request)
    voices = [voice.model_dump() for voice in BUILT_IN_VOICES]
    for track_id, track in service.store.voiceover_tracks().items():
        voices.append(
            {"id": str(track_id), **{field: track[field] for field in ("name", "language", "gender")}}
        )
    return JSONResponse(service.conduct.behaviour.dialect.listed("voices", voices))


@look_ups.get(FONTS_PATH, operation_id="listFonts", response_model=FontList)
def list_fonts(request: Request) -> Response:
    """List the families: those that are installed, and the names for which one of them is taken."""
    # The fonts take half a second to import, which would hold up the event loop.
    from ..rendering.text.font_families import known_names

    fonts = [{"name": name} for name in known_names()]
    return JSONResponse(service_of(request).conduct.behaviour.dialect.listed("fonts", fonts))


@look_ups.get(QUOTA_PATH, operation_id="getQuota", response_model=QuotaReply)
async def get_quota(request: Request) -> Response:
    """Tell how many minutes of video are left."""
    service = service_of(request)
    behaviour = service.conduct.behaviour
    quota = Quota.of(behaviour.quota_minutes, service.store.charged_seconds())
    return JSONResponse(behaviour.dialect.quota({**asdict(quota), "minutes_left": quota.minutes_left}))


@look_ups.get(JOBS_PATH, operation_id="listJobs", response_model=JobList)
async def list_jobs(
    request: Request, limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = PAGE, cursor: str | None = None
) -> Response:
    """List the jobs, newest first, also those whose submission was never answered."""
    service = service_of(request)
    dialect = service.conduct.behaviour.dialect
    before = service.store.job(cursor) if cursor else None
    if cursor and before is None:
        raise ServiceError.of_field("cursor", "is not one that this service gave")
    # One more than asked for tells whether there is another page.
    jobs = service.store.latest_jobs(limit + 1, before=before)
    page = jobs[:limit]
    next_cursor = page[-1].job_id if len(jobs) > limit else None
    items = [_listed(job, dialect.state_words) for job in page]
    return JSONResponse(dialect.listed("jobs", items, {"next_cursor": next_cursor}))


def _listed(job: Job, state_words: dict[Any, str]) -> dict[str, Any]:
    described: dict[str, Any] = {
        field: job.storyboard[field] for field in ("videoName", "videoDescription") if field in job.storyboard
    }
    return {
        "job_id": job.job_id,
        "kind": job.kind,
        "status": state_words.get(job.state, job.state),
        **described,
        "created_at": datetime.fromtimestamp(job.created_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
