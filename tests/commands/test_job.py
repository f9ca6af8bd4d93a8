"""``job JOB_ID``: what the service says about a job."""

import sys

import pytest

from airflow_video_creation.__main__ import main
from airflow_video_creation.hooks.video_creation import VideoCreationHook


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["airflow_video_creation", "job", *arguments])
        monkeypatch.setenv("_AIRFLOW_PROCESS_CONTEXT", "client")
        status = main()
        return status, capsys.readouterr()

    return run


def test_a_finished_job_is_printed_a_field_a_line(command, video_creation_emulator):
    job_id = VideoCreationHook().create_storyboard({"videoName": "v", "scenes": [{"text": "t"}]})
    status, output = command(job_id)
    assert status == 0
    lines = dict(
        line.split(maxsplit=1)
        for line in output.out.splitlines()
        if line.startswith(("job_", "state", "prev"))
    )
    assert lines["job_id"] == job_id
    assert lines["state"] == "completed"
    assert lines["preview_url"].startswith("http")


def test_a_job_that_is_not_known(command, video_creation_emulator):
    status, output = command("nobody-knows")
    assert status == 1
    assert "nobody-knows" in output.err


def test_a_connection_that_is_not_there(command):
    status, output = command("j", "--conn", "nowhere")
    assert status == 1
    assert "There is no Airflow connection 'nowhere'" in output.err
