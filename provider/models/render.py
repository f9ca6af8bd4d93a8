"""The body of a render request (source: the interface, "Follow-up operations"; its shape: ours)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidRequestError, Problem
from .json_value import unsendable
from .media import is_web_url
from .request_text import parse_request_text

SUBJECT = "render request"


def render_body(render_settings: Any, webhook: str | None = None) -> dict[str, Any]:
    """The render settings as they are sent: unchanged, plus the webhook.

    :param render_settings: an object from a finished storyboard job, or its JSON or YAML text.
    :param webhook: callback URL for the job's completion.
    :raises InvalidRequestError: the settings are no object, empty, or hold what JSON cannot; or the webhook is
        no URL.
    """
    settings = parsed_settings(render_settings)
    problems = []
    if not isinstance(settings, Mapping) or not settings:
        given = type(settings).__name__ if settings else "nothing"
        message = f"must be the object that a finished storyboard job gave as render_settings, not {given}"
        problems.append(Problem("render_settings", "", message))
    elif found := unsendable(settings):
        problems.append(Problem("render_settings", "", found))
    problems += _webhook_problems(webhook)
    if problems:
        raise InvalidRequestError(SUBJECT, problems)
    return {**settings, **({"webhook": webhook} if webhook else {})}


def webhook_body(webhook: str | None = None) -> dict[str, Any]:
    """The body of a render by the storyboard's job id: the webhook alone (source: ours).

    :param webhook: callback URL for the job's completion.
    :raises InvalidRequestError: the webhook is no URL.
    """
    if problems := _webhook_problems(webhook):
        raise InvalidRequestError(SUBJECT, problems)
    return {"webhook": webhook} if webhook else {}


def _webhook_problems(webhook: str | None) -> list[Problem]:
    if webhook and not is_web_url(webhook):
        return [Problem("webhook", "", "must be an http(s) URL")]
    return []


def parsed_settings(render_settings: Any) -> Any:
    """Render settings, read where they are a text (source: ours).

    :param render_settings: as for ``render_body``.
    :return: not checked.
    :raises InvalidRequestError: a text that is no JSON or YAML object.
    """
    if isinstance(render_settings, str) and render_settings:
        return parse_request_text(render_settings, SUBJECT)
    return render_settings
