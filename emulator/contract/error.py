"""The body of every error reply. Source: ours; the interface names the statuses, not the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

CODES = {
    400: "bad_request",
    401: "unauthorized",
    402: "quota_exceeded",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    429: "rate_limited",
    500: "internal_error",
}


class FieldErrors(BaseModel):
    """What is wrong with one field, named by its path such as `scenes[2].backgroundUri`."""

    name: str
    errors: list[str]


class ErrorBody(BaseModel):
    """An error in the form that the emulator gives it unless a dialect says otherwise."""

    code: str
    message: str
    fields: list[FieldErrors] | None = None


def error_body(
    status: int, message: str, fields: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Write the body of an error.

    :param status: HTTP status
    :param message: for people
    :param fields: path of a field -> what is wrong with it
    """
    body: dict[str, Any] = {"code": CODES.get(status, "error"), "message": message}
    if fields:
        body["fields"] = [{"name": name, "errors": list(errors)} for name, errors in fields.items()]
    return body
