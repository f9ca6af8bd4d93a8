"""A forged XCom about a job: whoever may write XComs must not choose whom the API server asks, or as whom.

The page takes the connection and the user id from what Airflow has rendered for the task, which nobody can write.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.provider.submission.shown_job import ShownJob

PAGES = ["", "/preview", "/video"]
PASSWORD = "a-database-password"


@pytest.fixture
def other_system(service: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Another system of the company: Airflow has a connection to it, whose password the attacker wants sent."""

    def define(conn_type: str | None = "http") -> None:
        connection = {"host": service.url, "password": PASSWORD}
        if conn_type is not None:
            connection["conn_type"] = conn_type
        monkeypatch.setenv("AIRFLOW_CONN_WAREHOUSE", json.dumps(connection))

    return define


def forged(conn_id: str = "warehouse", **other: Any) -> ShownJob:
    return ShownJob("j-1", "render", conn_id, **other)


def function(**op_kwargs: Any) -> dict[str, Any]:
    """The rendered fields of a plain ``@task``."""
    return {"templates_dict": None, "op_args": [], "op_kwargs": op_kwargs}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("conn_type", ["http", "postgres", "video_creation"])
@pytest.mark.parametrize(
    "rendered",
    [None, function(), function(video_creation_conn_id="warehouse", user_id="admin")],
    ids=["not run yet", "function", "function with an argument of the name"],
)
async def test_of_a_task_that_is_not_ours_nobody_is_asked(
    get: Any, told: Any, other_system: Any, service: Any, page: str, conn_type: str, rendered: Any
) -> None:
    other_system(conn_type)
    await told(forged(user_id="admin"), rendered=rendered)

    answer = await get(page)

    assert answer.status_code == 200
    assert "An XCom of this task names a job." in answer.text
    assert "num_dag_runs_to_retain_rendered_fields" in answer.text
    assert not service.seen


@pytest.mark.parametrize("page", PAGES)
async def test_a_task_of_ours_asks_nobody_but_its_own_service(
    get: Any, told: Any, other_system: Any, service: Any, page: str
) -> None:
    other_system("video_creation")
    await told(forged())

    assert (await get(page)).status_code == 200
    assert not service.seen


@pytest.mark.parametrize("conn_type", ["http", "generic", "postgres", "aws", None])
async def test_a_connection_of_another_type_is_refused_also_where_the_task_names_it(
    get: Any, told: Any, other_system: Any, service: Any, conn_type: str | None
) -> None:
    other_system(conn_type)
    await told(forged(), rendered={"video_creation_conn_id": "warehouse", "user_id": None})

    page = (await get()).text

    assert "must have the type &#39;video_creation&#39;" in page
    assert "Nothing was sent." in page
    assert PASSWORD not in page
    assert not service.seen


@pytest.mark.parametrize(("rendered", "sent"), [("user-9", "user-9"), (None, "user-7"), (9, "9")])
async def test_the_user_id_is_the_tasks_and_not_the_xcoms(
    get: Any, told: Any, service: Any, rendered: Any, sent: str
) -> None:
    service.will(service.job("in-progress"))
    await told(
        forged("video_creation_default", user_id="admin"),
        rendered={"video_creation_conn_id": "video_creation_default", "user_id": rendered},
    )

    assert "in-progress" in (await get()).text
    assert {seen.headers["x-service-user-id"] for seen in service.seen} == {sent}


@pytest.mark.parametrize(
    "changed", [{"user_id": "***"}, {"user_id": "Truncated. You can ..."}, {"video_creation_conn_id": "***"}]
)
async def test_what_airflow_shows_masked_or_cut_is_not_used(
    get: Any, told: Any, service: Any, changed: dict[str, str]
) -> None:
    await told(
        forged("video_creation_default"),
        rendered={"video_creation_conn_id": "video_creation_default", "user_id": "user-9", **changed},
    )

    assert "Airflow does not show which connection the task used" in (await get()).text
    assert not service.seen


@pytest.mark.parametrize("job_id", ["../../admin", "j/../../admin?x=", "j#x", ".."])
async def test_a_forged_job_id_leads_to_no_other_address(
    get: Any, told: Any, service: Any, job_id: str
) -> None:
    service.will("404")
    await told(ShownJob(job_id, "render", "video_creation_default"))

    assert (await get()).status_code == 200
    assert all(seen.path.startswith("/api/v1/job/") for seen in service.seen)
    assert all(seen.path.count("/") == 4 for seen in service.seen)
