"""OpenLineage is told what a task read and made: pages, private media, jobs, and the delivered files."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, Asset
from packaging.version import Version

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator

extractors = pytest.importorskip(
    "airflow.providers.openlineage.extractors.base",
    reason="apache-airflow-providers-openlineage is not installed",
)

STORYBOARD = {
    "videoName": "v",
    "awsConnectionId": "c-1",
    "scenes": [
        {"text": "one", "backgroundUri": "s3://media/ferry.mp4"},
        {
            "text": "two",
            "backgroundUri": "https://media.s3.us-east-2.amazonaws.com/ferry.mp4?X-Amz-Signature=7",
        },
        {"text": "three", "backgroundUri": "https://pictures.example.com/a.jpg?token=7"},
        {"text": "four"},
    ],
}
BACKGROUNDS = [("s3://media", "ferry.mp4"), ("https://pictures.example.com", "/a.jpg")]
Datasets = list[tuple[str, str]]

OPENLINEAGE = Version(version("apache-airflow-providers-openlineage"))


def told(operator: Any, how: str = "complete") -> tuple[Datasets, Datasets]:
    """What OpenLineage's own extractor makes of a task that has run: what it read, what it made."""
    extract = getattr(extractors.DefaultExtractor(operator), f"extract_on_{how}")
    lineage = extract(None)
    return [(d.namespace, d.name) for d in lineage.inputs], [(d.namespace, d.name) for d in lineage.outputs]


@pytest.fixture
def at_service(connect: Any, service: Any) -> Callable[[str], tuple[str, str]]:
    """A service that accepts a storyboard as s-1 and its render as r-1, both done; names what a job made there."""
    connect(service.url)
    service.will(service.reply(200, {"job_id": "s-1"}), on="/api/v1/video/storyboard")
    service.will(service.reply(200, {"job_id": "r-1"}), on="/api/v1/video/render")
    made = {"preview": "https://media.example.com/p?sig=7", "render_settings": {"a": 1}}
    service.will(service.job("completed", **made), on="/api/v1/job/s-1")
    video = {"videoURL": "https://media.example.com/v.mp4?sig=7"}
    service.will(service.job("completed", **video), on="/api/v1/job/r-1")
    return lambda job_id: (f"video-creation://127.0.0.1:{service.port}", job_id)


@pytest.fixture
def last_of(run: Any, task: Any) -> Any:
    """Runs a task, and returns the operator that saw its end: ``last_of(Operator, deferrable, **arguments)``."""

    def last(kind: Any, deferrable: bool, **arguments: Any) -> Any:
        operators = []

        def make(deferrable: bool) -> Any:
            operators.append(kind(task_id="t", deferrable=deferrable, poll_interval=0.05, **arguments))
            return operators[-1]

        run(make, task, deferrable)
        return operators[-1]

    return last


@pytest.mark.parametrize("wait", [False, True], ids=["submitted", "awaited"])
def test_a_storyboard_is_made_of_its_backgrounds(
    at_service: Any, last_of: Any, deferrable: bool, wait: bool
) -> None:
    operator = last_of(CreateStoryboardOperator, deferrable, storyboard=STORYBOARD, wait_for_completion=wait)

    assert told(operator) == (BACKGROUNDS, [at_service("s-1")])


@pytest.mark.parametrize("given", ["s-1", {"job_id": "s-1", "state": "completed"}], ids=["id", "job"])
def test_a_render_is_made_of_its_storyboard(
    at_service: Any, last_of: Any, deferrable: bool, given: Any
) -> None:
    operator = last_of(RenderVideoOperator, deferrable, storyboard_job_id=given, wait_for_completion=True)

    assert told(operator) == ([at_service("s-1")], [at_service("r-1")])


def test_a_video_of_one_task_is_made_of_its_backgrounds(
    at_service: Any, last_of: Any, deferrable: bool
) -> None:
    operator = last_of(CreateVideoOperator, deferrable, storyboard=STORYBOARD)

    assert told(operator) == (BACKGROUNDS, [at_service("r-1")])


def test_a_delivered_video_is_made_of_its_render(served: Any, tmp_path: Path) -> None:
    operator = DownloadVideoOperator(
        task_id="t", job_id="r-1", destination=f"{tmp_path}/", video_name="news", sidecar=True
    )
    operator.execute({})

    assert told(operator) == (
        [(f"video-creation://127.0.0.1:{served.port}", "r-1")],
        [("file", f"{tmp_path}/news.mp4"), ("file", f"{tmp_path}/news.json")],
    )


class OutletEvents:
    """An event an asset, as Airflow hands them in; on 3.1 an asset can be no key of a dict."""

    def __getitem__(self, asset: Asset) -> Asset:
        return asset


@pytest.mark.skipif(
    Version("2.16") > OPENLINEAGE,
    reason="below 2.16 Airflow's OpenLineage provider tells of no declared asset",
)
def test_what_a_dag_declares_is_told_too(served: Any, tmp_path: Path) -> None:
    declared = [Asset(f"file://{tmp_path}/news.mp4"), Asset("file:///published/news")]
    operator = DownloadVideoOperator(
        task_id="t", job_id="r-1", destination=f"{tmp_path}/news.mp4", outlets=declared
    )
    operator.execute({"outlet_events": OutletEvents()})

    assert told(operator)[1] == [("file", f"{tmp_path}/news.mp4"), ("file", "/published/news")]


@pytest.mark.parametrize("state", ["failed", "cleaned"])
def test_a_failed_task_has_read_and_made_nothing(
    at_service: Any, service: Any, task: Any, state: str
) -> None:
    service.will(service.job(state), on="/api/v1/job/s-1")
    operator = CreateVideoOperator(task_id="t", storyboard=STORYBOARD)
    with pytest.raises(AirflowException):
        operator.execute(task.context())

    assert told(operator, "failure") == (BACKGROUNDS, [])


def test_a_task_that_read_no_connection_does_not_read_it_for_lineage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", "is not even read")

    assert told(DownloadVideoOperator(task_id="t", job_id="r-1", destination="a.mp4"), "failure") == ([], [])
    assert told(CreateStoryboardOperator(task_id="t", storyboard="no: [storyboard"), "failure") == ([], [])
