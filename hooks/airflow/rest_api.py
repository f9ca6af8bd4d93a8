"""Airflow's own public REST API, read by the triggerer as the user that an Airflow connection names.

Importing this takes long enough to block an event loop; import it in a thread.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import aiohttp
from airflow.providers.common.compat.sdk import AirflowNotFoundException

from ...provider.errors import ConfigurationError
from ..async_connection import aget_connection, aget_extra
from ..tokens.masking import mask_token
from ..transport.failures import failure_reason
from ..transport.tls_trust import tls_context
from .public_api import LOGIN_PATH, answered, authorization, login_body, login_token

CONNECT_TIMEOUT, TOTAL_TIMEOUT = 5.0, 10.0
"""Seconds that connecting, and a whole request, may take (ours)."""
MAX_BYTES = 4 * 2**20
"""Bytes of the longest reply that is read (ours)."""


class RemoteAirflowApiError(Exception):
    """Airflow's public API could not be asked; the message says why, and what to do."""


class RemoteAirflowApi:
    """Reads Airflow's public REST API without ever blocking the event loop.

    Use as ``async with RemoteAirflowApi(conn_id) as api``. The connection's host (with scheme, or with schema and
    port) is the address at which this machine reaches the API server, a path prefix included; login and password are
    those of an Airflow user; extra ``verify`` is false, or the path of a CA file. The token is fetched when it is
    first needed, and again when it is refused.

    :param conn_id: an Airflow connection, of any type.
    """

    def __init__(self, conn_id: str) -> None:
        self._conn_id = conn_id
        self._token: str | None = None
        self._session: aiohttp.ClientSession
        self._base_url = ""
        self._credentials: Mapping[str, str] = {}

    async def __aenter__(self) -> Self:
        """Read the connection and open the session.

        :raises RemoteAirflowApiError: there is no such connection, or it lacks something.
        """
        try:
            connection = await aget_connection(self._conn_id)
            extra = await aget_extra(connection)
        except AirflowNotFoundException:
            raise RemoteAirflowApiError(
                f"there is no Airflow connection {self._conn_id!r}: create it with the login and password of an "
                "Airflow user, and the API server's address as its host"
            ) from None
        except Exception as error:
            # The error's own words may quote the connection.
            raise RemoteAirflowApiError(
                f"Airflow could not read the connection {self._conn_id!r} ({type(error).__name__})"
            ) from None
        self._base_url = _base_url(connection)
        given = {"host": self._base_url, "login": connection.login, "password": connection.password}
        if missing := [name for name, value in given.items() if not value]:
            raise RemoteAirflowApiError(f"connection {self._conn_id!r} has no {' and no '.join(missing)}")
        self._credentials = login_body(str(connection.login), str(connection.password))
        verify = extra.get("verify", True) if isinstance(extra, Mapping) else True
        try:
            tls = await asyncio.to_thread(tls_context, verify)
        except ConfigurationError as error:
            raise RemoteAirflowApiError(f"connection {self._conn_id!r}: {error}") from None
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=tls),
            timeout=aiohttp.ClientTimeout(total=TOTAL_TIMEOUT, sock_connect=CONNECT_TIMEOUT),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the session."""
        await self._session.close()

    async def get(self, path: str, params: Mapping[str, str]) -> Any:
        """The JSON that a GET is answered with.

        :param path: below the API server's address, such as ``/api/v2/dags``.
        :param params: of the query.
        :raises RemoteAirflowApiError: there is no such answer.
        """
        for _ in range(2):
            self._token = self._token or await self._login()
            headers = {**authorization(self._token), "Accept": "application/json"}
            status, answer = await self._ask("GET", path, headers=headers, params=params)
            if status != 401:
                break
            self._token = None
        if status == 200:
            return answer
        user = f"the user {self._credentials['username']!r} of connection {self._conn_id!r}"
        if status in (401, 403):
            raise RemoteAirflowApiError(f"{answered('GET', path, status)}: {user} is not allowed to read it")
        raise RemoteAirflowApiError(answered("GET", path, status))

    async def _login(self) -> str:
        status, answer = await self._ask("POST", LOGIN_PATH, json=self._credentials)
        token = login_token(answer)
        if status not in (200, 201) or token is None:
            raise RemoteAirflowApiError(
                f"{answered('POST', LOGIN_PATH, status)} without a token: check that login and password of connection "
                f"{self._conn_id!r} are those of an Airflow user, and that its host is the API server"
            )
        await mask_token(token)
        return token

    async def _ask(self, method: str, path: str, **request: Any) -> tuple[int, Any]:
        """Send one request; its status, and its JSON where it is a success."""
        try:
            async with self._session.request(
                method, self._base_url + path, allow_redirects=False, **request
            ) as response:
                body = b""
                while not response.content.at_eof():
                    body += await response.content.readany()
                    if len(body) > MAX_BYTES:
                        raise RemoteAirflowApiError(
                            f"{method} {path} was answered with more than {MAX_BYTES:,} bytes"
                        )
            return response.status, json.loads(body) if response.status in (200, 201) else None
        except TimeoutError:
            raise RemoteAirflowApiError(
                f"{method} {path} was not answered within {TOTAL_TIMEOUT:.0f} s"
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            raise RemoteAirflowApiError(f"{method} {path}: {failure_reason(error, self._base_url)}") from None
        except (ValueError, RecursionError):
            raise RemoteAirflowApiError(
                f"{method} {path} was not answered with JSON: check that the host of connection {self._conn_id!r} is "
                "the API server"
            ) from None


def _base_url(connection: Any) -> str:
    host = (connection.host or "").rstrip("/")
    if not host or "://" in host:
        return host
    port = f":{connection.port}" if connection.port else ""
    name, slash, prefix = host.partition("/")
    return f"{connection.schema or 'http'}://{name}{port}{slash}{prefix}"
