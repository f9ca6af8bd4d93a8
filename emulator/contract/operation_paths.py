"""The paths of the operations, and the names by which faults and counters speak of them."""

from __future__ import annotations

STORYBOARD_PATH = "/api/v1/video/storyboard"
JOB_PATH = "/api/v1/job/{job_id}"
CANCEL_PATH = "/api/v1/job/{job_id}/cancel"
JOBS_PATH = "/api/v1/jobs"
RENDER_PATH = "/api/v1/video/render"
RENDER_BY_ID_PATH = "/api/v1/video/render/{storyboard_job_id}"
VOICES_PATH = "/api/v1/voices"
FONTS_PATH = "/api/v1/fonts"
QUOTA_PATH = "/api/v1/quota"
AWS_CONNECTIONS_PATH = "/serviceapis/v1/awsconnections"
AWS_CONNECTION_PATH = "/serviceapis/v1/awsconnections/{connection_id}"
VOICEOVER_TRACKS_PATH = "/serviceapis/v1/voiceovers/tracks"
VOICEOVER_TRACK_PATH = "/serviceapis/v1/voiceovers/tracks/{track_id}"
TOKEN_PATH = "/auth/token"  # noqa: S105 - a path, not a secret
MEDIA_PATH = "/media/{job_id}/{file_name}"

OPERATIONS = (
    *("storyboard", "job", "render", "aws_connections", "voiceover_tracks", "token", "media"),
    *("cancel", "jobs", "render_by_id", "voices", "fonts", "quota"),
    *("aws_connection_list", "aws_connection", "voiceover_track_list", "voiceover_track"),
)
"""The names of the operations. The first line is the interface's; comparable services have the others."""

_NAMES = {
    STORYBOARD_PATH: "storyboard",
    RENDER_PATH: "render",
    AWS_CONNECTIONS_PATH: "aws_connections",
    VOICEOVER_TRACKS_PATH: "voiceover_tracks",
    TOKEN_PATH: "token",
    JOBS_PATH: "jobs",
    VOICES_PATH: "voices",
    FONTS_PATH: "fonts",
    QUOTA_PATH: "quota",
}
_LISTS = {AWS_CONNECTIONS_PATH: "aws_connection_list", VOICEOVER_TRACKS_PATH: "voiceover_track_list"}
_OF_ONE_THING = {
    "/api/v1/job/": "job",
    f"{RENDER_PATH}/": "render_by_id",
    f"{AWS_CONNECTIONS_PATH}/": "aws_connection",
    f"{VOICEOVER_TRACKS_PATH}/": "voiceover_track",
}


def operation_of(method: str, path: str) -> str | None:
    """Name the operation that a request calls; None for pages and the admin API.

    :param method: of the request
    :param path: of the request
    """
    if path.startswith("/media/") and path.count("/") == 3:
        return "media"
    if method == "POST" and path.startswith("/api/v1/job/") and path.endswith("/cancel"):
        return "cancel"
    if method == "GET" and path in _LISTS:
        return _LISTS[path]
    for beginning, name in _OF_ONE_THING.items():
        if path.startswith(beginning):
            return name
    return _NAMES.get(path)
