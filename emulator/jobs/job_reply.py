"""What is told of a job, in the form that is the default of `Dialect`. Source: ours."""

from __future__ import annotations

from typing import Any

from ..media_files import AUDIO_FILE, SRT_FILE, TEXT_FILE, THUMBNAIL_FILE, VIDEO_FILE, VTT_FILE
from .job import Job
from .media_links import MediaLinks

_VIDEO_FIELDS = {
    "videoURL": VIDEO_FILE,
    "thumbnail": THUMBNAIL_FILE,
    "audioURL": AUDIO_FILE,
    "srtFile": SRT_FILE,
    "vttFile": VTT_FILE,
    "txtFile": TEXT_FILE,
}


def job_reply(job: Job, progress: int, base_url: str, links: MediaLinks) -> dict[str, Any]:
    """Answer a poll; also the payload of a webhook.

    :param job: the job
    :param progress: percent
    :param base_url: of this emulator, as the caller knows it
    :param links: makes the links to media
    """
    data: dict[str, Any] = {"status": job.state}
    if job.state == "failed":
        data |= {"error_code": job.error_code, "error_message": job.error_message}
    elif job.state == "cleaned":
        pass
    elif job.kind == "render":
        data["renderProgress"] = progress
        if job.state == "completed":
            data |= {field: links.url(base_url, job.job_id, file) for field, file in _VIDEO_FIELDS.items()}
            data |= {"shareVideoURL": f"{base_url}/preview/{job.preview_id}", "videoDuration": job.seconds}
    elif job.state == "completed":
        data |= {"preview": f"{base_url}/preview/{job.preview_id}", "render_settings": job.render_settings}
    return {"job_id": job.job_id, "success": job.state != "failed", "data": data}
