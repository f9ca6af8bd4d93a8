"""The calls of the interface: what is asked, of which path, with which body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from ..connection.profile import ServiceProfile
from ..errors import ConfigurationError
from ..quoting import sentence
from ..rendered_text import is_nothing
from .messages import MAX_REPLY_BYTES, MIB, HttpRequest


@dataclass(frozen=True)
class Call:
    """One call of the interface, not yet bound to a token.

    :param operation: what it does, for messages, such as ``create storyboard``.
    :param method: the HTTP method.
    :param path: the path below the base URL.
    :param body: the JSON body, None for none.
    :param submission: True when the call makes something that may cost money, so it is sent once.
    :param changes: True when the call may change something else, so it is sent once, too.
    :param job_id: the job that is asked for.
    :param settings: what decides where the call goes, for messages; ``{connection}`` stands for the connection.
    :param connection: its id, for messages; empty where it is not known.
    :param key: of a submission, by which the service makes it once however often it is sent; None where it takes none.
    :param names_user: whether it carries a user id, for messages.
    :param is_fresh: whether no cache on the way may answer it from what it keeps.
    :param job_reply_bytes: of a call that reads a job, how large a success may be; None for any other call.
    """

    operation: str
    method: str
    path: str
    body: Any = field(default=None, repr=False)
    submission: bool = False
    changes: bool = False
    job_id: str | None = None
    settings: str = "the host and extra paths of {connection}"
    connection: str = ""
    key: str | None = None
    names_user: bool = True
    is_fresh: bool = False
    job_reply_bytes: int | None = None

    def __str__(self) -> str:
        """How a message begins: ``Get job 5 (GET /api/v1/job/5)``."""
        about = f" {self.job_id}" if self.job_id else ""
        return f"{sentence(self.operation)}{about} ({self.method} {self.shown_path})"

    @property
    def of_connection(self) -> str:
        """How a message names the connection: ``connection 'video_creation_default'``."""
        return f"connection {self.connection!r}" if self.connection else "the connection"

    @property
    def where_set(self) -> str:
        """What to check when it is not clear where the call went."""
        return self.settings.format(connection=self.of_connection)

    @property
    def is_sent_once(self) -> bool:
        """Whether it is not sent again where the service may have acted on it."""
        return self.submission or self.changes

    @property
    def shown_path(self) -> str:
        """The path without its query, which may hold a key."""
        return self.path.partition("?")[0]

    @cached_property
    def content(self) -> bytes:
        """The body as it is sent; empty for none."""
        if self.body is None:
            return b""
        # Any mapping is an object, not only a dict.
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False, default=dict).encode()

    def request(self, profile: ServiceProfile, *, token: str, user_id: str, user_agent: str) -> HttpRequest:
        """The HTTP request with the interface's headers (source: the interface, "Endpoints").

        :param profile: gives the base URL and the names of the headers.
        :param token: the access token.
        :param user_id: fills the user-id header.
        :param user_agent: names this provider and its version.
        """
        headers = {
            "Authorization": f"{profile.token_prefix} {token}".strip(),
            "Accept": "application/json",
            "User-Agent": user_agent,
        }
        if profile.user_id_header:
            headers[profile.user_id_header] = user_id
        if profile.idempotency_header and self.key:
            headers[profile.idempotency_header] = self.key
        if self.is_fresh:
            headers["Cache-Control"] = "no-cache"
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        return HttpRequest(
            self.method,
            profile.base_url + self.path,
            headers,
            self.content,
            MAX_REPLY_BYTES if self.job_reply_bytes is None else self.job_reply_bytes,
        )


def create_storyboard(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Start a storyboard job (source: the interface, "Create a storyboard").

    :param profile: gives the path.
    :param body: from ``Storyboard.to_wire``.
    """
    return Call("create storyboard", "POST", profile.paths["storyboard"], body, submission=True)


def render_video(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Start a render job (source: the interface, "Follow-up operations"; method and body: ours).

    :param profile: gives the path.
    :param body: from ``models.render.render_body``.
    """
    return Call("render video", "POST", profile.paths["render"], body, submission=True)


def render_storyboard(profile: ServiceProfile, storyboard_job_id: str, body: Mapping[str, Any]) -> Call:
    """Start a render job by its storyboard's job id, where the connection says so (source: ours).

    :param profile: gives the path.
    :param storyboard_job_id: opaque; never read, only quoted.
    :param body: from ``models.render.webhook_body``.
    :raises ConfigurationError: there is no job id, or it would lead to another path.
    """
    quoted = _quoted_job_id(storyboard_job_id)
    path, mark, query = profile.paths["render"].partition("?")
    path = f"{path.rstrip('/')}/{quoted}{mark}{query}"
    return Call("render video", "PUT", path, body, submission=True)


def register_aws_connection(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Register an AWS connection (source: the interface, "Register an AWS connection").

    :param profile: gives the path.
    :param body: from ``AwsConnection.to_wire``.
    """
    return Call("register AWS connection", "POST", profile.paths["aws_connections"], body, submission=True)


def add_voiceover_track(profile: ServiceProfile, body: Mapping[str, Any]) -> Call:
    """Add a voiceover track (source: the interface, "Add a voiceover track").

    :param profile: gives the path.
    :param body: from ``VoiceoverTrack.to_wire``.
    """
    return Call("add voiceover track", "POST", profile.paths["voiceover_tracks"], body, submission=True)


def get_job(profile: ServiceProfile, job_id: str, *, max_bytes: int | None = None) -> Call:
    """Read a job (source: the interface, "Follow-up operations").

    :param profile: gives the path, and how large the reply may be.
    :param job_id: opaque; never read, only quoted.
    :param max_bytes: how large it may be where less is read than the profile allows.
    :raises ConfigurationError: there is no job id, or it would lead to another path.
    """
    quoted = _quoted_job_id(job_id)
    allowed = int(profile.max_reply_mib * MIB)
    return Call(
        "get job",
        "GET",
        _path_of_job(profile.paths["job"], quoted),
        job_id=job_id,
        job_reply_bytes=allowed if max_bytes is None else min(allowed, max_bytes),
    )


def cancel_job(profile: ServiceProfile, job_id: str) -> Call | None:
    """Cancel a job, where the profile names a path for it; the interface shows none (source: ours).

    :param profile: gives the path, as ``paths.cancel``.
    :param job_id: opaque; never read, only quoted.
    :return: None when the profile names no path.
    :raises ConfigurationError: there is no job id, or it would lead to another path.
    """
    path = profile.paths.get("cancel")
    if path is None:
        return None
    return Call("cancel job", "POST", _path_of_job(path, _quoted_job_id(job_id)), {}, job_id=job_id)


def quoted_id(text: str) -> str | None:
    """An id as a path has it; None for what is not an id, or would lead to another path.

    :param text: opaque; never read, only quoted.
    """
    return None if is_nothing(text) or text in (".", "..") else quote(text, safe="", errors="replace")


def _path_of_job(path: str, quoted: str) -> str:
    return path.replace("{job_id}", quoted)


def _quoted_job_id(job_id: str) -> str:
    quoted = quoted_id(job_id)
    if quoted is None:
        hint = " Was the task that gives it skipped, or did it return nothing?" if is_nothing(job_id) else ""
        raise ConfigurationError(
            f"{job_id!r} cannot be the id of a job: pass what a storyboard or render task returned, "
            f"such as CreateStoryboardOperator(...).output.{hint} Nothing was sent."
        )
    return quoted
