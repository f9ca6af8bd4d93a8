"""``check FILE``: is a request right? Nothing is sent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .command import Argument, Command

if TYPE_CHECKING:
    from ..provider.models.request_model import RequestModel

KINDS = {"storyboard": "Storyboard", "voiceover": "VoiceoverTrack", "aws-connection": "AwsConnection"}
TEMPLATE = "template"
"""A storyboard template, which is no request (docs/templates.md)."""


def run(arguments: argparse.Namespace) -> int:
    """Check the file; 0 when it is right, 1 with every problem when it is not, 2 when it cannot be read."""
    from ..provider.errors import InvalidRequestError

    try:
        text = arguments.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        print(f"{arguments.file} cannot be read: {reason}", file=sys.stderr)
        return 2
    try:
        found, warnings = _checked(text, arguments.kind)
    except InvalidRequestError as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        others = ", ".join(kind for kind in (*KINDS, TEMPLATE) if kind != arguments.kind)
        print(f"If it is no {arguments.kind}, name what it is with --kind ({others}).", file=sys.stderr)
        return 1
    for warning in warnings:
        print(f"{arguments.file}: warning: {warning}", file=sys.stderr)
    print(f"{arguments.file}: a valid {found}")
    return 0


def _checked(text: str, kind: str) -> tuple[str, list[str]]:
    """What a text is, when it is right, and what the log would warn of.

    :raises InvalidRequestError: it is not.
    """
    if kind == TEMPLATE:
        from ..provider.articles.template import SUBJECT, StoryboardTemplate

        StoryboardTemplate.read(text)
        return SUBJECT, []
    from ..provider import models

    model: type[RequestModel] = getattr(models, KINDS[kind])
    request = model.read(text)
    request.require_no_known_extra()
    return f"{model.subject}{_size(request)}", [*request.warnings(), *_range_warnings(request)]


def _size(request: RequestModel) -> str:
    from ..provider.models import Storyboard

    if isinstance(request, Storyboard):
        return f" with {len(request.scenes)} scene{'s' if len(request.scenes) > 1 else ''}"
    return ""


def _range_warnings(request: RequestModel) -> list[str]:
    from ..provider.models import Storyboard
    from ..provider.models.ranges import range_warnings

    return range_warnings(request) if isinstance(request, Storyboard) else []


COMMAND = Command(
    "check",
    "check a JSON or YAML file without sending it",
    run,
    (
        Argument("file", "a JSON or YAML file", {"type": Path}),
        Argument(
            "--kind",
            "what it is (default: storyboard)",
            {"choices": [*KINDS, TEMPLATE], "default": "storyboard"},
        ),
    ),
)
