"""A temporary folder is cleared away by the next try of what it belongs to, and by nobody else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.hooks.delivery.own_folder import own_folder, own_name


def task(map_index: int = -1) -> dict[str, Any]:
    return {"ti": SimpleNamespace(dag_id="news", task_id="night", run_id="r", map_index=map_index)}


@pytest.fixture(params=[True, False], ids=["locks", "no locks"])
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk with locks, and a network disk that has none."""

    def no_locks(file: int, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    if not request.param:
        monkeypatch.setattr("fcntl.flock", no_locks)


@pytest.mark.usefixtures("disk")
def test_what_a_killed_try_has_left_of_a_video_is_cleared_away(tmp_path: Path) -> None:
    own = own_name(task(), "news")
    left = tmp_path / f"{own}left"
    left.mkdir()
    (left / "partial").touch()

    with own_folder(tmp_path, own_name(task(), "news")) as folder:
        assert list(tmp_path.iterdir()) == [folder]

    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize(
    "another",
    [own_name(task(), "sport"), own_name(task()), own_name(task(1), "news"), own_name(task(), "News")],
    ids=["another video", "the task itself", "another map index", "another spelling"],
)
def test_what_another_uses_stays(tmp_path: Path, another: str) -> None:
    with own_folder(tmp_path, another) as used:
        (used / "partial").touch()

        with own_folder(tmp_path, own_name(task(), "news")):
            pass

        assert (used / "partial").exists()
