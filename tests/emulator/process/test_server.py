"""`Emulator`: started and stopped in a thread or in a process, killed, and started again."""

import logging
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import CannotStartError, Emulator
from airflow_video_creation.emulator.settings import SettingsError
from airflow_video_creation.emulator.start_errors import PortInUseError


@pytest.mark.parametrize("process", [False, True])
def test_it_answers_when_started_and_no_longer_when_stopped(process: bool) -> None:
    with Emulator(instant=True, process=process) as emulator:
        assert requests.get(emulator.base_url, timeout=10).status_code == 200
        assert emulator.base_url.removeprefix("http://") in emulator.connection_uri.replace("http://:", "")
    with pytest.raises(requests.ConnectionError):
        requests.get(emulator.base_url, timeout=10)


def test_starting_and_stopping_twice_does_no_harm() -> None:
    emulator = Emulator(instant=True)
    address = emulator.start().base_url
    assert emulator.start().base_url == address
    emulator.stop()
    emulator.stop()


def test_it_has_no_address_before_it_is_started() -> None:
    with pytest.raises(CannotStartError, match="start"):
        _ = Emulator().base_url


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"port": 70000}, "port"),
        ({"job_seconds": -1}, "job_seconds"),
        ({"intsant": True}, "intsant"),
        ({"faults": [{"kind": "explode"}]}, "explode"),
        ({"dialect": {"preview": "look"}}, "dialect.preview"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Emulator(**options)


def test_a_port_in_use_is_said() -> None:
    with Emulator(instant=True) as first:
        port = int(first.base_url.rpartition(":")[2])
        with pytest.raises(PortInUseError, match=f"Port {port} of"):
            Emulator(port=port).start()


@pytest.mark.parametrize("process", [False, True])
def test_a_folder_in_use_is_said(tmp_path: Path, process: bool) -> None:
    with Emulator(instant=True, folder=tmp_path):
        second = Emulator(instant=True, folder=tmp_path, process=process)
        with pytest.raises(CannotStartError, match="another emulator may be working in it"):
            second.start()


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "state.sqlite3").write_text("no database, but long enough to be taken for one " * 20)
    for folder in (tmp_path / "file", tmp_path):
        with pytest.raises(CannotStartError, match="cannot be used"):
            Emulator(folder=folder).start()


@pytest.mark.parametrize(("process", "end"), [(False, "stop"), (True, "stop"), (True, "kill")])
def test_a_temporary_folder_is_removed_at_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, process: bool, end: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    emulator = Emulator(instant=True, process=process).start()
    assert list(tmp_path.iterdir())
    getattr(emulator, end)()
    assert not list(tmp_path.iterdir())


def test_no_thread_is_left_behind() -> None:
    before = set(threading.enumerate())
    with Emulator(job_seconds=0):
        pass
    assert set(threading.enumerate()) <= before


def test_what_was_made_is_there_after_a_restart(tmp_path: Path, call_emulator: Any) -> None:
    with Emulator(instant=True, folder=tmp_path) as emulator:
        job_id = call_emulator(emulator).render()
        before = call_emulator(emulator).job(job_id)
    with Emulator(instant=True, folder=tmp_path) as emulator:
        caller = call_emulator(emulator)
        after = caller.job(job_id)
        assert after["data"]["videoDuration"] == before["data"]["videoDuration"]
        assert caller.get(after["data"]["videoURL"]).status_code == 200


def test_jobs_in_progress_are_taken_up_again(
    tmp_path: Path, call_emulator: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with Emulator(job_seconds=3600, folder=tmp_path) as emulator:
        job_id = call_emulator(emulator).storyboard()
    with caplog.at_level(logging.INFO), Emulator(job_seconds=0, folder=tmp_path) as emulator:
        emulator.admin.set_job_state(job_id, "completed")
        assert call_emulator(emulator).job(job_id)["data"]["status"] == "completed"
    assert f"Job {job_id} (storyboard of trees) is resumed" in caplog.text


def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_accepted(
    tmp_path: Path, call_emulator: Any
) -> None:
    emulator = Emulator(instant=True, folder=tmp_path, process=True).start()
    accepted: list[str] = []
    enough = threading.Event()

    def submit() -> None:
        caller = call_emulator(emulator)
        try:
            while True:
                accepted.append(caller.storyboard(videoName=f"video {len(accepted)}"))
                if len(accepted) == 100:
                    enough.set()
        except requests.ConnectionError:
            pass

    submitter = threading.Thread(target=submit)
    submitter.start()
    assert enough.wait(30)
    emulator.kill()
    submitter.join(30)
    with Emulator(instant=True, folder=tmp_path) as restarted:
        caller = call_emulator(restarted)
        assert {caller.job(job_id)["data"]["status"] for job_id in accepted} == {"completed"}
    check = sqlite3.connect(tmp_path / "state.sqlite3").execute("PRAGMA integrity_check")
    assert check.fetchone() == ("ok",)


def test_a_render_interrupted_by_a_kill_is_done_again(
    tmp_path: Path, call_emulator: Any, wait_until: Any
) -> None:
    scenes = [{"text": "Ten thousand trees.", "minimumDuration": 60}]
    emulator = Emulator(job_seconds=0, folder=tmp_path, process=True).start()
    job_id = call_emulator(emulator).render(scenes=scenes, videoWidth="320", videoHeight="180")
    wait_until(lambda: list(tmp_path.glob("media/*.unfinished/video.mp4")), bool)
    emulator.kill()
    with Emulator(job_seconds=0, folder=tmp_path) as restarted:
        job = call_emulator(restarted).finished(job_id)
        assert job["data"]["videoDuration"] == 60
    assert not list(tmp_path.glob("media/*.unfinished"))


def test_only_a_process_can_be_killed() -> None:
    with Emulator(instant=True) as emulator, pytest.raises(CannotStartError, match="process=True"):
        emulator.kill()
