"""Whose waits are compared, and how each waits for one job. The dialects are those of ``faults_peers``.

Triggers get the arguments that their operators give them, and the interval. Only dbt-cloud's URL is patched: it speaks
TLS only, which would be most of its cost here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from faults_peers import CONNECTION_ID, PEERS
from waiting_service import ANY_JOB, job_id

POOL = 100
"""Connections of the bare loop: aiohttp's own default, and ours."""
HOUR = 3600.0

Wait = Callable[[int], Awaitable[bool]]
"""Waits for the job of that number, and says whether it was found completed."""


@dataclass(frozen=True)
class Contender:
    """One row.

    :param dialect: whose in ``faults_peers.PEERS``.
    :param waits: a context in which one can wait, for a local port and an interval in seconds.
    :param extra: of the Airflow connection, beside what the dialect needs.
    """

    dialect: str
    waits: Callable[[int, float], Any]
    extra: Mapping[str, Any] | None = None

    def connection(self, port: int) -> Mapping[str, Any]:
        """The Airflow connection, for a local port."""
        connection = PEERS[self.dialect].connection(port)
        return {**connection, "extra": {**connection.get("extra", {}), **(self.extra or {})}}

    def answers(self) -> list[tuple[int, str]]:
        """What the service says while a job runs, and when it has ended."""
        bodies = PEERS[self.dialect].bodies
        answers = [bodies[name] for name in ("running", "completed")]
        return [(status, body.replace(b"j-1", ANY_JOB).decode()) for status, body in answers]


@asynccontextmanager
async def _bare(port: int, interval: float) -> AsyncIterator[Wait]:
    import aiohttp

    headers = {"Authorization": "Bearer token", "X-User-Id": "user", "Accept": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=POOL)) as session:

        async def wait(number: int) -> bool:
            while True:
                async with session.get(
                    f"http://127.0.0.1:{port}/api/v1/job/{number}", headers=headers
                ) as reply:
                    job = json.loads(await reply.read())
                if job["data"]["status"] == "completed":
                    return True
                await asyncio.sleep(interval)

        yield wait


def _waits_of(dialect: str, trigger: Callable[[int, float], Any]) -> Callable[[int, float], Any]:
    """Waits of triggers that are made for the number of a job and an interval."""

    @asynccontextmanager
    async def waits(port: int, interval: float) -> AsyncIterator[Wait]:
        async def wait(number: int) -> bool:
            events = trigger(number, interval).run()
            try:
                return PEERS[dialect].end((await anext(events)).payload) == "ok"
            finally:
                await events.aclose()

        yield wait

    return waits


def _ours(number: int, interval: float) -> Any:
    from airflow_video_creation.triggers.video_job import VideoJobTrigger

    return VideoJobTrigger(job_id(number), CONNECTION_ID, poll_interval=interval, deadline=time.time() + HOUR)


def _http(number: int, interval: float) -> Any:
    from airflow.providers.http.triggers.http import HttpSensorTrigger

    return HttpSensorTrigger(endpoint=f"jobs/{number}", http_conn_id=CONNECTION_ID, poke_interval=interval)


def _dbt_cloud(number: int, interval: float) -> Any:
    from airflow.providers.dbt.cloud.hooks.dbt import DbtCloudHook
    from airflow.providers.dbt.cloud.triggers.dbt import DbtCloudRunJobTrigger

    def without_tls(tenant: str, endpoint: str, *_: Any, **__: Any) -> tuple[str, dict[str, Any]]:
        return f"http://{tenant}/api/v2/accounts/{endpoint}", {}

    DbtCloudHook.get_request_url_params = staticmethod(without_tls)
    return DbtCloudRunJobTrigger(
        conn_id=CONNECTION_ID,
        run_id=number,
        end_time=time.time() + HOUR,
        poll_interval=interval,
        account_id=None,
        hook_params={},
    )


def _databricks(number: int, interval: float) -> Any:
    from airflow.providers.databricks.triggers.databricks import DatabricksExecutionTrigger

    return DatabricksExecutionTrigger(number, CONNECTION_ID, polling_period_seconds=interval)


CONTENDERS: Mapping[str, Contender] = {
    "bare": Contender("ours", _bare),
    "ours": Contender("ours", _waits_of("ours", _ours), {"requests_per_minute": 1_000_000}),
    "http": Contender("http", _waits_of("http", _http)),
    "dbt-cloud": Contender("dbt-cloud", _waits_of("dbt-cloud", _dbt_cloud)),
    "databricks": Contender("databricks", _waits_of("databricks", _databricks)),
}
