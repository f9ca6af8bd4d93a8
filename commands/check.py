"""``check FILE``: is a request right? Nothing is sent."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .command import Argument, Command

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..provider.models.request_model import RequestModel
    from ..provider.pipelines.settings import PipelineSettings

STORYBOARD = "storyboard"
KINDS = {STORYBOARD: "Storyboard", "voiceover": "VoiceoverTrack", "aws-connection": "AwsConnection"}
TEMPLATE = "template"
"""A storyboard template, which is not a request (docs/sources/templates.md)."""
_KEY = re.compile(r"^[{\s]*\"?(\w+)\"?[ \t]*:", re.MULTILINE)
"""A key at the begin of a line, in a text that cannot be read."""
PIPELINE = "pipeline"
"""The settings of a pipeline, which are not a request (docs/recipes/pipelines-from-yaml.md)."""


def run(arguments: argparse.Namespace) -> int:
    """Check the file; 0 when it is right, 1 with every problem when it is not, 2 when it cannot be read."""
    from ..provider.errors import InvalidRequestError

    try:
        text = arguments.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8: save it as such"
        print(f"{arguments.file} cannot be read: {reason}", file=sys.stderr)
        return 2
    known = {} if arguments.kind else _known_keys(text)
    kind = arguments.kind or (PIPELINE if known[PIPELINE] > known[STORYBOARD] else STORYBOARD)
    try:
        found, warnings = _checked(text, kind, arguments.file)
    except InvalidRequestError as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        best = max(known, key=lambda other: known[other], default=kind)
        if known and known[best] > known[kind]:
            print(
                f"Its keys fit the kind {best!r} better: if that is what it is, add --kind {best}.",
                file=sys.stderr,
            )
        return 1
    for warning in warnings:
        print(f"{arguments.file}: warning: {warning}", file=sys.stderr)
    print(f"{arguments.file}: a valid {found}")
    return 0


def _known_keys(text: str) -> dict[str, int]:
    """How many keys of a text each kind knows."""
    from ..provider import models
    from ..provider.articles.template import StoryboardTemplate
    from ..provider.errors import InvalidRequestError
    from ..provider.models.request_text import parse_request_text
    from ..provider.pipelines.settings import PipelineSettings

    try:
        keys = set(parse_request_text(text, PIPELINE))
    except InvalidRequestError:
        keys = set(_KEY.findall(text))
    kinds = {kind: getattr(models, name) for kind, name in KINDS.items()}
    kinds |= {TEMPLATE: StoryboardTemplate, PIPELINE: PipelineSettings}
    return {kind: len(keys & _keys_of(model)) for kind, model in kinds.items()}


def _keys_of(model: type[BaseModel]) -> set[str | None]:
    fields = model.model_fields
    return {*fields, *(field.alias for field in fields.values())}


def _checked(text: str, kind: str, file: Path) -> tuple[str, list[str]]:
    """What a valid text is, and what the log would warn about.

    :raises InvalidRequestError: it is not.
    """
    if kind == PIPELINE:
        from ..pipelines.needed_packages import missing_packages
        from ..provider.pipelines.advice import shown_secrets
        from ..provider.pipelines.template import check_pipeline

        settings = check_pipeline(text, file.absolute(), Path)
        missing = missing_packages(settings)
        what = f"{PIPELINE}: DAG {settings.dag_id}, from {settings.source}, runs {_when(settings)}"
        if missing:
            what += "; its DAG cannot be imported here until what it needs is installed"
        return what, [*(f"it {told}" for told in missing), *shown_secrets(settings)]
    if kind == TEMPLATE:
        from ..provider.articles.template import SUBJECT, StoryboardTemplate

        StoryboardTemplate.read(text)
        return SUBJECT, []
    from ..provider import models

    model: type[RequestModel] = getattr(models, KINDS[kind])
    request = model.read(text)
    request.require_no_known_extra()
    return f"{model.subject}{_size(request)}", [*request.warnings(), *_range_warnings(request)]


def _when(settings: PipelineSettings) -> str:
    times = ["when the feed publishes something"] if settings.watch else []
    if settings.schedule:
        times.append(f"at {settings.schedule} ({settings.timezone})")
    return " and ".join(times) or "only when triggered"


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
            "what it is (default: storyboard or pipeline, decided by its keys)",
            {"choices": [*KINDS, TEMPLATE, PIPELINE]},
        ),
    ),
)
