"""Who delivers over an older video takes its place with all that belonged to it, or leaves all of it as it was."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.hooks.delivery.order import Order
from airflow_video_creation.hooks.delivery.own_folder import OwnName
from airflow_video_creation.hooks.delivery.place import Place
from airflow_video_creation.hooks.delivery.video_delivery import VideoDelivery
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import DeliveryError

from ..told_errors import raises_telling
from .delivered_files import copy_a_part, names


def mp4(content: bytes) -> bytes:
    return b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + content * 4096


SRT = b"1\n00:00:00,000 --> 00:00:02,000\nHello.\n"


@pytest.fixture
def offered(connect: Any, service: Any) -> Any:
    """A service with two finished renders of two videos, r-1 and r-2."""
    connect(service.url, read_timeout=5)
    service.will(service.reply(200, SRT), on="/v.srt")
    for job, content in (("r-1", b"1"), ("r-2", b"2")):
        urls = {"videoURL": f"{service.url}/{job}.mp4", "srtFile": f"{service.url}/v.srt"}
        service.will(service.job("completed", **urls), on=f"/api/v1/job/{job}")
        service.will(service.reply(200, mp4(content)), on=f"/{job}.mp4")
    return service


def download(folder: Path, job_id: str, run_id: str = "scheduled__1", map_index: int = 0, **more: Any) -> Any:
    ti = SimpleNamespace(
        dag_id="news", task_id="fetch", run_id=run_id, map_index=map_index, try_number=1, xcom_push=pushed
    )
    context: Any = {"ti": ti}
    operator = DownloadVideoOperator(
        task_id="fetch", job_id=job_id, destination=f"{folder}/", video_name="news", **more
    )
    return operator.execute(context)


def pushed(key: str, value: Any) -> None: ...


def job_of_sidecar(folder: Path) -> Any:
    return json.loads((folder / "news.json").read_text())["job_id"]


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("sidecar", [False, True])
def test_what_belonged_to_the_old_video_goes_with_it(tmp_path: Path, sidecar: bool) -> None:
    download(tmp_path, "r-1", sidecar=True, subtitles="srt")
    (tmp_path / "news.txt").touch()

    download(tmp_path, "r-2", sidecar=sidecar)

    assert names(tmp_path) == [*(["news.json"] if sidecar else []), "news.mp4", "news.txt"]
    assert (tmp_path / "news.mp4").read_bytes() == mp4(b"2")


@pytest.mark.usefixtures("offered")
def test_what_somebody_has_corrected_stays(tmp_path: Path) -> None:
    download(tmp_path, "r-1", sidecar=True, subtitles="srt")
    (tmp_path / "news.srt").write_bytes(SRT + b"corrected")

    download(tmp_path, "r-2")

    assert names(tmp_path) == ["news.mp4", "news.srt"]


@pytest.mark.usefixtures("offered")
def test_the_same_video_keeps_what_belongs_to_it(tmp_path: Path) -> None:
    download(tmp_path, "r-1", sidecar=True, subtitles="srt")

    download(tmp_path, "r-1")

    assert names(tmp_path) == ["news.json", "news.mp4", "news.srt"]


@pytest.mark.usefixtures("offered")
def test_what_is_no_sidecar_of_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "news.json").write_text('{"mine": true}')

    download(tmp_path, "r-1")

    assert names(tmp_path) == ["news.json", "news.mp4"]


@pytest.mark.usefixtures("offered")
def test_a_full_disk_leaves_the_old_video_with_all_that_belongs_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    download(tmp_path, "r-1", sidecar=True, subtitles="srt")
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}

    monkeypatch.setattr("shutil.copyfile", copy_a_part)
    with raises_telling(DeliveryError, "No space left on device"):
        download(tmp_path, "r-2", sidecar=True)

    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


@pytest.mark.usefixtures("offered")
def test_two_videos_of_one_name_in_one_run_are_warned_of(tmp_path: Path, log: Callable[[], str]) -> None:
    download(tmp_path, "r-1", map_index=0, sidecar=True)
    assert "replaces" not in log()

    download(tmp_path, "r-2", map_index=1)

    assert (
        f"The video 'news' of job r-2 replaces that of job r-1 at {tmp_path}/news.mp4, which task 'fetch', map "
        "index 0, has delivered in this very run. Give them different names" in log()
    )


@pytest.mark.usefixtures("offered")
def test_the_video_of_yesterdays_run_is_replaced_without_a_word(
    tmp_path: Path, log: Callable[[], str]
) -> None:
    download(tmp_path, "r-1", sidecar=True)
    download(tmp_path, "r-2", run_id="scheduled__2", sidecar=True)

    assert "replaces" not in log()


@pytest.mark.usefixtures("served")
def test_the_folder_for_temporary_files_may_be_the_destination(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    download(tmp_path, "r-1")

    assert names(tmp_path) == ["news.mp4"]


@pytest.fixture
def deliver(offered: Any, tmp_path: Path) -> Callable[..., None]:
    """Deliver a job as news.mp4: ``deliver(job_id, tell, warn)``."""
    hook = DownloadVideoOperator(task_id="fetch", job_id="r-1", destination="x").hook

    def deliver(
        job_id: str,
        tell: Callable[[str], None] = lambda line: None,
        warn: Callable[[str], None] = lambda line: None,
        kind: type[Order] = Order,
    ) -> None:
        made_by = {
            "dag_id": "news",
            "run_id": "scheduled__1",
            "task_id": "fetch",
            "map_index": int(job_id[-1]),
        }
        own = OwnName(f".own-{job_id}-")
        order = kind(job_id, f"{tmp_path}/news.mp4", "fetch", own, sidecar=True, made_by=made_by)
        VideoDelivery(order, hook, tell=tell, warn=warn).run()

    return deliver


def test_no_sidecar_tells_of_a_video_that_another_task_has_replaced(
    deliver: Callable[..., None], tmp_path: Path
) -> None:
    warnings: list[str] = []

    def another_delivers(line: str) -> None:
        if "is at" in line:
            deliver("r-2", warn=warnings.append)

    with pytest.raises(DeliveryError, match=r"was at .*news\.mp4, but something else has replaced it"):
        deliver("r-1", tell=another_delivers)

    assert job_of_sidecar(tmp_path) == "r-2"
    assert (tmp_path / "news.mp4").read_bytes() == mp4(b"2")
    assert not warnings


def test_a_sidecar_that_came_too_late_is_taken_back(
    deliver: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copyfile

    def another_delivers_before_the_sidecar(source: Path, target: Path) -> Any:
        if Path(source).name == "sidecar.json":
            monkeypatch.setattr("shutil.copyfile", copy)
            deliver("r-2")
        return copy(source, target)

    monkeypatch.setattr("shutil.copyfile", another_delivers_before_the_sidecar)
    with pytest.raises(DeliveryError, match="something else has replaced it"):
        deliver("r-1")

    assert names(tmp_path) == ["news.mp4"]
    assert (tmp_path / "news.mp4").read_bytes() == mp4(b"2")


def test_the_sidecar_of_another_task_that_came_after_this_ones_stays(
    deliver: Callable[..., None], tmp_path: Path
) -> None:
    class SidecarIsReplacedAtOnce(Order):
        def place(self, destination: str) -> Place:
            place: Any = super().place(destination)
            if destination == self.sidecar_destination:
                put = place.put

                def put_and_be_replaced(*arguments: Any) -> None:
                    put(*arguments)
                    deliver("r-2")

                place.put = put_and_be_replaced
            return place

    with pytest.raises(DeliveryError, match="something else has replaced it"):
        deliver("r-1", kind=SidecarIsReplacedAtOnce)

    assert job_of_sidecar(tmp_path) == "r-2"
    assert (tmp_path / "news.mp4").read_bytes() == mp4(b"2")


def test_another_task_that_delivers_while_this_one_fetches_is_warned_of(
    deliver: Callable[..., None], offered: Any
) -> None:
    warnings: list[str] = []
    offered.will("403", offered.reply(200, mp4(b"1")), on="/r-1.mp4")

    def another_delivers(line: str) -> None:
        if "has expired" in line:
            deliver("r-2")

    deliver("r-1", tell=another_delivers, warn=warnings.append)

    [warning] = warnings
    assert warning.startswith("The video of job r-1 replaces that of job r-2 at ")


@pytest.mark.usefixtures("offered")
def test_a_try_that_airflow_has_given_up_does_not_harm_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, is_copying, may_go_on = shutil.copyfile, threading.Event(), threading.Event()

    def copy_and_wait(source: Path, target: Path) -> Path:
        copied = copy(source, target)
        is_copying.set()
        assert may_go_on.wait(10)
        return copied

    monkeypatch.setattr("shutil.copyfile", copy_and_wait)
    failures: list[BaseException] = []

    def deliver() -> None:
        try:
            download(tmp_path, "r-1")
        except BaseException as error:
            failures.append(error)

    slow = threading.Thread(target=deliver)
    slow.start()
    assert is_copying.wait(10)
    monkeypatch.setattr("shutil.copyfile", copy)
    download(tmp_path, "r-1")
    may_go_on.set()
    slow.join(10)

    assert not failures
    assert names(tmp_path) == ["news.mp4"]
