"""What a storyboard names is fetched once, within limits; what cannot be had is named in the log."""

import io
import logging
from pathlib import Path
from typing import Any

import fontpkg
import pytest
from PIL import Image

from airflow_video_creation.emulator.rendering.film.media import MediaSources, fetch_media
from airflow_video_creation.emulator.rendering.text.typeface import Typeface

ANYWHERE = MediaSources(allow_private_networks=True)


def picture(kind: str, size: tuple[int, int] = (8, 4), mode: str = "RGB") -> bytes:
    content = io.BytesIO()
    Image.new(mode, size).save(content, kind)
    return content.getvalue()


async def test_pictures_are_fetched_once_each(receiver: Any) -> None:
    receiver.files = {"/a.png": ("image/png", picture("PNG")), "/b.jpg": ("image/jpeg", picture("JPEG"))}
    urls = [f"{receiver.url}/{name}" for name in ("a.png", "b.jpg", "a.png")]
    pictures = await fetch_media(urls, [], [], ANYWHERE)
    assert set(pictures) == set(urls)
    opened = pictures[urls[0]]
    assert isinstance(opened, Image.Image)
    assert opened.size == (8, 4)


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("image/png", b"no picture", "not a picture that can be read"),
        ("video/mp4", b"0000ftyp", "it cannot be read"),
        ("image/png", b"", "status 404"),
        ("image/png", b"x" * (20 * 1024 * 1024 + 1), "larger than"),
        ("image/png", picture("PNG", (8000, 7000), "1"), "pixels are too many"),
    ],
    ids=["no-picture", "video", "not-found", "too-large", "too-many-pixels"],
)
async def test_a_picture_that_cannot_be_had_is_named_in_the_log(
    receiver: Any, caplog: pytest.LogCaptureFixture, kind: str, content: bytes, says: str
) -> None:
    receiver.files = {"/a.png?key=secret": (kind, content)}
    url = f"{receiver.url}/a.png?key=secret"
    with caplog.at_level(logging.WARNING):
        assert await fetch_media([url], [], [], ANYWHERE) == {}
    assert f"{receiver.url}/a.png is replaced by a colour" in caplog.text
    assert says in caplog.text
    assert "secret" not in caplog.text


async def test_private_networks_are_out_of_reach_unless_allowed(
    receiver: Any, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.files = {"/a.png": ("image/png", picture("PNG"))}
    assert await fetch_media([f"{receiver.url}/a.png"], [], [], MediaSources()) == {}
    assert "--allow-private-networks" in caplog.text


async def test_a_font_is_fetched(receiver: Any) -> None:
    receiver.files = {"/a.ttf": ("font/ttf", fontpkg.path("Roboto Mono").read_bytes())}
    url = f"{receiver.url}/a.ttf"
    font = (await fetch_media([], [], [url, url], ANYWHERE))[url]
    assert isinstance(font, Typeface)
    assert font.has("a")
    assert not font.has("\u4f60")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"no font", "first bytes"),
        (fontpkg.path("Roboto Mono").read_bytes()[:-3000], "its end is missing"),
        (b"\0\1\0\0" + b"x" * (5 * 1024 * 1024), "larger than"),
    ],
    ids=["no-font", "half-a-font", "too-large"],
)
async def test_a_font_that_cannot_be_had_is_named_in_the_log(
    receiver: Any, caplog: pytest.LogCaptureFixture, content: bytes, says: str
) -> None:
    receiver.files = {"/a.ttf": ("font/ttf", content)}
    assert await fetch_media([], [], [f"{receiver.url}/a.ttf"], ANYWHERE) == {}
    assert f"Font {receiver.url}/a.ttf is replaced" in caplog.text
    assert says in caplog.text


async def test_a_logo_that_cannot_be_had_is_named_in_the_log(
    receiver: Any, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.files = {"/logo.svg": ("image/svg+xml", b"<svg/>")}
    assert await fetch_media([], [f"{receiver.url}/logo.svg"], [], ANYWHERE) == {}
    assert f"Logo {receiver.url}/logo.svg is left out" in caplog.text


ADDRESSES = ("s3://media/2026/a%20b.png", "https://media.s3.us-east-2.amazonaws.com/2026/a%2520b.png")


@pytest.mark.parametrize("address", ADDRESSES)
async def test_private_media_come_from_a_folder(tmp_path: Path, address: str) -> None:
    (tmp_path / "media" / "2026").mkdir(parents=True)
    (tmp_path / "media" / "2026" / "a%20b.png").write_bytes(picture("PNG"))
    assert set(await fetch_media([address], [], [], MediaSources(folder=tmp_path))) == {address}


@pytest.mark.parametrize("address", ADDRESSES)
async def test_private_media_come_from_an_endpoint(receiver: Any, address: str) -> None:
    receiver.files = {"/media/2026/a%2520b.png": ("image/png", picture("PNG"))}
    sources = MediaSources(s3_endpoint=f"{receiver.url}/")
    assert set(await fetch_media([address], [], [], sources)) == {address}


async def test_without_either_private_media_are_a_colour_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await fetch_media(["s3://media/a.png"], [], [], MediaSources()) == {}
    assert "s3://media/a.png is replaced by a colour: --media-folder or --s3-endpoint" in caplog.text


@pytest.mark.parametrize(
    "key",
    ["../secret.png", "a/../../secret.png", "link.png", "linked/secret.png", "..", ".", "\0", "x" * 300],
)
async def test_nothing_outside_its_bucket_is_read(
    tmp_path: Path, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    bucket = tmp_path / "media"
    bucket.mkdir()
    (tmp_path / "secret.png").write_bytes(picture("PNG"))
    (bucket / "link.png").symlink_to(tmp_path / "secret.png")
    (bucket / "linked").symlink_to(tmp_path)
    assert await fetch_media([f"s3://media/{key}"], [], [], MediaSources(folder=tmp_path)) == {}
    assert "replaced by a colour" in caplog.text


async def test_a_bucket_that_is_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.png").write_bytes(picture("PNG"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "media").symlink_to(tmp_path / "outside")
    assert await fetch_media(["s3://media/a.png"], [], [], MediaSources(folder=tmp_path / "folder")) == {}


async def test_nothing_outside_its_bucket_is_asked_of_an_endpoint(
    receiver: Any, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.files = {"/other/secret.png": ("image/png", picture("PNG"))}
    sources = MediaSources(s3_endpoint=receiver.url)
    assert await fetch_media(["s3://media/../other/secret.png"], [], [], sources) == {}
    assert "a segment that is . or .." in caplog.text
