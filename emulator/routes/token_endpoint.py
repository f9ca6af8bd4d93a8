"""The token endpoint: client id and secret, as JSON or as an OAuth2 form, for an access token. Source: ours."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from ..contract.error import ErrorBody
from ..contract.operation_paths import TOKEN_PATH
from ..contract.token import TokenForm, TokenReply, TokenRequest
from ..credentials import CLIENT_ID, CLIENT_SECRET
from ..service import service_of
from .service_error import ServiceError, field_errors

token_endpoint = APIRouter()

FORM = "application/x-www-form-urlencoded"

_REQUEST_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": TokenRequest.model_json_schema()},
        FORM: {"schema": TokenForm.model_json_schema()},
    },
}


@token_endpoint.post(
    TOKEN_PATH,
    operation_id="fetchToken",
    response_model=TokenReply,
    responses={400: {"model": ErrorBody}, 401: {"model": ErrorBody}},
    openapi_extra={"requestBody": _REQUEST_BODY},
)
async def fetch_token(request: Request) -> Response:
    """Give an access token for client id and secret."""
    credentials = _read(request.headers.get("content-type", ""), await request.body())
    if (credentials.client_id, credentials.client_secret) != (CLIENT_ID, CLIENT_SECRET):
        raise ServiceError(401, "client_id or client_secret is wrong.")
    service = service_of(request)
    lifetime = service.conduct.behaviour.token_seconds
    token = service.tokens.issue(lifetime)
    return JSONResponse(service.conduct.behaviour.dialect.token(token, lifetime))


def _read(content_type: str, body: bytes) -> TokenRequest:
    try:
        if content_type.startswith(FORM):
            form = parse_qs(body.decode(), keep_blank_values=True)
            return TokenForm.model_validate({name: values[0] for name, values in form.items()})
        fields: Any = json.loads(body)
        return TokenRequest.model_validate(fields)
    except ValidationError as error:
        fields_wrong = field_errors(error.errors())
        raise ServiceError(
            400, f"The request is not valid: {', '.join(fields_wrong)}.", fields_wrong
        ) from None
    except (ValueError, RecursionError):
        message = "The body must be a JSON object with client_id and client_secret, or an OAuth2 form."
        raise ServiceError(400, message) from None
