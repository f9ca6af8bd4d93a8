"""The calls of the interface: what is asked, of which path, with which body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .messages import HttpRequest
from .profile import ServiceProfile


@dataclass(frozen=True)
class Call:
    """One call of the interface, not yet bound to a token.

    :param operation: what it does, for messages, such as ``create storyboard``.
    :param method: the HTTP method.
    :param path: the path below the base URL.
    :param body: the JSON body, None for GET.
    :param submission: True when the call makes something that may cost money, so it is sent once.
    :param job_id: the job that is asked for.
    """

    operation: str
    method: str
    path: str
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    submission: bool = False
    job_id: str | None = None

    def request(self, profile: ServiceProfile, *, token: str, user_id: str, user_agent: str) -> HttpRequest:
        """The HTTP request with the interface's headers (source: the interface, "Endpoints")."""
        headers = {
            "Authorization": f"{profile.token_prefix} {token}".strip(),
            profile.user_id_header: user_id,
            "Accept": "application/json",
            "User-Agent": user_agent,
        }
        body = b""
        if self.body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(self.body, ensure_ascii=False, allow_nan=False).encode()
        return HttpRequest(self.method, profile.base_url + self.path, headers, body)


def create_storyboard(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Start a storyboard job (source: the interface, "Create a storyboard")."""
    return Call("create storyboard", "POST", profile.paths["storyboard"], body, submission=True)


def render_video(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Start a render job (source: the interface, "Follow-up operations"; method and body: ours)."""
    return Call("render video", "POST", profile.paths["render"], body, submission=True)


def register_aws_connection(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Register an AWS connection (source: the interface, "Register an AWS connection")."""
    return Call("register AWS connection", "POST", profile.paths["aws_connections"], body, submission=True)


def add_voiceover_track(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Add a voiceover track (source: the interface, "Add a voiceover track")."""
    return Call("add voiceover track", "POST", profile.paths["voiceover_tracks"], body, submission=True)


def get_job(profile: ServiceProfile, job_id: str) -> Call:
    """Read a job (source: the interface, "Follow-up operations")."""
    path = profile.paths["job"].replace("{job_id}", quote(job_id, safe=""))
    return Call("get job", "GET", path, job_id=job_id)
