"""A download that breaks off resumes there, and never puts together what does not belong together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.delivery.media_download import download
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    NotFoundError,
    PermissionDeniedError,
    ServiceUnreachableError,
)

MP4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + bytes(range(256)) * 16
OTHER = MP4[:-256] + b"z" * 256
HALF, MOST = 2000, 3000


class Download:
    """A download with a clock of its own, and what it logged."""

    def __init__(self, service: Any, profile: ServiceProfile, target: Path) -> None:
        self.service = service
        self.profile = profile
        self.target = target
        self.slept: list[float] = []
        self.told: list[str] = []

    def run(self, renew: Callable[[], str] | None = None) -> bytes:
        download(
            f"{self.service.url}/v.mp4?X-Signature=only-for-you-7",
            self.target,
            self.profile,
            job_id="j-1",
            renew=renew,
            tell=self.told.append,
            clock=lambda: sum(self.slept),
            sleep=self.slept.append,
        )
        return self.target.read_bytes()

    @property
    def ranges(self) -> list[str | None]:
        return [seen.headers.get("range") for seen in self.service.seen]


@pytest.fixture
def attempt(service: Any, profile: ServiceProfile, tmp_path: Path) -> Download:
    return Download(service, profile, tmp_path / "video.mp4")


def part(
    service: Any, start: int, end: int, *, of: bytes = MP4, etag: str | None = '"v1"', status: int = 206
) -> Any:
    """An answer with the bytes from start on, which breaks off at end if that is not the file's."""
    headers = {"content_length": str(len(of) - start)}
    if etag:
        headers["ETag"] = etag
    if status == 206:
        headers["Content_Range"] = f"bytes {start}-{len(of) - 1}/{len(of)}"
    return service.reply(status, of[start:end], **headers)


def test_it_goes_on_from_where_it_stopped(service: Any, attempt: Download) -> None:
    service.will(part(service, 0, HALF, status=200), part(service, HALF, MOST), part(service, MOST, len(MP4)))

    assert attempt.run() == MP4
    assert attempt.ranges == [None, f"bytes={HALF}-", f"bytes={MOST}-"]
    assert [seen.headers.get("if-range") for seen in service.seen] == [None, '"v1"', '"v1"']
    assert attempt.told[0].startswith("Video of job j-1: the answer of 127.0.0.1:")
    assert attempt.told[0].endswith("broke off: resuming after 2 kB")
    assert "only-for-you" not in str(attempt.told)


@pytest.mark.parametrize("trouble", ["reset", "hang", "503", "429"])
def test_what_happens_between_is_outlasted(service: Any, attempt: Download, trouble: str) -> None:
    service.will(part(service, 0, HALF, status=200), trouble, trouble, part(service, HALF, len(MP4)))

    assert attempt.run() == MP4
    assert attempt.slept == [0, 1, 2]


def test_without_progress_it_ends_soon(service: Any, attempt: Download) -> None:
    service.will(part(service, 0, HALF, status=200), "reset")

    with pytest.raises(ServiceUnreachableError, match="did not arrive whole"):
        attempt.run()

    assert attempt.slept == [0, 1, 2, 4, 8]


def test_a_host_that_always_begins_again_and_never_ends_is_given_up(service: Any, attempt: Download) -> None:
    service.will(part(service, 0, HALF, status=200))

    with pytest.raises(ServiceUnreachableError, match="broke off"):
        attempt.run()

    assert len(service.seen) == 6


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(lambda service: [], id="no ranges: the whole file again"),
        pytest.param(lambda service: [part(service, HALF, len(MP4), etag='"v2"')], id="another version"),
        pytest.param(lambda service: [part(service, HALF + 1, len(MP4))], id="another place"),
        pytest.param(lambda service: [service.reply(206, MP4[HALF:])], id="no place"),
        pytest.param(lambda service: [service.reply(416)], id="no such range"),
    ],
)
def test_what_does_not_belong_to_the_beginning_makes_it_begin_again(
    service: Any, attempt: Download, between: Callable[[Any], list[Any]]
) -> None:
    service.will(
        part(service, 0, HALF, status=200),
        *between(service),
        part(service, 0, len(OTHER), of=OTHER, etag='"v2"', status=200),
    )

    assert attempt.run() == OTHER
    assert attempt.told[-1] == "Video of job j-1: the media host cannot resume it: starting over"


def test_a_file_of_which_only_the_end_was_not_seen_is_whole(service: Any, attempt: Download) -> None:
    chunked = service.reply(200, MP4, ETag='"v1"', content_length=str(len(MP4) + 1))
    service.will(chunked, service.reply(416, Content_Range=f"bytes */{len(MP4)}"))

    assert attempt.run() == MP4


@pytest.mark.parametrize("etag", [None, 'W/"v1"'])
def test_what_names_no_version_is_left_to_the_retry(
    service: Any, attempt: Download, etag: str | None
) -> None:
    service.will(part(service, 0, HALF, status=200, etag=etag), part(service, 0, len(MP4), status=200))

    with pytest.raises(ServiceUnreachableError, match="broke off"):
        attempt.run()

    assert len(service.seen) == 1


def test_a_url_that_expires_on_the_way_is_renewed(service: Any, attempt: Download) -> None:
    service.will(part(service, 0, HALF, status=200), "403")
    service.will(part(service, HALF, len(MP4)), on="/fresh.mp4")

    assert attempt.run(renew=lambda: f"{service.url}/fresh.mp4") == MP4
    assert attempt.ranges == [None, f"bytes={HALF}-", f"bytes={HALF}-"]


@pytest.mark.parametrize("status", ["401", "403"])
def test_a_storage_that_refuses_a_fresh_url_too_is_said(service: Any, attempt: Download, status: str) -> None:
    service.will(part(service, 0, HALF, status=200), status)

    with pytest.raises(PermissionDeniedError) as told:
        attempt.run(renew=lambda: f"{service.url}/v.mp4?X-Signature=only-for-you-7")

    host = service.url.removeprefix("http://")
    assert str(told.value) == (
        f"{host} refuses the video of job j-1 ({status}). The job was read again for a fresh link, "
        "and that one is refused too. Check whether this worker may reach that host (firewall, proxy, allowed "
        "addresses) and whether its clock is right; if so, ask the service's support. The job is finished: "
        "clear this task to fetch it again, which costs nothing."
    )
    assert told.value.status == int(status)
    assert len(service.seen) == 3


@pytest.mark.parametrize("status", ["404", "410"])
def test_a_fresh_url_that_leads_to_nothing_too_is_said(service: Any, attempt: Download, status: str) -> None:
    service.will(part(service, 0, HALF, status=200), status)

    with pytest.raises(NotFoundError) as told:
        attempt.run(renew=lambda: f"{service.url}/v.mp4?X-Signature=only-for-you-7")

    host = service.url.removeprefix("http://")
    assert str(told.value) == (
        f"{host} does not have the video of job j-1 ({status}). The job was read again for a fresh link, "
        "and that one fails too. Check the job at the service, which may have removed the file. "
        "If it is there, clear this task to fetch it again, which costs nothing."
    )
    assert len(service.seen) == 3
