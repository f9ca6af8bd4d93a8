"""What is wrong with a delivery is said before anything is paid; many of one task do not disturb each other."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.hooks.delivery.order import Order
from airflow_video_creation.hooks.delivery.video_delivery import VideoDelivery
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.base.delivery_order import (
    check_destination,
    check_folder,
    check_manifest,
    check_subtitles,
    checked_metadata,
    delivery_order,
    destination_of,
    warn_of_odd_names,
)
from airflow_video_creation.provider.errors import ConfigurationError

TASK: dict[str, Any] = {
    "ti": SimpleNamespace(dag_id="news", task_id="night", run_id="scheduled__1", map_index=-1, try_number=1)
}
NAMES = [f"video-{number}" for number in range(8)]
SRT = b"1\n00:00:00,000 --> 00:00:02,000\nHello.\n"


def mp4(name: str) -> bytes:
    """A film of which each video has its own."""
    return b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + (name.encode() * 4096)[:4096]


def order_of(name: str, folder: str, **more: Any) -> Order:
    return delivery_order(
        TASK, task_id="night", job_id=f"r-{name}", destination=folder, video_name=name, **more
    )


def test_an_order_says_where_a_video_belongs_and_who_made_it(tmp_path: Path) -> None:
    order = order_of(
        "news", f"{tmp_path}/", subtitles=check_subtitles("srt", "night"), metadata={"title": "N"}
    )

    assert order.destination == f"{tmp_path}/news.mp4"
    assert (order.job_id, order.video_name, order.subtitles) == ("r-news", "news", ("srt",))
    assert order.metadata == {"title": "N"}
    assert order.made_by == {
        "dag_id": "news",
        "task_id": "night",
        "run_id": "scheduled__1",
        "map_index": -1,
        "try_number": 1,
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/videos/", "/videos/news.mp4"),
        ("/videos/a.mp4", "/videos/a.mp4"),
        ("s3://conn_id@bucket/", "s3://conn_id@bucket/news.mp4"),
        ("videos/", f"{Path.cwd()}/videos/news.mp4"),
    ],
)
def test_a_folder_takes_the_video_under_its_name(given: str, expected: str) -> None:
    assert destination_of(given, "news") == expected


@pytest.mark.parametrize("check", [check_destination, check_folder, check_manifest])
@pytest.mark.parametrize(
    "given", ["", None, " ", "None", "None/", "s3://", "s3://None/a", "gs://conn_id@/a/"]
)
def test_a_place_that_is_none_is_refused_and_nothing_is_paid(check: Callable[..., str], given: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"Task 'night' needs .*=, such as .*nothing was paid"):
        check(given, "night")


def test_many_videos_need_a_folder() -> None:
    assert check_folder("s3://conn_id@bucket/videos/", "night") == "s3://conn_id@bucket/videos/"
    with pytest.raises(ConfigurationError, match=r"'/videos/a\.mp4'.*end it with a slash.*nothing was paid"):
        check_folder("/videos/a.mp4", "night")


def test_a_manifest_is_a_file() -> None:
    assert check_manifest(" s3://conn_id@bucket/night.jsonl ", "night") == "s3://conn_id@bucket/night.jsonl"
    assert check_manifest("night.jsonl", "night") == f"{Path.cwd()}/night.jsonl"
    with pytest.raises(ConfigurationError, match=r"manifest='/videos/'.*name the file.*nothing was paid"):
        check_manifest("/videos/", "night")


@pytest.mark.parametrize("check", [check_folder, check_manifest])
def test_a_password_in_an_address_is_not_told(check: Callable[..., str]) -> None:
    place = "sftp://me:hush@files.example.com/videos" + ("/" if check is check_manifest else "")
    with pytest.raises(ConfigurationError) as told:
        check(place, "night")
    assert "hush" not in str(told.value)


def test_unknown_subtitles_are_refused() -> None:
    assert check_subtitles(["srt", "vtt"], "night") == ("srt", "vtt")
    with pytest.raises(
        ConfigurationError, match=r"Task 'night' has 'ass' in subtitles=; give some of srt, vtt\."
    ):
        check_subtitles(["srt", "ass"], "night")


@pytest.mark.parametrize("given", [[1], {"n": float("nan")}, {"when": object()}])
def test_metadata_that_is_no_plain_dict_is_refused(given: Any) -> None:
    assert checked_metadata(None, "night") == {}
    with pytest.raises(ConfigurationError, match="Task 'night' has metadata= that is no"):
        checked_metadata(given, "night")


def test_an_odd_folder_can_be_warned_of_once_for_all_videos(log: Callable[[], str]) -> None:
    import structlog

    folder = check_folder("/videos/None/", "night")
    warn_of_odd_names(folder, "night", structlog.get_logger())
    for name in NAMES:
        order_of(name, folder)

    assert log().count("has an odd name") == 1


@pytest.fixture
def offered(connect: Any, service: Any) -> Any:
    """A service with a finished render of each video."""
    connect(service.url, read_timeout=5)
    service.will(service.reply(200, SRT), on="/v.srt")
    for name in NAMES:
        urls = {"videoURL": f"{service.url}/{name}.mp4", "srtFile": f"{service.url}/v.srt"}
        service.will(service.job("completed", **urls), on=f"/api/v1/job/r-{name}")
        service.will(service.reply(200, mp4(name)), on=f"/{name}.mp4")
    return service


@pytest.fixture
def all_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """All deliveries are at the same point: each begins to copy its video when all have come so far."""
    meeting, copy = threading.Barrier(len(NAMES)), shutil.copyfile

    def copy_together(source: Path, target: Path) -> Any:
        if Path(source).name == "video":
            meeting.wait(20)
        return copy(source, target)

    monkeypatch.setattr("shutil.copyfile", copy_together)


@pytest.fixture(params=[True, False], ids=["locks", "no locks"])
def disk(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A disk with locks, and a network disk that has none; no other test's task of the same name works there."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("arriving")))

    def no_locks(file: int, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    if not request.param:
        monkeypatch.setattr("fcntl.flock", no_locks)


def deliver_all(folder: str) -> None:
    """Deliver all videos of one task, each in a thread of its own."""
    hook = VideoCreationHook()

    def deliver(name: str) -> None:
        order = order_of(name, folder, subtitles=("srt",), sidecar=True)
        VideoDelivery(order, hook, tell=lambda line: None, warn=lambda line: None).run()

    with ThreadPoolExecutor(len(NAMES)) as threads:
        list(threads.map(deliver, NAMES))


def expected_names() -> list[str]:
    return sorted(f"{name}.{ending}" for name in NAMES for ending in ("mp4", "srt", "json"))


@pytest.mark.usefixtures("offered", "all_meet", "disk")
def test_many_videos_of_one_task_come_into_one_folder_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_way, folder = tmp_path / "tmp", tmp_path / "videos"
    on_the_way.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(on_the_way))

    deliver_all(f"{folder}/")

    assert sorted(path.name for path in folder.iterdir()) == expected_names()
    assert {name: (folder / f"{name}.mp4").read_bytes() for name in NAMES} == {n: mp4(n) for n in NAMES}
    assert not list(on_the_way.iterdir())


@pytest.fixture
def store() -> Iterator[Any]:
    """A remote store: fsspec's memory, known to Airflow as ``memory://``."""
    files = attach("memory", fs=MemoryFileSystem()).fs
    files.store.clear()
    yield files
    files.store.clear()


@pytest.mark.usefixtures("offered", "disk")
def test_many_videos_of_one_task_come_into_one_bucket_at_the_same_time(store: Any) -> None:
    deliver_all("memory://bucket/videos/")

    assert store.find("/bucket") == [f"/bucket/videos/{name}" for name in expected_names()]
    assert all(store.cat_file(f"/bucket/videos/{name}.mp4") == mp4(name) for name in NAMES)


@pytest.mark.usefixtures("offered", "disk")
def test_a_file_url_is_the_same_folder(tmp_path: Path) -> None:
    deliver_all(f"file://{tmp_path}/")

    assert sorted(path.name for path in tmp_path.iterdir()) == expected_names()
