"""What a killed try leaves on the worker's disk is cleared away by the next try of its task, and by nobody else."""

from __future__ import annotations

import os
import shutil
import signal
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from airflow_video_creation.operators.download import DownloadVideoOperator


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def try_of(task: str, destination: str, killed: bool = False) -> None:
    """One try of a task of its own name, in a process of its own if it is to be killed while it delivers."""
    ti = SimpleNamespace(
        dag_id="news", task_id=task, run_id="scheduled__1", map_index=-1, xcom_push=lambda key, value: None
    )
    operator = DownloadVideoOperator(task_id=task, job_id="r-1", destination=destination)
    deliver = partial(operator.execute, {"ti": ti})
    if not killed:
        deliver()
        return
    child = os.fork()
    if child == 0:
        shutil.copyfile = copy_a_part_and_die  # type: ignore[assignment]
        try:
            deliver()
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


def copy_a_part_and_die(source: Path, target: Path) -> None:
    target.write_bytes(source.read_bytes()[:100])
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
@pytest.mark.usefixtures("served")
def test_a_try_clears_away_what_a_killed_one_has_left_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_way, target = tmp_path / "tmp", tmp_path / "videos"
    on_the_way.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(on_the_way))
    try_of("another", f"{target}/news.mp4", killed=True)
    of_another = names_below(tmp_path)
    try_of("fetch", f"{target}/news.mp4", killed=True)
    assert len(names_below(tmp_path)) == 2 * len(of_another) - 2

    try_of("fetch", f"{target}/news.mp4")

    assert names_below(tmp_path) == sorted([*of_another, "videos/news.mp4"])
    assert (target / "news.mp4").stat().st_size > 4096
