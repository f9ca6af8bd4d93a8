"""The path of each operation at the service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from .extra import ConnectionExtra, quoted

DEFAULT_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "storyboard": "/api/v1/video/storyboard",
        "job": "/api/v1/job/{job_id}",
        "render": "/api/v1/video/render",
        "aws_connections": "/serviceapis/v1/awsconnections",
        "voiceover_tracks": "/serviceapis/v1/voiceovers/tracks",
    }
)
"""The path of each operation (source: the interface, "Endpoints"; the follow-up operations: ours)."""
FURTHER_PATHS = (
    *("cancel", "jobs", "voices", "quota"),
    *("aws_connection_list", "aws_connection", "voiceover_track_list", "voiceover_track"),
)
"""What comparable services have and the interface does not show: without a default, and used only where the connection
names it (ours)."""
_NAMED = {
    "job": "job_id",
    "cancel": "job_id",
    "aws_connection": "connection_id",
    "voiceover_track": "track_id",
}
"""The paths of one thing, and the placeholder in them for its id."""


def paths_of(values: ConnectionExtra) -> dict[str, str]:
    """The paths that a connection names; what is wrong with them is added to its problems.

    :param values: the connection's extra.
    """
    paths = values.texts("paths")
    for name, path in paths.items():
        if problem := _problem(name, path):
            values.problems.append(f"extra {problem}")
    return paths


def _problem(name: str, path: str) -> str | None:
    if name not in (*DEFAULT_PATHS, *FURTHER_PATHS):
        return (
            f"paths has the unknown key {quoted(name)}; the known keys are "
            f"{', '.join((*DEFAULT_PATHS, *FURTHER_PATHS))}"
        )
    if not path.startswith("/") or not path.isprintable() or " " in path or "#" in path:
        return f"paths.{name} must begin with a slash and contain no space and no #, not {quoted(path)}"
    if path.startswith("//"):
        return f"paths.{name} must begin with one slash, not {quoted(path)}"
    needed = _NAMED.get(name)
    if needed and f"{{{needed}}}" not in path:
        return f"paths.{name} must contain {{{needed}}}, such as /v1/things/{{{needed}}}, not {quoted(path)}"
    strange = [found for found in re.findall(r"\{[^{}]*\}", path) if found != f"{{{needed}}}"]
    return f"paths.{name} holds {quoted(strange[0])}, which nothing fills in" if strange else None
