"""The Airflow user that the webhook receiver acts as: the receiver may do what that user may do."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

from airflow.providers.common.compat.sdk import AirflowNotFoundException

from ...hooks.airflow.public_api import LOGIN_PATH, authorization, login_body, login_token
from ...hooks.async_connection import aget_connection
from ...hooks.tokens.masking import mask_token
from ..airflow_api import AirflowApi

KEPT_SECONDS = 600.0
"""The longest that a login is reused (ours)."""
SPARE_SECONDS = 60.0
"""How long before it expires a login is no longer used (ours)."""

Credentials = tuple[str | None, str | None]


class IdentityMissingError(Exception):
    """There is no user that the receiver could act as.

    :param problem: what is wrong and what to do, for the log; without credentials.
    """


class AirflowIdentities:
    """Logs in at Airflow's own API, and remembers the login.

    :param read: gives login and password of a connection; None where there is no such connection.
    :param clock: gives epoch seconds.
    """

    def __init__(
        self, read: Callable[[str], Awaitable[Credentials | None]], clock: Callable[[], float]
    ) -> None:
        self._read = read
        self._clock = clock
        self._tokens: dict[str, tuple[float, str]] = {}

    async def api(self, airflow_app: Any, conn_id: str) -> AirflowApi:
        """Airflow's API as the identity sees it.

        :param airflow_app: Airflow's application.
        :param conn_id: the connection with the user's login and password.
        :raises IdentityMissingError: there is none, or Airflow does not let it in.
        :raises AirflowApiError: Airflow cannot say now.
        """
        until, token = self._tokens.get(conn_id, (0.0, ""))
        if self._clock() >= until:
            token = await self._log_in(airflow_app, conn_id)
        return AirflowApi(airflow_app, authorization(token))

    def forget(self, conn_id: str) -> None:
        """Log in again next time.

        :param conn_id: whose login is not taken any more.
        """
        self._tokens.pop(conn_id, None)

    async def _log_in(self, airflow_app: Any, conn_id: str) -> str:
        credentials = await self._read(conn_id)
        if not credentials or not all(credentials):
            raise IdentityMissingError(
                f"there is no Airflow connection {conn_id!r} with the login and the password of an Airflow user: "
                "create it (docs/operate/webhooks.md, Set up)"
            )
        login, password = map(str, credentials)
        async with AirflowApi(airflow_app, {}) as api:
            reply = await api.call(
                "POST",
                LOGIN_PATH,
                json=login_body(login, password),
                also=(400, 401, 403, 404),
            )
        token = login_token(reply.content)
        if token is None:
            raise IdentityMissingError(
                f"Airflow answered {reply.status} to the login of connection {conn_id!r}: correct its login and "
                f"password, or check that the auth manager issues tokens at {LOGIN_PATH}"
            )
        await mask_token(token)
        now = self._clock()
        until = min(_expiry(token, now) - SPARE_SECONDS, now + KEPT_SECONDS)
        self._tokens[conn_id] = (until, token)
        return token


def _expiry(token: str, now: float) -> float:
    """When a token expires, as it says itself; Airflow, which gave it, checks that."""
    try:
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        return float(claims["exp"])
    except (IndexError, KeyError, TypeError, ValueError):
        return now


async def read_credentials(conn_id: str) -> Credentials | None:
    """Login and password of an Airflow connection of any type; None where there is no such connection.

    :param conn_id: the connection.
    """
    try:
        connection = await aget_connection(conn_id)
    except AirflowNotFoundException:
        return None
    return connection.login, connection.password
