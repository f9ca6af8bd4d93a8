"""Where the service names no video file, its share URL may lead to one; a share page is no video."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import NotFoundError, UnreadableReplyError

from ..told_errors import raises_telling, told

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096


def download(destination: str) -> Any:
    operator = DownloadVideoOperator(task_id="fetch", job_id="r-1", destination=destination)
    return operator.execute({})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_render_without_a_video_url_is_fetched_by_its_share_url(served: Any, tmp_path: Path) -> None:
    served.will(served.job("completed", shareVideoURL=f"{served.url}/media/v.mp4"), on="/api/v1/job/r-1")

    download(f"{tmp_path}/news.mp4")

    assert (tmp_path / "news.mp4").read_bytes() == MP4


@pytest.mark.parametrize("there", ["html", "403", "404", "login"])
def test_a_share_page_is_no_video(served: Any, tmp_path: Path, there: str) -> None:
    page = f"{served.url}/share?X-Signature=only-for-you-7"
    served.will(served.job("completed", shareVideoURL=page), on="/api/v1/job/r-1")
    login = served.reply(302, b"", Location=f"{served.url}/login")
    served.will(login if there == "login" else there, on="/share")
    served.will("html", on="/login")
    (tmp_path / "news.mp4").write_bytes(b"yesterday's")

    with pytest.raises(UnreadableReplyError) as caught:
        download(f"{tmp_path}/news.mp4")

    assert told(caught.value) == (
        "The service names no video file for job r-1, only a share page, and that does not lead to an .mp4 file. "
        "Connection 'video_creation_default'. "
        "Nothing was kept, and this task paid nothing. Check the job at the service. "
        "When it names the video file, a retry fetches it and pays nothing."
    )
    assert not isinstance(caught.value, AirflowFailException)
    assert names(tmp_path) == ["news.mp4"]
    assert (tmp_path / "news.mp4").read_bytes() == b"yesterday's"
    assert {seen.method for seen in served.seen} == {"GET"}


def test_a_share_page_that_becomes_a_video_file_is_fetched_by_the_retry(served: Any, tmp_path: Path) -> None:
    served.will("html", on="/share")
    served.will(
        served.job("completed", shareVideoURL=f"{served.url}/share"),
        served.job("completed", shareVideoURL=f"{served.url}/share", videoURL=f"{served.url}/media/v.mp4"),
        on="/api/v1/job/r-1",
    )

    with pytest.raises(UnreadableReplyError):
        download(f"{tmp_path}/news.mp4")
    download(f"{tmp_path}/news.mp4")

    assert (tmp_path / "news.mp4").read_bytes() == MP4


def test_a_job_that_cannot_be_read_again_is_told_and_no_share_page_is_blamed(
    served: Any, tmp_path: Path
) -> None:
    served.will(
        served.job("completed", shareVideoURL=f"{served.url}/share"),
        "404",
        on="/api/v1/job/r-1",
    )
    served.will("403", on="/share")

    with pytest.raises(NotFoundError, match="Get job r-1"):
        download(f"{tmp_path}/news.mp4")


def test_a_render_of_which_only_the_sound_is_named_is_no_video(served: Any, tmp_path: Path) -> None:
    sound = f"{served.url}/sound.mp3?X-Signature=only-for-you-7"
    served.will(served.job("completed", audioURL=sound), on="/api/v1/job/r-1")

    with raises_telling(UnreadableReplyError, r"Render job r-1.*no video URL, only an audio URL"):
        download(f"{tmp_path}/news.mp4")

    assert names(tmp_path) == []
    assert {seen.path for seen in served.seen} == {"/api/v1/job/r-1"}
