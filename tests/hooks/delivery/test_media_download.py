"""A video arrives whole or not at all, without the token, and its signed URL is in no message and no log."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.hooks.delivery.media_download import download
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    NotFoundError,
    ServiceError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

SIGNATURE = "X-Signature=only-for-you-7"


def box(kind: bytes, content: bytes = b"") -> bytes:
    return (8 + len(content)).to_bytes(4, "big") + kind + content


def large_box(kind: bytes, content: bytes) -> bytes:
    return (1).to_bytes(4, "big") + kind + (16 + len(content)).to_bytes(8, "big") + content


MP4 = box(b"ftyp", b"isom") + box(b"moov", b"x" * 50) + box(b"mdat", b"y" * 5000)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "video.mp4"


@pytest.mark.parametrize(
    "content",
    [MP4[:24], MP4[:12], box(b"ftyp") + box(b"moov")],
    ids=["cut in a box", "cut after a box", "no pictures"],
)
def test_half_a_video_is_no_success(
    service: Any, profile: ServiceProfile, target: Path, content: bytes
) -> None:
    service.will(service.reply(200, content))
    with pytest.raises(ServiceUnreachableError, match="did not arrive whole"):
        download(f"{service.url}/v.mp4", target, profile, job_id="j-1")


@pytest.mark.parametrize(
    "content",
    [
        MP4,
        box(b"ftyp") + large_box(b"mdat", b"y" * 100) + box(b"moov"),
        box(b"ftyp") + box(b"moov") + (0).to_bytes(4, "big") + b"mdat" + b"to the end",
        MP4 + b"\0\0\0",
    ],
    ids=["plain", "64-bit size", "box up to the end", "padded"],
)
def test_a_video_arrives_as_it_was_sent(
    service: Any, profile: ServiceProfile, target: Path, content: bytes
) -> None:
    service.will(service.reply(200, content))

    size = download(f"{service.url}/v.mp4?{SIGNATURE}", target, profile, job_id="j-1")

    assert target.read_bytes() == content
    assert size == len(content)
    [seen] = service.seen
    assert seen.path == f"/v.mp4?{SIGNATURE}"
    assert "authorization" not in seen.headers
    assert "x-service-user-id" not in seen.headers


def test_a_relative_url_is_taken_from_the_services_host(
    service: Any, profile: ServiceProfile, target: Path
) -> None:
    service.will(service.reply(200, MP4))

    download("/media/v.mp4", target, profile, job_id="j-1")

    assert [seen.path for seen in service.seen] == ["/media/v.mp4"]


def test_a_redirect_of_the_media_host_is_followed(
    service: Any, profile: ServiceProfile, target: Path
) -> None:
    service.will(service.reply(302, b"", location="/there.mp4"), service.reply(200, MP4))

    download(f"{service.url}/here.mp4", target, profile, job_id="j-1")

    assert target.read_bytes() == MP4


@pytest.mark.parametrize(
    ("url", "begins"),
    [
        ("http://[::1", "http:"),
        ("file:///etc/passwd", "file:"),
        ("javascript:alert(1)", "javascript:"),
        ("ftp://media.example.com/v.mp4", "ftp:"),
        ("https://media.example.com:port/v.mp4", "https:"),
        ("data:video/mp4;base64,AAAA", "data:"),
    ],
)
def test_what_is_no_web_address_is_said_and_not_fetched(
    profile: ServiceProfile, target: Path, url: str, begins: str
) -> None:
    with pytest.raises(UnreadableReplyError) as told:
        download(f"{url}?{SIGNATURE}", target, profile, job_id="j-1")

    assert f"for the video of job j-1 is not a web address (it begins with {begins!r})" in str(told.value)
    assert "only-for-you" not in f"{told.value}{told.value.__cause__}"


def test_the_body_of_a_redirect_is_not_read(
    service: Any, profile: ServiceProfile, target: Path, gzip_bomb: bytes
) -> None:
    redirect = service.reply(302, gzip_bomb, Content_Encoding="gzip", Location="/there.mp4")
    service.will(redirect, service.reply(200, MP4))

    tracemalloc.start()
    try:
        download(f"{service.url}/v.mp4", target, profile, job_id="j-1")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert target.read_bytes() == MP4
    assert most < 64 * 1024 * 1024


@pytest.mark.parametrize("there", ["file:///etc/passwd", "http://a..b/v.mp4", "http://[::1"])
def test_a_redirect_to_what_is_no_web_address_is_not_followed(
    service: Any, profile: ServiceProfile, target: Path, there: str
) -> None:
    service.will(service.reply(302, b"", location=there))

    with pytest.raises(
        UnreadableReplyError, match="video of job j-1 redirects to something that is not a web address"
    ):
        download(f"{service.url}/v.mp4", target, profile, job_id="j-1")


FAULTS: list[tuple[Any, type[ServiceError], str]] = [
    ("reset", ServiceUnreachableError, "was reset"),
    ("hang", ServiceUnreachableError, "did not answer in time"),
    ("503", ServiceUnreachableError, "answered 503"),
    ("403", NotFoundError, "Media URLs expire"),
    ("404", NotFoundError, "Media URLs expire"),
    ("html", UnreadableReplyError, r"is not an \.mp4 file"),
    ("completed", UnreadableReplyError, r"is not an \.mp4 file"),
    ((200, b""), UnreadableReplyError, r"is not an \.mp4 file"),
    ((200, MP4[:-100]), ServiceUnreachableError, "only its beginning"),
]


@pytest.mark.parametrize(("fault", "kind", "why"), FAULTS, ids=[str(fault)[:20] for fault, _, _ in FAULTS])
def test_each_fault_says_why_on_which_job_and_not_by_which_url(
    service: Any, profile: ServiceProfile, target: Path, fault: Any, kind: type[ServiceError], why: str
) -> None:
    service.will(fault if isinstance(fault, str) else service.reply(*fault))

    with pytest.raises(kind, match=why) as told:
        download(f"{service.url}/v.mp4?{SIGNATURE}", target, profile, job_id="j-1")

    assert "j-1" in str(told.value)
    assert "only-for-you" not in str(told.value)
    assert told.value.__suppress_context__ or told.value.__context__ is None


def test_a_body_that_breaks_off_is_said(service: Any, profile: ServiceProfile, target: Path) -> None:
    cut = service.reply(200, MP4)
    cut.kind = "truncated"
    service.will(cut)

    with pytest.raises(ServiceUnreachableError, match="broke off"):
        download(f"{service.url}/v.mp4?{SIGNATURE}", target, profile, job_id="j-1")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", id="the body"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX-Odd: ", id="a header"),
        pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", id="a chunk's extension"),
    ],
)
def test_a_media_host_that_drips_is_given_up(
    dripping: Callable[[bytes], str], profile: ServiceProfile, target: Path, before: bytes
) -> None:
    minutes = itertools.count(0, 200)

    with pytest.raises(ServiceUnreachableError, match=r"job j-1 arrives too slowly.*64 KiB in 5 minutes"):
        download(dripping(before), target, profile, job_id="j-1", clock=lambda: next(minutes))


@pytest.fixture
def dripping() -> Iterator[Callable[[bytes], str]]:
    """The URL of a media host that sends a beginning, and then one byte after the other until the test is over."""
    is_over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip(before: bytes) -> None:
            with suppress(OSError), server.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(before)
                while not is_over.wait(0.05):
                    connection.sendall(b"a")

        def serve(before: bytes) -> str:
            threading.Thread(target=drip, args=(before,), daemon=True).start()
            return f"http://127.0.0.1:{server.getsockname()[1]}/v.mp4"

        yield serve
        is_over.set()


def test_a_video_that_is_large_may_take_its_time(service: Any, profile: ServiceProfile, target: Path) -> None:
    content = MP4 + box(b"free", b"z" * 3_000_000)
    service.will(service.reply(200, content))

    def four_minutes_each_64_kib() -> float:
        return 4 * 60 * target.stat().st_size / 65536

    assert download(
        f"{service.url}/v.mp4", target, profile, job_id="j-1", clock=four_minutes_each_64_kib
    ) == len(content)


def test_no_signature_is_in_any_log(
    service: Any, profile: ServiceProfile, target: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.will(
        service.reply(302, b"", location="/there.mp4?X-Signature=second-one-8"), service.reply(200, MP4)
    )

    download(f"{service.url}/v.mp4?{SIGNATURE}", target, profile, job_id="j-1")

    assert "Signature" not in caplog.text


def test_a_full_disk_is_an_os_error(service: Any, profile: ServiceProfile) -> None:
    service.will(service.reply(200, MP4 * 100))

    with pytest.raises(OSError, match="No space left on device"):
        download(f"{service.url}/v.mp4", Path("/dev/full"), profile, job_id="j-1")
