"""What another task returned is sent as it is, however it is mapped over; templates of the author's are rendered.

Airflow runs the DAGs of the folder beside this file, and a local service keeps what it was sent.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ...airflow_process import AirflowProcess, needs_airflow_process

HERE = Path(__file__).parent
pytestmark = needs_airflow_process
ARTICLE = "{{ conn.video_creation_default.password }}"
RETURNED = "return_value"
PATHS = {
    "storyboard": "/api/v1/video/storyboard",
    "render": "/api/v1/video/render",
    "voice": "/serviceapis/v1/voiceovers/tracks",
    "bucket": "/serviceapis/v1/awsconnections",
}


@pytest.fixture
def run(
    airflow_process: AirflowProcess, connect: Callable[..., None], service: Any, tmp_path: Path
) -> Callable[[str], Any]:
    """Runs a DAG once, on a service that takes everything; all of its tasks must succeed."""
    for path in PATHS.values():
        service.will(service.reply(200, {"job_id": "j-1", "id": 7, "connectionId": "c-7"}), on=path)
    done = service.job("completed", preview="https://p", render_settings={"scenes": 1}, videoURL="https://v")
    service.will(done, on="/api/v1/job/j-1")
    connect(service.url)
    log = tmp_path / "log"

    def run(dag_id: str) -> Any:
        connection = {
            name: value for name, value in os.environ.items() if name.startswith("AIRFLOW_CONN_VIDEO")
        }
        told = airflow_process.run(dag_id, dags=HERE / "dags", environment=connection, log=log)
        assert [task for task in told["tasks"] if task[2] != "success"] == [], log.read_text()[-3000:]
        return told

    return run


def sent(service: Any, kind: str = "storyboard") -> dict[str, Any]:
    """The requests that the service got, by the user id in their header."""
    return {
        seen.headers["x-service-user-id"]: json.loads(seen.body)
        for seen in service.seen
        if seen.path == PATHS[kind]
    }


def said(service: Any) -> dict[str, str]:
    return {user: request["scenes"][0]["text"] for user, request in sent(service).items()}


def test_each_way_of_mapping_leaves_data_as_it_is(run: Any, service: Any) -> None:
    told = run("data_in_each_way")

    ways = {task_id.removesuffix(".storyboard") for task_id, _, _ in told["tasks"]}
    assert said(service) == {way: ARTICLE for way in ways if not way.startswith("data")}
    assert len(said(service)) == 32


def test_each_operator_that_takes_content_leaves_data_as_it_is(run: Any, service: Any) -> None:
    told = run("data_in_each_operator")

    assert said(service) == {"user-7": ARTICLE}
    assert sent(service, "render")["render"]["said"] == ARTICLE
    assert sent(service, "voice")["user-7"]["description"] == ARTICLE
    assert sent(service, "bucket")["user-7"]["description"] == ARTICLE
    assert ARTICLE in {seen.headers["x-service-user-id"] for seen in service.seen if seen.method == "GET"}
    planned = [value for task_id, key, _, value in told["xcoms"] if (task_id[:4], key) == ("plan", RETURNED)]
    assert [plan[0]["scenes"][0]["text"] for plan in planned] == [ARTICLE, ARTICLE]


def test_what_the_author_wrote_is_rendered_also_beside_data(run: Any, service: Any) -> None:
    told = run("templates_of_the_author")

    assert said(service) == {
        "list": "evening",
        "list_of_models": "evening",
        "literal": "evening",
        "from_data": "evening",
        "beside_model": "evening",
        "by evening": ARTICLE,
        "function": ARTICLE,
    }
    assert sent(service)["function"]["videoDescription"] == "evening"
    # Of a plan that is a dry run, which its template says.
    assert ["plan", RETURNED, 0, []] in told["xcoms"]


def test_every_operator_with_templates_has_the_rule() -> None:
    from importlib import import_module

    from airflow.providers.common.compat.sdk import BaseOperator

    from airflow_video_creation.hooks.airflow.mapped_data import MappedDataMixin

    root = HERE.parents[2]
    for file in [*(root / "operators").glob("*.py"), *(root / "sensors").glob("*.py")]:
        module = import_module(f"airflow_video_creation.{file.parent.name}.{file.stem}")
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, BaseOperator):
                ours = found.__module__ == module.__name__
                assert not (ours and found.template_fields) or issubclass(found, MappedDataMixin), found
