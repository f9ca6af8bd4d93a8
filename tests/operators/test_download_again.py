"""What a sidecar proves to be there is not fetched again; whatever else is there is replaced."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import DeliveryError, ServiceUnreachableError

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
SRT = b"1\n00:00:00,000 --> 00:00:02,000\nHello.\n"


@pytest.fixture
def offered(connect: Any, service: Any) -> Any:
    """A service with two finished renders of the same video, r-1 and r-2."""
    connect(service.url)
    urls = {"videoURL": f"{service.url}/v.mp4", "srtFile": f"{service.url}/v.srt"}
    service.will(service.reply(200, MP4), on="/v.mp4")
    service.will(service.reply(200, SRT), on="/v.srt")
    for job in ("r-1", "r-2"):
        service.will(service.job("completed", **urls), on=f"/api/v1/job/{job}")
    return service


@pytest.fixture(params=["on the disk", "in a store"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Any]]:
    """A folder's address, and its file system."""
    if request.param == "on the disk":
        yield f"{tmp_path}/", attach("file").fs
        return
    store = attach("memory", fs=MemoryFileSystem()).fs
    yield "memory://again/", store
    if store.exists("/again"):
        store.rm("/again", recursive=True)


def download(folder: str, job_id: str = "r-1", sidecar: bool = True, **arguments: Any) -> Any:
    operator = DownloadVideoOperator(
        task_id="fetch", job_id=job_id, destination=f"{folder}news.mp4", sidecar=sidecar, **arguments
    )
    return operator.execute({})


def asked(service: Any) -> list[str]:
    """The paths that were asked for since the last call."""
    paths = [seen.path for seen in service.seen]
    service.seen.clear()
    return paths


JOB, VIDEO, SUBTITLES = "/api/v1/job/r-1", "/v.mp4", "/v.srt"


def test_a_second_try_asks_nothing(offered: Any, folder: tuple[str, Any], log: Callable[[], str]) -> None:
    first = download(folder[0], subtitles="srt")
    assert asked(offered) == [JOB, VIDEO, SUBTITLES]
    before = folder[1].cat_file(f"{folder[0]}news.json")

    assert download(folder[0], subtitles="srt") == first

    assert asked(offered) == []
    assert folder[1].cat_file(f"{folder[0]}news.json") == before
    assert "Video of job r-1 is already there with the same checksum, so it is not fetched again" in log()


def test_only_what_is_missing_is_fetched(offered: Any, folder: tuple[str, Any]) -> None:
    offered.will("503", on="/v.srt")
    with pytest.raises(DeliveryError):
        download(folder[0], subtitles="srt")
    asked(offered)

    offered.will(offered.reply(200, SRT), on="/v.srt")
    download(folder[0], subtitles="srt")

    assert asked(offered) == [JOB, SUBTITLES]
    assert json.loads(folder[1].cat_file(f"{folder[0]}news.json"))["files"].keys() == {"video", "srt"}


def change(address: str, content: bytes) -> Callable[[Any, str], None]:
    return lambda fs, folder: fs.pipe_file(f"{folder}{address}", content)


def remove(address: str) -> Callable[[Any, str], None]:
    return lambda fs, folder: fs.rm_file(f"{folder}{address}")


@pytest.mark.parametrize(
    ("happens", "fetched"),
    [
        pytest.param(change("news.mp4", MP4[:-1] + b"z"), [JOB, VIDEO], id="same length, other content"),
        pytest.param(change("news.mp4", MP4[:-1]), [JOB, VIDEO], id="cut"),
        pytest.param(remove("news.mp4"), [JOB, VIDEO], id="video gone"),
        pytest.param(remove("news.json"), [JOB, VIDEO], id="sidecar gone"),
        pytest.param(change("news.json", b"{"), [JOB, VIDEO], id="sidecar broken"),
    ],
)
def test_what_is_not_as_the_sidecar_says_is_fetched_again(
    offered: Any, folder: tuple[str, Any], happens: Callable[[Any, str], None], fetched: list[str]
) -> None:
    download(folder[0])
    asked(offered)
    happens(folder[1], folder[0])

    download(folder[0])

    assert asked(offered) == fetched
    assert folder[1].cat_file(f"{folder[0]}news.mp4") == MP4
    download(folder[0])
    assert asked(offered) == []


def test_another_jobs_video_is_replaced(offered: Any, folder: tuple[str, Any]) -> None:
    download(folder[0])
    download(folder[0], job_id="r-2")

    assert asked(offered)[-2:] == ["/api/v1/job/r-2", VIDEO]
    assert json.loads(folder[1].cat_file(f"{folder[0]}news.json"))["job_id"] == "r-2"


def test_other_metadata_are_written_without_fetching(offered: Any, folder: tuple[str, Any]) -> None:
    download(folder[0], metadata={"title": "old"})
    asked(offered)

    download(folder[0], metadata={"title": "new"})

    assert asked(offered) == []
    assert json.loads(folder[1].cat_file(f"{folder[0]}news.json"))["metadata"] == {"title": "new"}


def test_without_a_sidecar_it_is_fetched_again(offered: Any, folder: tuple[str, Any]) -> None:
    download(folder[0], sidecar=False)
    download(folder[0], sidecar=False)

    assert asked(offered) == [JOB, VIDEO] * 2


def test_a_download_that_fails_leaves_the_old_video_with_its_sidecar(
    offered: Any, folder: tuple[str, Any]
) -> None:
    download(folder[0])
    before = folder[1].cat_file(f"{folder[0]}news.json")
    offered.will("503", on="/v.mp4")

    with pytest.raises(ServiceUnreachableError):
        download(folder[0], job_id="r-2")

    assert folder[1].cat_file(f"{folder[0]}news.mp4") == MP4
    assert folder[1].cat_file(f"{folder[0]}news.json") == before


def test_an_old_sidecar_never_stands_beside_a_new_video(
    offered: Any, folder: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    download(folder[0])

    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "airflow_video_creation.hooks.delivery.video_delivery.VideoDelivery._write_sidecar", die
    )
    with pytest.raises(KeyboardInterrupt):
        download(folder[0], job_id="r-2")

    assert not folder[1].exists(f"{folder[0]}news.json")
