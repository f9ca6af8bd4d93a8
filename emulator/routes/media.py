"""Serving media: whoever has the signed link may read the file, whole or in ranges."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from ..contract.operation_paths import MEDIA_PATH
from ..media_files import AUDIO_FILE, SRT_FILE, TEXT_FILE, THUMBNAIL_FILE, VIDEO_FILE, VTT_FILE
from ..service import Service, service_of
from .service_error import ServiceError

media = APIRouter(include_in_schema=False)

MEDIA_TYPES = {
    VIDEO_FILE: "video/mp4",
    AUDIO_FILE: "audio/mp4",
    THUMBNAIL_FILE: "image/jpeg",
    SRT_FILE: "application/x-subrip",
    VTT_FILE: "text/vtt",
    TEXT_FILE: "text/plain",
}

PLACEHOLDER = {
    "videoName": "placeholder",
    "videoWidth": "64",
    "videoHeight": "36",
    "scenes": [{"text": "placeholder", "voiceOver": False}],
}
"""The storyboard of the tiny film which stands in for the videos of instant jobs."""


@media.get(MEDIA_PATH)
async def read_media(request: Request, job_id: str, file_name: str, signature: str = "") -> Response:
    """Send a file of a job; answers Range requests."""
    service = service_of(request)
    if not service.links.is_signed(job_id, file_name, signature):
        raise ServiceError(403, "This link is not signed: use it exactly as the job's reply gives it.")
    job = service.store.job(job_id)
    if job is None or job.state != "completed":
        raise ServiceError(404, "There is no such file.")
    folder = service.links.folder_of(job_id) if job.has_media else await _placeholders(service)
    path = folder / file_name
    if not path.is_file():
        raise ServiceError(404, "There is no such file.")
    return FileResponse(path, media_type=MEDIA_TYPES.get(file_name))


async def _placeholders(service: Service) -> Path:
    folder = service.links.folder_of("placeholder")
    async with service.placeholder_lock:
        if not folder.exists():
            await service.studio.make_film(PLACEHOLDER, folder, lambda _part: None)
    return folder
