"""What the service's calls do in a whole Airflow: the API server accepts them, the triggerer wakes, DAGs start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster.airflow_cluster import AirflowCluster
from cluster.until import until

from airflow_video_creation.emulator import Emulator

pytestmark = pytest.mark.few

FOREVER = 86400.0
SECRET = "only-for-this-test"


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    """A service whose jobs end when a test says so, and which calls addresses of this machine."""
    with Emulator(process=True, instant=True, job_seconds=FOREVER, allow_private_networks=True) as running:
        yield running


@pytest.fixture(scope="module")
def cluster(emulator: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AirflowCluster]:
    """An Airflow with the connection that asks for calls, and the user that receives them."""
    dags = Path(__file__).parent / "dags"
    variables = {"SYSTEM_TEST_FOLDER": str(tmp_path_factory.mktemp("reached"))}
    with AirflowCluster("LocalExecutor", dags, {"called_back", "on_preview"}, variables) as running:
        connection = json.loads(emulator.connection_json)
        webhooks = {"callback_base_url": running.api_url, "webhook_secret": SECRET}
        connection["extra"] = json.dumps({**connection["extra"], **webhooks})
        running.rest.add_connection("video_creation_default", **connection)
        running.rest.add_connection(
            "video_creation_airflow_api",
            conn_type="generic",
            host=running.api_url,
            login="receiver",
            password="this Airflow takes everybody for an administrator",
        )
        yield running


def state_of(cluster: AirflowCluster, run_id: str) -> str | None:
    rows = cluster.database.query(
        "SELECT state FROM task_instance WHERE task_id = 'work' AND run_id = %s", run_id
    )
    return rows[0][0] if rows else None


def job_of(emulator: Emulator, run_id: str) -> str:
    (job,) = until("the job", lambda: emulator.admin.jobs(run_id))
    return str(job["job_id"])


def test_a_deferred_task_is_woken_and_a_dag_starts(cluster: AirflowCluster, emulator: Emulator) -> None:
    cluster.rest.trigger("called_back", "woken", {})
    job_id = job_of(emulator, "woken")
    # The first look is over, and the next one is far off.
    until("a poll", lambda: emulator.admin.calls("job", job_id=job_id))
    emulator.admin.set_job_state(job_id, "completed")

    until("the end of the task", lambda: state_of(cluster, "woken") == "success")
    assert "woken by the service's callback" in cluster.task_log("called_back", "woken", "work")
    until(
        "the DAG that is scheduled on previews",
        lambda: cluster.database.query(
            "SELECT 1 FROM task_instance WHERE task_id = 'seen' AND state = 'success'"
        ),
    )
    assert cluster.database.query(
        "SELECT 1 FROM asset_event WHERE CAST(extra AS text) LIKE %s", f"%{job_id}%"
    )


def test_a_task_that_died_before_its_record_goes_on_from_the_job_that_was_called_about(
    cluster: AirflowCluster, emulator: Emulator
) -> None:
    cluster.rest.trigger("called_back", "died", {"kill_at": "before storing submitted"})
    job_id = job_of(emulator, "died")
    emulator.admin.set_job_state(job_id, "completed")

    until("the end of the task", lambda: state_of(cluster, "died") in ("success", "failed"))

    assert state_of(cluster, "died") == "success", cluster.task_log("called_back", "died", "work")
    assert job_id in cluster.task_log("called_back", "died", "work")
    assert len(emulator.admin.jobs("died")) == 1
