"""Who is compared: the connection, trigger and dialect of each. Triggers are made as their operators make them.

Nothing of a peer is patched. Where one insists on TLS, the service serves TLS with a certificate that the process
trusts through ``SSL_CERT_FILE``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Literal

from faults_service import Bodies
from faults_table import INTERVAL

End = Literal["ok", "time-out", "task fails"]
CONNECTION_ID = "measured"


def installed(peer: Peer) -> str | None:
    """The version of a peer, None where it is not installed."""
    try:
        return metadata.version(peer.distribution)
    except metadata.PackageNotFoundError:
        return None


def _bodies(body: Callable[[Any], Mapping[str, Any]], **words: Any) -> Bodies:
    return {name: (200, json.dumps(body(word)).encode()) for name, word in words.items()}


@dataclass(frozen=True)
class Peer:
    """One column.

    :param distribution: its package, whose version the page names.
    :param bodies: its service's dialect.
    :param connection: the Airflow connection, for a local port.
    :param trigger: makes the trigger, for a connection id and a deadline (seconds from now).
    :param end: what its operator makes of the event.
    :param tls: whether it speaks TLS only.
    :param passes_over: rows that do not apply to it.
    """

    distribution: str
    bodies: Bodies
    connection: Callable[[int], Mapping[str, Any]]
    trigger: Callable[[str, float], Any]
    end: Callable[[Any], End]
    tls: bool = False
    passes_over: tuple[str, ...] = ()


def _ours(connection_id: str, deadline: float) -> Any:
    import time

    from airflow_video_creation.triggers.video_job import VideoJobTrigger

    return VideoJobTrigger(
        job_id="j-1",
        video_creation_conn_id=connection_id,
        poll_interval=INTERVAL,
        deadline=time.time() + deadline,
        cancel_on_kill=False,
    )


def _ours_end(event: Any) -> End:
    if event["outcome"] == "completed":
        return "ok"
    return "time-out" if event["error"] == "JobDeadlinePassedError" else "task fails"


def _dbt_cloud(connection_id: str, deadline: float) -> Any:
    import time

    from airflow.providers.dbt.cloud.triggers.dbt import DbtCloudRunJobTrigger

    return DbtCloudRunJobTrigger(
        conn_id=connection_id,
        run_id=1,
        end_time=time.time() + deadline,
        poll_interval=INTERVAL,
        account_id=None,
        hook_params={},
    )


def _databricks(connection_id: str, deadline: float) -> Any:
    from airflow.providers.databricks.triggers.databricks import DatabricksExecutionTrigger

    return DatabricksExecutionTrigger(
        run_id=1,
        databricks_conn_id=connection_id,
        polling_period_seconds=INTERVAL,
        retry_limit=3,
        retry_delay=1,
    )


def _databricks_end(event: Any) -> End:
    return "ok" if json.loads(event["run_state"])["result_state"] == "SUCCESS" else "task fails"


def _airbyte(connection_id: str, deadline: float) -> Any:
    import time

    from airflow.providers.airbyte.triggers.airbyte import AirbyteSyncTrigger

    return AirbyteSyncTrigger(
        job_id=1, conn_id=connection_id, end_time=time.time() + deadline, poll_interval=INTERVAL
    )


def _openai(connection_id: str, deadline: float) -> Any:
    from airflow.providers.openai.triggers.openai import OpenAIBatchTrigger

    return OpenAIBatchTrigger(conn_id=connection_id, batch_id="b-1", poll_interval=INTERVAL, timeout=deadline)


def _http(connection_id: str, deadline: float) -> Any:
    from airflow.providers.http.triggers.http import HttpSensorTrigger

    return HttpSensorTrigger(endpoint="jobs/1", http_conn_id=connection_id, poke_interval=INTERVAL)


def _status_end(event: Any) -> End:
    if event["status"] == "success":
        return "ok"
    late = event["status"] == "timeout" or "has not reached a terminal status" in event["message"]
    return "time-out" if late else "task fails"


PEERS: Mapping[str, Peer] = {
    "ours": Peer(
        distribution="airflow-provider-video-creation",
        bodies=_bodies(
            lambda word: {"job_id": "j-1", "success": True, "data": {"status": word}},
            running="in-progress",
            completed="completed",
            polishing="polishing",
        ),
        connection=lambda port: {
            "conn_type": "video_creation",
            "host": f"http://127.0.0.1:{port}",
            "password": "token",
            "extra": {"user_id": "user"},
        },
        trigger=_ours,
        end=_ours_end,
        passes_over=("an answer of 9 MB",),
    ),
    "dbt-cloud": Peer(
        distribution="apache-airflow-providers-dbt-cloud",
        bodies=_bodies(lambda word: {"data": {"status": word}}, running=3, completed=10, polishing=99),
        connection=lambda port: {
            "conn_type": "dbt_cloud",
            "host": f"localhost:{port}",
            "login": "1",
            "password": "token",
        },
        trigger=_dbt_cloud,
        end=_status_end,
        tls=True,
    ),
    "databricks": Peer(
        distribution="apache-airflow-providers-databricks",
        bodies=_bodies(
            lambda words: {"state": {"life_cycle_state": words[0], "result_state": words[1]}, "tasks": []},
            running=("RUNNING", ""),
            completed=("TERMINATED", "SUCCESS"),
            polishing=("POLISHING", ""),
        ),
        connection=lambda port: {
            "conn_type": "databricks",
            "schema": "http",
            "host": "127.0.0.1",
            "port": port,
            "password": "token",
        },
        trigger=_databricks,
        end=_databricks_end,
    ),
    "airbyte": Peer(
        distribution="apache-airflow-providers-airbyte",
        bodies=_bodies(
            lambda word: {
                "connectionId": "c-1",
                "jobId": 1,
                "jobType": "sync",
                "startTime": "2026-01-01T00:00:00Z",
                "status": word,
            },
            running="running",
            completed="succeeded",
            polishing="polishing",
        ),
        connection=lambda port: {"conn_type": "airbyte", "host": f"http://127.0.0.1:{port}"},
        trigger=_airbyte,
        end=_status_end,
    ),
    "openai": Peer(
        distribution="apache-airflow-providers-openai",
        bodies=_bodies(
            lambda word: {"id": "b-1", "object": "batch", "status": word},
            running="in_progress",
            completed="completed",
            polishing="polishing",
        ),
        connection=lambda port: {
            "conn_type": "openai",
            "host": f"http://127.0.0.1:{port}/",
            "password": "token",
        },
        trigger=_openai,
        end=_status_end,
    ),
    "http": Peer(
        distribution="apache-airflow-providers-http",
        bodies={"running": (404, b"{}"), "completed": (200, b"{}"), "polishing": (404, b"{}")},
        connection=lambda port: {"conn_type": "http", "host": f"http://127.0.0.1:{port}"},
        trigger=_http,
        end=lambda event: "ok" if event is True else "task fails",
        passes_over=("unknown state word", "404 once", "an answer of 9 MB"),
    ),
}
