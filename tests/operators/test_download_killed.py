"""What a killed try leaves on the worker's disk is cleared away by the next try of its task, and by nobody else."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from airflow_video_creation.operators.download import DownloadVideoOperator

KILLED = """
import os, shutil, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_download_killed import try_of

def copy_a_part_and_die(source, target):
    target.write_bytes(source.read_bytes()[:100])
    os.kill(os.getpid(), signal.SIGKILL)

shutil.copyfile = copy_a_part_and_die
try_of({task!r}, {destination!r})
"""


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def try_of(task: str, destination: str) -> None:
    """One try of a task of its own name."""
    ti = SimpleNamespace(
        dag_id="news", task_id=task, run_id="scheduled__1", map_index=-1, xcom_push=lambda key, value: None
    )
    DownloadVideoOperator(task_id=task, job_id="r-1", destination=destination).execute({"ti": ti})


def killed_try_of(task: str, destination: str) -> None:
    """The same in a process of its own, which is killed while it delivers."""
    script = KILLED.format(tests=str(Path(__file__).parent), task=task, destination=destination)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=120)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


@pytest.mark.usefixtures("served")
def test_a_try_clears_away_what_a_killed_one_has_left_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_way, target = tmp_path / "tmp", tmp_path / "videos"
    on_the_way.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(on_the_way))
    monkeypatch.setenv("TMPDIR", str(on_the_way))
    killed_try_of("another", f"{target}/news.mp4")
    of_another = names_below(tmp_path)
    killed_try_of("fetch", f"{target}/news.mp4")
    assert len(names_below(tmp_path)) == 2 * len(of_another) - 2

    try_of("fetch", f"{target}/news.mp4")

    assert names_below(tmp_path) == sorted([*of_another, "videos/news.mp4"])
    assert (target / "news.mp4").stat().st_size > 4096
