"""The assets that say that a job has ended, and what their events tell."""

from __future__ import annotations

import json

import pytest

from airflow_video_creation.operators.job_assets import job_failed, preview_ready, video_ready
from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.webhooks.ready_assets import asset_of, event_extra, ready_asset
from airflow_video_creation.provider.webhooks.webhook_url import Kind, Submitter

SIGNED = "https://media.example.com/v.mp4?X-Signature=5ec7e7"


def submitter(kind: Kind = "render", conn_id: str = "video_creation_default") -> Submitter:
    return Submitter(conn_id, kind, "night", "r-1", "make", 2, 1.5, map_index=3)


@pytest.mark.parametrize("conn_id", ["video_creation_default", "a/b#c!(d)", "Zürich", "UPPER.case-1"])
def test_dags_and_the_receiver_mean_the_same_asset(conn_id: str) -> None:
    for make in (preview_ready, video_ready, job_failed):
        meant = ready_asset(make.__name__, conn_id)  # type: ignore[arg-type]
        asset = make(conn_id)
        assert (asset.name, asset.uri) == (meant.name, meant.uri), "Airflow writes a URI its own way"


def test_each_connection_has_assets_of_its_own() -> None:
    assert preview_ready() == preview_ready("video_creation_default")
    assert len({asset("a").uri for asset in (preview_ready, video_ready, job_failed)}) == 3
    assert preview_ready("a").uri != preview_ready("b").uri


@pytest.mark.parametrize(
    ("kind", "state", "ready"),
    [
        ("storyboard", "completed", "preview_ready"),
        ("render", "completed", "video_ready"),
        ("storyboard", "failed", "job_failed"),
        ("render", "failed", "job_failed"),
        ("render", "cleaned", "job_failed"),
    ],
)
def test_which_asset_a_jobs_end_is_an_event_of(kind: Kind, state: str, ready: str) -> None:
    job = Job.model_validate({"job_id": "j-1", "state": state})
    assert asset_of(job, submitter(kind)).uri.endswith(f"/{ready}")


def test_an_event_tells_of_the_job_and_the_task_and_holds_no_url() -> None:
    job = Job(job_id="j-1", state="completed", video_url=SIGNED, preview_url=SIGNED, duration=17.5)
    extra = event_extra(job, submitter())
    assert extra == {
        "job_id": "j-1",
        "kind": "render",
        "state": "completed",
        "video_creation_conn_id": "video_creation_default",
        "duration": 17.5,
        "error_code": None,
        "dag_id": "night",
        "run_id": "r-1",
        "task_id": "make",
        "map_index": 3,
    }
    assert "://" not in json.dumps(extra)
