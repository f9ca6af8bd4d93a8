"""The video is at its destination whole or not at all, wherever that is."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, ObjectStoragePath

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    DeliveryError,
    JobFailedError,
    JobResultPurgedError,
    NotFoundError,
    PermissionDeniedError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

from ..told_errors import raises_telling, told
from .delivered_files import copy_a_part, names

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096


def download(destination: Any, job_id: Any = "r-1", **variables: Any) -> Any:
    operator = DownloadVideoOperator(task_id="fetch", job_id=job_id, destination=destination)
    operator.render_template_fields(variables)
    return operator.execute(variables)


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("{folder}/news.mp4", "news.mp4"),
        ("{folder}/a b/né ws#1?.mp4", "a b/né ws#1?.mp4"),
        ("{folder}/new/deep/", "new/deep/r-1.mp4"),
        ("file://{folder}/news.mp4", "news.mp4"),
        ("file://{folder}/a b/", "a b/r-1.mp4"),
        ("{folder}/{{{{ ds }}}}/news.mp4", "2026-11-21/news.mp4"),
        ("{folder}/video.json", "video.json"),
    ],
)
def test_a_local_destination(tmp_path: Path, destination: str, expected: str) -> None:
    returned = download(destination.format(folder=tmp_path), ds="2026-11-21")

    assert (tmp_path / expected).read_bytes() == MP4
    assert ObjectStoragePath(returned).read_bytes() == MP4
    assert names((tmp_path / expected).parent) == [Path(expected).name]


@pytest.mark.usefixtures("served")
def test_a_relative_destination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    download("out/news.mp4")

    assert (tmp_path / "out/news.mp4").read_bytes() == MP4


@pytest.mark.usefixtures("served")
def test_a_path_object(tmp_path: Path) -> None:
    download(ObjectStoragePath(f"file://{tmp_path}/news.mp4"))

    assert (tmp_path / "news.mp4").read_bytes() == MP4


@pytest.mark.usefixtures("served")
def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "news.mp4").write_bytes(b"yesterday's")

    download(f"{tmp_path}/news.mp4")

    assert (tmp_path / "news.mp4").read_bytes() == MP4


@pytest.mark.usefixtures("served")
def test_whoever_reads_the_old_file_reads_it_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "news.mp4").write_bytes(b"yesterday's")

    with (tmp_path / "news.mp4").open("rb") as reader:
        download(f"{tmp_path}/news.mp4")
        assert reader.read() == b"yesterday's"


@pytest.mark.usefixtures("served")
def test_the_file_may_be_read_as_any_other_file_of_the_worker(tmp_path: Path) -> None:
    (tmp_path / "other").touch()

    download(f"{tmp_path}/news.mp4")

    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("other", "news.mp4")}
    assert len(modes) == 1


def test_a_job_id_cannot_lead_out_of_its_folder(served: Any, tmp_path: Path) -> None:
    served.will(
        served.job("completed", videoURL=f"{served.url}/media/v.mp4"), on="/api/v1/job/..%2F..%2Fetc%2Fx"
    )

    download(f"{tmp_path}/", job_id="../../etc/x")

    assert names(tmp_path) == ["..%2F..%2Fetc%2Fx.mp4"]


def test_a_job_id_may_be_a_number(served: Any, tmp_path: Path) -> None:
    served.will(served.job("completed", videoURL=f"{served.url}/media/v.mp4"), on="/api/v1/job/42")

    download(f"{tmp_path}/", job_id=42)

    assert names(tmp_path) == ["42.mp4"]


def test_the_log_names_the_file_and_no_signed_url(
    served: Any, tmp_path: Path, log: Callable[[], str]
) -> None:
    served.will("403", served.reply(200, MP4), on="/media/v.mp4")

    download(f"{tmp_path}/news.mp4")

    assert "The media URL of job r-1 has expired. Reading the job again" in log()
    assert f"is at {tmp_path}/news.mp4" in log()
    assert "only-for-you" not in log()


def test_a_url_that_has_expired_is_not_asked_again_but_the_one_of_the_job_as_it_is_now(
    served: Any, tmp_path: Path
) -> None:
    served.will(
        served.job("completed", videoURL=f"{served.url}/expired.mp4"),
        served.job("completed", videoURL=f"{served.url}/media/v.mp4"),
        on="/api/v1/job/r-1",
    )
    served.will("403", on="/expired.mp4")

    download(f"{tmp_path}/news.mp4")

    assert (tmp_path / "news.mp4").read_bytes() == MP4
    job = "/api/v1/job/r-1"
    assert [seen.path for seen in served.seen] == [job, "/expired.mp4", job, "/media/v.mp4"]


@pytest.mark.parametrize(
    "url", ["http://[::1", "file:///etc/passwd", "javascript:alert(1)", "ftp://media.example.com/v.mp4"]
)
def test_a_video_url_that_is_no_web_address_is_said(served: Any, tmp_path: Path, url: str) -> None:
    served.will(served.job("completed", videoURL=url), on="/api/v1/job/r-1")

    with raises_telling(UnreadableReplyError, "the video of job r-1 is not a web address"):
        download(f"{tmp_path}/news.mp4")

    assert names(tmp_path) == []


FAULTS: dict[str, tuple[type[Exception], str]] = {
    "reset": (ServiceUnreachableError, "did not arrive whole"),
    "hang": (ServiceUnreachableError, "did not answer in time"),
    "truncated": (ServiceUnreachableError, "broke off"),
    "503": (ServiceUnreachableError, "answered 503"),
    "404": (NotFoundError, "r-1.*fresh link.*fails too.*costs nothing"),
    "403": (PermissionDeniedError, "r-1.*fresh link.*refused too.*costs nothing"),
    "html": (UnreadableReplyError, r"is not an \.mp4 file"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_media_host_that_fails_leaves_what_was_there(
    connect: Any, served: Any, tmp_path: Path, fault: str
) -> None:
    connect(served.url, read_timeout=0.3 if fault == "hang" else 30)
    served.will(fault, on="/media/v.mp4")
    (tmp_path / "news.mp4").write_bytes(b"yesterday's")
    kind, why = FAULTS[fault]

    with raises_telling(kind, why) as told:
        download(f"{tmp_path}/news.mp4")

    assert isinstance(told.value, AirflowException)
    assert "only-for-you" not in str(told.value)
    assert names(tmp_path) == ["news.mp4"]
    assert (tmp_path / "news.mp4").read_bytes() == b"yesterday's"


@pytest.mark.parametrize(
    ("state", "kind", "why"),
    [
        ("failed", JobFailedError, "j-1|r-1"),
        ("cleaned", JobResultPurgedError, "removed"),
        ("in-progress", ConfigurationError, "is in-progress.*VideoJobSensor"),
        ("completed", ConfigurationError, "has no video.*render job"),
    ],
)
def test_a_job_without_a_video_says_what_to_do(
    served: Any, tmp_path: Path, state: str, kind: type[Exception], why: str
) -> None:
    served.will(served.job(state, preview="https://p.example.com"), on="/api/v1/job/r-1")

    with raises_telling(kind, why) as told:
        download(f"{tmp_path}/news.mp4")

    assert isinstance(told.value, AirflowFailException)
    assert names(tmp_path) == []


@pytest.mark.usefixtures("served")
def test_a_destination_that_is_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "videos").mkdir()

    with raises_telling(DeliveryError, "Is a directory"):
        download(f"{tmp_path}/videos")

    assert names(tmp_path) == ["videos"]
    assert names(tmp_path / "videos") == []


@pytest.mark.usefixtures("served")
def test_a_destination_below_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(DeliveryError, match="clear this task"):
        download(f"{tmp_path}/file/news.mp4")


@pytest.mark.usefixtures("served")
def test_a_full_disk_at_the_destination_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.copyfile", copy_a_part)

    with raises_telling(DeliveryError, r"No space left on device.*clear this task"):
        download(f"{tmp_path}/news.mp4")

    assert names(tmp_path) == []


@pytest.mark.usefixtures("served")
def test_a_full_disk_on_the_way_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = tmp_path / "tmp"
    full.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(full))
    monkeypatch.setattr("airflow_video_creation.hooks.delivery.media_download.download", fill_the_disk)

    with raises_telling(DeliveryError, r"No space left on device.*TMPDIR"):
        download(f"{tmp_path}/news.mp4")

    assert names(tmp_path) == ["tmp"]
    assert names(full) == []


@pytest.mark.usefixtures("served")
def test_a_temporary_folder_in_which_nothing_can_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "tmp"
    monkeypatch.setattr("tempfile.tempdir", str(gone))

    with pytest.raises(DeliveryError) as caught:
        download(f"{tmp_path}/news.mp4")

    assert told(caught.value) == (
        f"The video of job r-1 cannot be stored in {gone} during the download: No such file or directory. "
        "Connection 'video_creation_default'. Make room there, or set TMPDIR to another folder of the worker. The "
        "video is still at the service: a retry fetches it, and pays nothing."
    )
    assert names(tmp_path) == []


@pytest.mark.usefixtures("served")
def test_a_worker_without_any_temporary_folder_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp', '/var/tmp']")

    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("tempfile.gettempdir", none)

    with raises_telling(DeliveryError, r"No usable temporary directory found in .*/var/tmp.*set TMPDIR"):
        download(f"{tmp_path}/news.mp4")


def fill_the_disk(url: str, target: Path, *_: Any, **__: Any) -> int:
    target.write_bytes(b"a part of it")
    return Path("/dev/full").write_bytes(b"and the rest")
