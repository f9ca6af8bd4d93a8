"""A temporary folder is cleared away by the next try of what it belongs to, and by nobody else."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.hooks.delivery.own_folder import OwnName, own_folder, own_name


def task(map_index: int = -1, **more: Any) -> dict[str, Any]:
    return {"ti": SimpleNamespace(dag_id="news", task_id="night", run_id="r", map_index=map_index, **more)}


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
def test_what_another_uses_stays(tmp_path: Path, another: OwnName) -> None:
    with own_folder(tmp_path, another) as used:
        (used / "partial").touch()

        with own_folder(tmp_path, own_name(task(), "news")):
            pass

        assert (used / "partial").exists()


LISTED: list[object] = []
"""The folders that were listed while this is being watched."""
watching = False


def listed(event: str, arguments: tuple[Any, ...]) -> None:
    if watching and event in ("os.scandir", "os.listdir"):
        LISTED.append(arguments[0])


sys.addaudithook(listed)


@pytest.fixture
def listings() -> Iterator[list[object]]:
    """Which folders are listed."""
    global watching
    LISTED.clear()
    watching = True
    yield LISTED
    watching = False


def test_a_try_that_delivers_many_videos_lists_their_folder_once(
    tmp_path: Path, listings: list[object]
) -> None:
    """It may hold the videos of a year, on a network disk."""
    for number in range(100):
        with own_folder(tmp_path, own_name(task(try_number=1), f"video-{number}")):
            pass

    assert [folder for folder in listings if str(folder) == str(tmp_path)] == [str(tmp_path)]


def test_each_try_clears_away_what_those_before_have_left(tmp_path: Path) -> None:
    for try_number in (1, 2, 3):
        own = own_name(task(try_number=try_number), "news")
        with own_folder(tmp_path, own) as folder:
            assert list(tmp_path.iterdir()) == [folder]
        (tmp_path / f"{own}left").mkdir()
