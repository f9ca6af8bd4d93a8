"""Subtitles, the thumbnail and the sidecar stand beside the video, under its name, and are what they should be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, ObjectStoragePath
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    DeliveryError,
    ServiceUnreachableError,
)

from ..told_errors import raises_telling, told
from .delivered_files import names

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
SRT = b"1\n00:00:00,000 --> 00:00:02,000\nHello.\n"
VTT = b"WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n"
JPEG = b"\xff\xd8\xff\xe0 a picture"
SIGNATURE = "X-Signature=only-for-you-7"
ALL: dict[str, Any] = {"subtitles": ("srt", "vtt"), "thumbnail": True, "sidecar": True}


@pytest.fixture
def offered(connect: Any, service: Any) -> Any:
    """A service with a finished render, r-1, and all that it offers."""
    connect(service.url)
    files = {"videoURL": MP4, "srtFile": SRT, "vttFile": VTT, "thumbnail": JPEG}
    urls = {field: f"{service.url}/{field}?{SIGNATURE}" for field in files}
    for field, content in files.items():
        service.will(service.reply(200, content), on=f"/{field}")
    service.will(service.job("completed", videoDuration=12.5, **urls), on="/api/v1/job/r-1")
    return service


def download(destination: str, **arguments: Any) -> Any:
    ti = SimpleNamespace(
        dag_id="news", task_id="fetch", run_id="scheduled__1", map_index=3, try_number=2, xcom_push=pushed
    )
    operator = DownloadVideoOperator(
        task_id="fetch", **{"job_id": "r-1", "destination": destination, **arguments}
    )
    operator.render_template_fields({"ds": "2026-11-21"})
    context: Any = {"ti": ti}
    return operator.execute(context)


def pushed(key: str, value: Any) -> None:
    assert key in ("delivery", "failure")
    json.dumps(value)


@pytest.mark.usefixtures("offered")
def test_all_of_it_stands_under_one_name(tmp_path: Path) -> None:
    returned = download(f"{tmp_path}/", video_name="né ws #{{ ds }}", **ALL)

    name = "né ws #2026-11-21"
    assert returned == f"{tmp_path}/{name}.mp4"
    assert names(tmp_path) == sorted(f"{name}.{ending}" for ending in ("mp4", "srt", "vtt", "jpg", "json"))
    assert (tmp_path / f"{name}.mp4").read_bytes() == MP4
    assert (tmp_path / f"{name}.srt").read_bytes() == SRT
    assert (tmp_path / f"{name}.vtt").read_bytes() == VTT
    assert (tmp_path / f"{name}.jpg").read_bytes() == JPEG


@pytest.mark.usefixtures("offered")
def test_remote_too() -> None:
    store = attach("memory", fs=MemoryFileSystem()).fs

    returned = download("memory://beside/v/", video_name="né ws #1 50% (new)", **ALL)

    endings = ("jpg", "json", "mp4", "srt", "vtt")
    assert store.find("/beside") == [f"/beside/v/né ws #1 50% (new).{ending}" for ending in endings]
    assert ObjectStoragePath(returned).read_bytes() == MP4
    store.rm("/beside", recursive=True)


@pytest.mark.usefixtures("offered")
def test_by_default_there_is_the_video_and_nothing_else(tmp_path: Path) -> None:
    download(f"{tmp_path}/news.mp4")

    assert names(tmp_path) == ["news.mp4"]


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("none", [None, "", "{{ '' }}", "{{ none }}"])
def test_without_a_name_a_folder_holds_the_job(tmp_path: Path, none: str | None) -> None:
    download(f"{tmp_path}/", video_name=none, subtitles="srt")

    assert names(tmp_path) == ["r-1.mp4", "r-1.srt"]


@pytest.mark.usefixtures("offered")
def test_the_sidecar_says_how_it_was_made_and_holds_no_url(tmp_path: Path) -> None:
    download(f"{tmp_path}/news.mp4", video_name="the-news", metadata={"day": "{{ ds }}"}, **ALL)

    text = (tmp_path / "news.json").read_text("utf-8")
    held = json.loads(text)
    assert held["files"]["video"] == {
        "file": "news.mp4",
        "size": len(MP4),
        "sha256": hashlib.sha256(MP4).hexdigest(),
    }
    assert {kind: file["file"] for kind, file in held["files"].items()} == {
        "video": "news.mp4",
        "srt": "news.srt",
        "vtt": "news.vtt",
        "thumbnail": "news.jpg",
    }
    assert (held["job_id"], held["video_name"], held["duration"]) == ("r-1", "the-news", 12.5)
    assert held["metadata"] == {"day": "2026-11-21"}
    assert held["made_by"] == {
        "dag_id": "news",
        "task_id": "fetch",
        "run_id": "scheduled__1",
        "map_index": 3,
        "try_number": 2,
    }
    assert "http" not in text
    assert "only-for-you" not in text


HTML = b"<html>Please log in</html>"
TROUBLES: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "an error page for subtitles": (
        "srtFile",
        lambda s: s.reply(200, HTML),
        r"not a subtitle file \(\.srt\)",
    ),
    "empty subtitles": ("srtFile", lambda s: s.reply(200, b""), "or is empty"),
    "an error page for a picture": ("thumbnail", lambda s: s.reply(200, HTML), "not a thumbnail"),
    "no longer there": ("vttFile", lambda s: "404", "fails too"),
    "a host that fails": ("vttFile", lambda s: "503", "answered 503"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_video_is_delivered_though_a_file_beside_it_is_not(
    offered: Any, tmp_path: Path, trouble: str
) -> None:
    field, answer, why = TROUBLES[trouble]
    offered.will(answer(offered), on=f"/{field}")

    with raises_telling(DeliveryError, why) as caught:
        download(f"{tmp_path}/news.mp4", video_name="the-news", **ALL)

    assert isinstance(caught.value, AirflowException)
    assert not isinstance(caught.value, AirflowFailException)
    assert f"The video 'the-news' of job r-1 is at {tmp_path}/news.mp4" in told(caught.value)
    assert "A retry fetches only what is missing" in told(caught.value)
    assert "only-for-you" not in told(caught.value)
    missing = {"srtFile": "news.srt", "vttFile": "news.vtt", "thumbnail": "news.jpg"}[field]
    assert set(names(tmp_path)) == {"news.mp4", "news.srt", "news.vtt", "news.jpg", "news.json"} - {missing}


def test_what_the_service_does_not_offer_is_said(offered: Any, tmp_path: Path) -> None:
    offered.will(offered.job("completed", videoURL=f"{offered.url}/videoURL"), on="/api/v1/job/r-1")

    with raises_telling(
        DeliveryError, r"subtitle file \(\.srt\): The service offers none for job r-1\..*thumbnail:"
    ):
        download(f"{tmp_path}/news.mp4", subtitles=["srt"], thumbnail=True)

    assert names(tmp_path) == ["news.mp4"]


def test_messages_name_the_video(offered: Any, tmp_path: Path, log: Callable[[], str]) -> None:
    download(f"{tmp_path}/", video_name="the-news")
    offered.will("503", on="/videoURL")

    with pytest.raises(ServiceUnreachableError, match="The video 'the-news' of job r-1 cannot be fetched"):
        download(f"{tmp_path}/", video_name="the-news")

    assert f"Video 'the-news' of job r-1, 4 kB, is at {tmp_path}/the-news.mp4" in log()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"video_name": "../etc/passwd"}, r"video_name='\.\./etc/passwd': it must be usable as a file name"),
        ({"video_name": "a" * 300}, "longer than 240 bytes"),
        ({"video_name": ["news"]}, r"video_name=\['news'\]"),
        ({"metadata": {"when": object()}}, "metadata= that is not JSON"),
        ({"metadata": {"ratio": float("nan")}}, "metadata= that is not JSON"),
        ({"metadata": ["title"]}, "metadata= that is not a dict"),
        ({"subtitles": ("srt", "ass")}, "'ass' in subtitles=; give some of srt, vtt"),
        ({"subtitles": "txt"}, "'txt' in subtitles="),
    ],
)
def test_a_wrong_argument_is_said_before_anything_is_asked(
    offered: Any, tmp_path: Path, arguments: dict[str, Any], why: str
) -> None:
    with raises_telling(ConfigurationError, f"'fetch'.*{why}") as told:
        download(f"{tmp_path}/", **arguments)

    assert isinstance(told.value, AirflowFailException)
    assert not offered.seen
    assert names(tmp_path) == []
