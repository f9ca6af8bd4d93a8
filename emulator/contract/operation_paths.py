"""The paths of the operations, and the names by which faults and counters speak of them."""

from __future__ import annotations

STORYBOARD_PATH = "/api/v1/video/storyboard"
JOB_PATH = "/api/v1/job/{job_id}"
RENDER_PATH = "/api/v1/video/render"
AWS_CONNECTIONS_PATH = "/serviceapis/v1/awsconnections"
VOICEOVER_TRACKS_PATH = "/serviceapis/v1/voiceovers/tracks"
TOKEN_PATH = "/auth/token"  # noqa: S105 - a path, not a secret
MEDIA_PATH = "/media/{job_id}/{file_name}"

_NAMES = {
    STORYBOARD_PATH: "storyboard",
    RENDER_PATH: "render",
    AWS_CONNECTIONS_PATH: "aws_connections",
    VOICEOVER_TRACKS_PATH: "voiceover_tracks",
    TOKEN_PATH: "token",
}


def operation_of(path: str) -> str | None:
    """Name the operation at a path; None for pages and the admin API.

    :param path: of a request
    """
    if path.startswith("/api/v1/job/"):
        return "job"
    if path.startswith("/media/") and path.count("/") == 3:
        return "media"
    return _NAMES.get(path)
