"""Pages for people: an index of jobs, videos and calls, the preview of a storyboard, help on SSML."""

from __future__ import annotations

from datetime import datetime
from itertools import accumulate
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader

from ..airflow_connection import ENVIRONMENT_VARIABLE, airflow_connection, as_uri
from ..media_files import AUDIO_FILE, THUMBNAIL_FILE, VIDEO_FILE, VTT_FILE
from ..service import caller_base_url, service_of
from .service_error import ServiceError

pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LISTED_JOBS = 100
LISTED_CALLS = 50

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters["clock"] = lambda epoch: datetime.fromtimestamp(epoch).strftime("%H:%M:%S")
_templates.filters["minutes"] = lambda seconds: f"{int(seconds) // 60}:{int(seconds) % 60:02}"


@pages.get("/")
async def show_index(request: Request) -> HTMLResponse:
    """List the latest jobs with links to their previews and videos, and what was called."""
    service, base_url = service_of(request), caller_base_url(request)
    conduct = service.conduct
    connection = airflow_connection(
        base_url, behaviour=conduct.behaviour, further_paths=service.settings.further_paths
    )
    rows = [
        {
            "job": job,
            "progress": service.runner.progress(job),
            "video": service.links.url(base_url, job.job_id, VIDEO_FILE) if job.kind == "render" else None,
        }
        for job in service.store.latest_jobs(LISTED_JOBS)
    ]
    return _page(
        "index.html",
        rows=rows,
        count=service.store.count_jobs(),
        base_url=base_url,
        connection=f"{ENVIRONMENT_VARIABLE}='{as_uri(connection)}'",
        counts=conduct.calls.by_operation(),
        calls=conduct.calls.latest(LISTED_CALLS),
    )


@pages.get("/preview/{preview_id}")
async def show_preview(request: Request, preview_id: str) -> HTMLResponse:
    """Play the scenes of a finished storyboard with their sound, or its video once that is rendered.

    The page names nothing outside the emulator, and plays in an iframe that allows nothing but scripts.
    """
    service, base_url = service_of(request), caller_base_url(request)
    job = service.store.storyboard_of_preview(preview_id)
    if job is None or job.state != "completed":
        raise ServiceError(404, "There is no such preview.")
    links = service.links
    starts = accumulate((scene["seconds"] for scene in job.scenes), initial=0.0)
    scenes = [
        {
            **scene,
            "start": round(start, 2),
            "picture_url": links.url(base_url, job.job_id, scene["picture"]) if "picture" in scene else None,
        }
        for scene, start in zip(job.scenes, starts, strict=False)
    ]
    has_sound = job.has_media and (links.folder_of(job.job_id) / AUDIO_FILE).is_file()
    sound = links.url(base_url, job.job_id, AUDIO_FILE) if has_sound else None
    finished = [
        render for render in service.store.renders_of_preview(preview_id) if render.state == "completed"
    ]
    video = (
        {
            name: links.url(base_url, finished[0].job_id, file)
            for name, file in (("url", VIDEO_FILE), ("poster", THUMBNAIL_FILE), ("subtitles", VTT_FILE))
        }
        if finished
        else None
    )
    return _page("preview.html", job=job, scenes=scenes, sound=sound, video=video)


@pages.get("/help/ssml")
async def show_ssml_help(request: Request) -> HTMLResponse:
    """Say what the categories in `ssmlSupportCategory` mean here."""
    return _page("ssml.html")


def _page(template: str, **values: object) -> HTMLResponse:
    return HTMLResponse(_templates.get_template(template).render(**values))
