"""Airflow's own public REST API, called inside the API server: no network, and Airflow's own checks of who may what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from ..hooks.airflow.public_api import answered

NOWHERE = "http://airflow.internal"
"""The host of the requests, which never leave the process."""


def dag_path(dag_id: str) -> str:
    """The path of a DAG.

    :param dag_id: the DAG.
    """
    return f"/api/v2/dags/{quote(dag_id, safe='')}"


class AirflowApiError(Exception):
    """Airflow's API did not do what was asked.

    :param method: the HTTP method.
    :param path: as it was asked for.
    :param status: the HTTP status; 503 where there is no API in this process.
    """

    def __init__(self, method: str, path: str, status: int) -> None:
        super().__init__(f"Airflow's API: {answered(method, path, status)}")
        self.status = status


@dataclass(frozen=True)
class ApiReply:
    """An answer of Airflow's API.

    :param status: the HTTP status.
    :param content: the JSON of the body; None where there is none.
    """

    status: int
    content: Any = None


class AirflowApi:
    """Airflow's public API as one user sees it; use with ``async with``.

    :param airflow_app: Airflow's application, see ``plugin.airflow_app``.
    :param headers: with which the user proves who he is: ``Authorization`` or ``Cookie``.
    """

    def __init__(self, airflow_app: Any, headers: Mapping[str, str]) -> None:
        self._there_is_one = airflow_app is not None
        transport = httpx.ASGITransport(app=airflow_app, raise_app_exceptions=False)
        # Without trust_env=False each client would look for proxies and prepare to use them.
        self._client = httpx.AsyncClient(
            transport=transport, base_url=NOWHERE, headers=dict(headers), trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        also: tuple[int, ...] = (),
    ) -> ApiReply:
        """Call one operation.

        :param method: the HTTP method.
        :param path: such as ``/api/v2/assets``, quoted.
        :param params: of the query.
        :param json: the body, None for none.
        :param also: statuses other than a success that are an answer too.
        :raises AirflowApiError: any other status.
        """
        if not self._there_is_one:
            raise AirflowApiError(method, path, 503)
        reply = await self._client.request(method, path, params=params, json=json)
        if not (reply.is_success or reply.status_code in also):
            raise AirflowApiError(method, path, reply.status_code)
        try:
            content = reply.json() if reply.content else None
        except ValueError:
            raise AirflowApiError(method, path, 502) from None
        return ApiReply(reply.status_code, content)

    async def get(self, path: str, **params: Any) -> Any:
        """Read one thing; None when it is not there.

        :param path: such as ``/api/v2/assets``, quoted.
        :param params: of the query.
        :raises AirflowApiError: any status but a success and 404.
        """
        reply = await self.call("GET", path, params=params, also=(404,))
        return None if reply.status == 404 else reply.content
