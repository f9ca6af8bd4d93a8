"""One DAG of all operators through Airflow itself: mapping, XCom, the three modes of waiting, skipping and failing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..airflow_process import AirflowProcess, needs_airflow_process

pytestmark = needs_airflow_process
MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
SIGNATURE = "X-Signature=only-for-you-7"
DAG_FILE = """
from datetime import datetime

from airflow.sdk import DAG, task, task_group

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.sensors.video_job import VideoJobSensor


@task
def storyboards():
    return [{{"videoName": "news", "scenes": [{{"text": "{{{{ 7 * 7 }}}} & co"}}]}}, {{"videoName": "no scenes"}}]


@task_group
def article(storyboard):
    create = CreateStoryboardOperator(task_id="create", storyboard=storyboard)
    wait = VideoJobSensor(task_id="wait", job_id=create.output, deferrable=True, poll_interval=0.05)
    render = RenderVideoOperator(task_id="render", storyboard_job_id=create.output)
    wait >> render


with DAG("every_operator", start_date=datetime(2026, 1, 1), schedule=None, default_args={{"retries": 2}}):
    article.expand(storyboard=storyboards())
    DownloadVideoOperator(task_id="download", job_id="r-1", destination="{folder}/{{{{ ds }}}}/")
    fast = {{"poll_interval": 0.05, "timeout": 600}}
    VideoJobSensor(task_id="poke", job_id="p", deferrable=False, **fast)
    VideoJobSensor(task_id="reschedule", job_id="r", deferrable=False, mode="reschedule", **fast)
    VideoJobSensor(task_id="deferrable", job_id="d", deferrable=True, **fast)
    VideoJobSensor(task_id="skipped", job_id="s", deferrable=True, soft_fail=True, poll_interval=0.05, timeout=0.3)
    VideoJobSensor(task_id="failed", job_id="f", deferrable=True, soft_fail=True, **fast)
"""


@pytest.fixture
def night(service: Any) -> Any:
    """A service that has something for every task of the DAG."""
    signed = f"{service.url}/v.mp4?{SIGNATURE}"
    done = service.job("completed", preview=signed, render_settings={"background": signed})
    service.will(service.reply(200, {"job_id": "sb-1"}), on="/api/v1/video/storyboard")
    service.will("in-progress", "in-progress", done, on="/api/v1/job/sb-1")
    service.will(service.reply(200, {"job_id": "r-1"}), on="/api/v1/video/render")
    service.will(service.job("completed", videoURL=signed), on="/api/v1/job/r-1")
    service.will(service.reply(200, MP4), on="/v.mp4")
    for job_id in ("p", "r", "d"):
        service.will("in-progress", "in-progress", "completed", on=f"/api/v1/job/{job_id}")
    service.will("in-progress", on="/api/v1/job/s")
    service.will("in-progress", service.job("failed", error_message="no such voice"), on="/api/v1/job/f")
    return service


def test_every_operator_in_a_dag_run(airflow_process: AirflowProcess, night: Any, tmp_path: Path) -> None:
    dag_file = tmp_path / "dags" / "every_operator.py"
    dag_file.parent.mkdir()
    dag_file.write_text(DAG_FILE.format(folder=tmp_path))
    connection = {"conn_type": "video_creation", "host": night.url, "password": "a-token-that-nobody-may-see"}
    environment = {
        "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps({**connection, "extra": {"user_id": "user-7"}})
    }
    log = tmp_path / "run.log"

    ran = airflow_process.run("every_operator", dags=dag_file.parent, environment=environment, log=log)

    told = log.read_text()
    assert {f"{task_id} {map_index}": state for task_id, map_index, state in ran["tasks"]} == {
        "storyboards -1": "success",
        "article.create 0": "success",
        "article.wait 0": "success",
        "article.render 0": "success",
        "article.create 1": "failed",
        "article.wait 1": "upstream_failed",
        "article.render 1": "upstream_failed",
        "download -1": "success",
        "poke -1": "success",
        "reschedule -1": "success",
        "deferrable -1": "success",
        "skipped -1": "skipped",
        "failed -1": "failed",
    }
    [sent] = [json.loads(seen.body) for seen in night.seen if seen.path == "/api/v1/video/storyboard"]
    assert sent["scenes"] == [{"text": "{{ 7 * 7 }} & co"}], "what a task returns is data, never a template"
    assert [path.read_bytes() for path in tmp_path.glob("20??-??-??/r-1.mp4")] == [MP4]
    assert "scenes: is required" in told
    assert "the service says: no such voice" in told
    assert "a-token-that-nobody-may-see" not in told
    assert "only-for-you" not in told
