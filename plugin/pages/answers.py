"""What all pages of the plugin share: their headers, their refusals, and their HTML."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import jinja2
from fastapi import Request
from fastapi.responses import HTMLResponse

from ..airflow_api import AirflowApi
from ..airflow_app import airflow_app
from .task_facts import TaskFacts

CREDENTIALS = ("authorization", "cookie")
"""The headers by which Airflow knows its user."""
SECURITY_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
    "frame-src http: https:; media-src http: https:; img-src http: https:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer: media URLs are capabilities, so no cache keeps them and no other site sees them."""
REFUSALS = {
    401: ("You are not logged in", "Log in to Airflow, and open this page again."),
    403: ("Nothing to show", "This {what} does not exist, or you are not allowed to see it."),
    503: ("Airflow does not answer", "Airflow's API is not answering at the moment. Try again shortly."),
}

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _is_web(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("https://", "http://"))


_templates.tests["web"] = _is_web


def as_its_user(request: Request) -> AirflowApi:
    """Airflow's API as whoever opens the page sees it.

    :param request: for the page.
    """
    given = {name: request.headers[name] for name in CREDENTIALS if name in request.headers}
    return AirflowApi(airflow_app(request), given)


def told_status(status: int) -> int:
    """The status of a refusal, the same whether a thing does not exist or this user may not see it.

    :param status: of Airflow's answer.
    """
    return 401 if status == 401 else 403 if status < 500 else 503


def refusal(status: int, what: str = "task") -> HTMLResponse:
    """The page that says why Airflow shows nothing.

    :param status: of Airflow's answer.
    :param what: was asked for.
    """
    status = told_status(status)
    title, note = REFUSALS[status]
    page = TaskFacts(title, notes=(note.format(what=what),))
    return html("task.html", status, page=page, sandbox="", question="", form="")


def html(template: str, status: int, **values: Any) -> HTMLResponse:
    """A page that runs no script but its own.

    :param template: its file.
    :param status: the HTTP status.
    :param values: for the template.
    """
    nonce = secrets.token_urlsafe(16)
    headers = {**HEADERS, "Content-Security-Policy": SECURITY_POLICY.format(nonce=nonce)}
    text = _templates.get_template(template).render(nonce=nonce, **values)
    # People's words may hold half a surrogate pair.
    return HTMLResponse(text.encode("utf-8", "replace"), status, headers=headers)
