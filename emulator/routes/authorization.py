"""The check of token and user id before an operation. Source: the interface, "Authentication"."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from ..credentials import USER_ID
from ..service import service_of
from .service_error import ServiceError

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

AUTHORIZATION = "Authorization"


class AuthorizedRoute(APIRoute):
    """A route which looks at token and user id before it reads the body."""

    def get_route_handler(self) -> Handler:
        """Put the check before the route's own handler."""
        handle = super().get_route_handler()

        async def check_and_handle(request: Request) -> Response:
            check_caller(request)
            return await handle(request)

        return check_and_handle


def check_caller(request: Request) -> None:
    """Check token and user id.

    :param request: of an operation
    :raises ServiceError: 401
    """
    service = service_of(request)
    dialect = service.conduct.behaviour.dialect
    token = dialect.bare_token(request.headers.get(AUTHORIZATION, ""))
    if not token:
        raise ServiceError(401, f"The header {AUTHORIZATION} contains no access token.")
    if not service.tokens.is_valid(token):
        raise ServiceError(401, "The access token is not valid or has expired: fetch a new one.")
    header = dialect.user_id_header
    if header is not None and request.headers.get(header) != USER_ID:
        raise ServiceError(401, f"The header {header} is missing or does not name a user of this service.")
