"""The error replies of the service and the handlers which turn every failure into one of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from ..conduct.dialect import Dialect
from ..contract.error import ErrorBody, error_body
from ..contract.voiceover_track import ELEVENLABS_ONLY
from ..contract.wire_types import MEANINGS

log = logging.getLogger(__name__)

OPERATION_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "Bad request: validation errors or missing fields."},
    401: {"model": ErrorBody, "description": "Invalid or missing access token or user id."},
}
"""The errors of every operation. Source: the interface, "Errors"."""
REGISTRATION_ERRORS: dict[int | str, dict[str, Any]] = {
    **OPERATION_ERRORS,
    500: {"model": ErrorBody, "description": "Internal server error."},
}
"""The errors of the operations which register something. Source: the interface, "Errors"."""


class ServiceError(Exception):
    """An error reply to send.

    :param status: HTTP status
    :param message: what is wrong and what to do about it
    :param fields: path of a field -> what is wrong with it
    """

    def __init__(self, status: int, message: str, fields: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.fields = fields or {}

    @classmethod
    def of_field(cls, path: str, problem: str) -> ServiceError:
        """A 400 for one field.

        :param path: of the field
        :param problem: what is wrong with it
        """
        return cls(400, f"The request is not valid: {path}: {problem}.", {path: [problem]})


def error_reply(
    request: Request,
    status: int,
    message: str,
    fields: Mapping[str, Sequence[str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Make the reply of an error.

    :param request: to which it is the reply; its service's dialect decides the form
    :param status: HTTP status
    :param message: for people
    :param fields: path of a field -> what is wrong with it
    :param headers: headers to send along
    """
    dialect: Dialect = request.app.state.service.conduct.behaviour.dialect
    worded = dialect.error(status, error_body(status, message, fields))
    if isinstance(worded, dict):
        return JSONResponse(worded, status, headers)
    return HTMLResponse(worded or "", status, headers)


def field_path(location: Sequence[int | str]) -> str:
    """Write a pydantic location as a path: `("body", "scenes", 2, "text")` -> `scenes[2].text`.

    :param location: the error's `loc`; names of union members in it (as in `("body", "aws", "engine")`) stay out
    """
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in ("body", "path", "query", "aws", "google", "elevenlabs"):
            path += f".{part}" if path else part
    return path or "body"


def field_errors(problems: Sequence[Any]) -> dict[str, list[str]]:
    """Sort pydantic's errors by field.

    :param problems: as `errors()` of a validation error returns them
    :return: path of a field -> what is wrong with it
    """
    fields: dict[str, list[str]] = {}
    for problem in problems:
        location = () if problem["type"] == "json_invalid" else problem["loc"]
        fields.setdefault(field_path(location), []).append(_wording(problem))
    return fields


def _wording(problem: Any) -> str:
    if problem["type"] == "none_required":
        return ELEVENLABS_ONLY
    if problem["type"] == "string_pattern_mismatch":
        pattern = problem["ctx"]["pattern"]
        return f"is not {MEANINGS.get(pattern, 'text that matches ' + pattern)}"
    return str(problem["msg"])


def _allowed(request: Request) -> str:
    """The methods of all routes of a path; Starlette names those of the first one alone."""
    routes = (
        route
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    )
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def add_error_handlers(app: FastAPI) -> None:
    """Make `app` answer every failure with an `ErrorBody`.

    :param app: the application
    """

    @app.exception_handler(ServiceError)
    async def answer_service_error(request: Request, error: ServiceError) -> Response:
        return error_reply(request, error.status, error.message, error.fields)

    @app.exception_handler(RequestValidationError)
    async def answer_validation_error(request: Request, error: RequestValidationError) -> Response:
        fields = field_errors(error.errors())
        return error_reply(request, 400, f"The request is not valid: {', '.join(fields)}.", fields)

    @app.exception_handler(HTTPException)
    async def answer_http_error(request: Request, error: HTTPException) -> Response:
        headers = {"Allow": _allowed(request)} if error.status_code == 405 else error.headers
        return error_reply(request, error.status_code, str(error.detail), headers=headers)

    @app.exception_handler(Exception)
    async def answer_crash(request: Request, error: Exception) -> Response:
        log.error("%s %s failed in the emulator itself", request.method, request.url.path, exc_info=error)
        return error_reply(request, 500, "The emulator failed; its log says where.")
