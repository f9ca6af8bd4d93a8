"""What a whole Airflow sends about a night: a task's callback in its process, a DAG's in the DAG processor."""

from __future__ import annotations

from pathlib import Path

import pytest
from cluster.airflow_cluster import AirflowCluster
from cluster.until import until

from airflow_video_creation.emulator import Emulator

pytestmark = pytest.mark.few

HEADLINE = "1 of 3 videos were made, "


def test_both_kinds_of_callbacks_tell_the_night(tmp_path: Path) -> None:
    folder = tmp_path / "told"
    folder.mkdir()
    with Emulator(process=True, instant=True) as emulator:
        emulator.admin.add_fault("fail", on="storyboard", video_name="lamp", error_code="NO_FONT")
        variables = {
            "SYSTEM_TEST_FOLDER": str(folder),
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": emulator.connection_json,
        }
        dags = Path(__file__).parent / "dags"
        with AirflowCluster("LocalExecutor", dags, {"told_night"}, variables) as cluster:
            cluster.rest.trigger("told_night", "monday", {})
            sent = {name: folder / name for name in ("task", "dag")}
            until("the messages", lambda: all(file.exists() for file in sent.values()), patience=180)
            page = f"{cluster.api_url}/dags/told_night/runs/monday"
    messages = {name: file.read_text() for name, file in sent.items()}

    assert messages["task"].startswith(f"told_night: {HEADLINE}")
    assert messages["dag"].startswith(f"told_night: The run failed. {HEADLINE}")
    for message in messages.values():
        assert f"Videos of the run: {page}/plugin/video_creation_run" in message
        assert "FAILED in make (1 x JobFailedError): lamp" in message
        assert f"Log: {page}/tasks/make" in message
        assert "Left out: bad: the storyboard is wrong" in message
    assert f"Log: {page}/tasks/publish" in messages["dag"]
    assert "hunter2" not in messages["dag"]
