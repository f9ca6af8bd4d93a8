import io
import logging
from typing import Any

import pytest
from PIL import Image

from airflow_video_creation.emulator.rendering.background_picture import fetch_pictures


def picture(kind: str, size: tuple[int, int] = (8, 4)) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, "#336699").save(content, kind)
    return content.getvalue()


async def test_pictures_are_fetched_once_each(receiver: Any) -> None:
    receiver.files = {"/a.png": ("image/png", picture("PNG")), "/b.jpg": ("image/jpeg", picture("JPEG"))}
    urls = [f"{receiver.url}/{name}" for name in ("a.png", "b.jpg", "a.png")]
    pictures = await fetch_pictures(urls, allow_private_networks=True)
    assert set(pictures) == set(urls)
    assert pictures[urls[0]].size == (8, 4)


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("image/png", b"no picture", "cannot identify"),
        ("video/mp4", b"0000ftyp", "it cannot be read"),
        ("image/png", b"", "status 404"),
        ("image/png", b"x" * (20 * 1024 * 1024 + 1), "larger than"),
        ("image/png", picture("PNG", (8000, 7000)), "pixels are too many"),
    ],
    ids=["no-picture", "video", "not-found", "too-large", "too-many-pixels"],
)
async def test_a_picture_that_cannot_be_had_is_named_in_the_log(
    receiver: Any, caplog: pytest.LogCaptureFixture, kind: str, content: bytes, says: str
) -> None:
    receiver.files = {"/a.png?key=secret": (kind, content)}
    url = f"{receiver.url}/a.png?key=secret"
    with caplog.at_level(logging.WARNING):
        assert await fetch_pictures([url], allow_private_networks=True) == {}
    assert f"{receiver.url}/a.png is replaced by a colour" in caplog.text
    assert says in caplog.text
    assert "secret" not in caplog.text


async def test_private_networks_are_out_of_reach_unless_allowed(
    receiver: Any, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.files = {"/a.png": ("image/png", picture("PNG"))}
    assert await fetch_pictures([f"{receiver.url}/a.png"], allow_private_networks=False) == {}
    assert "--allow-private-networks" in caplog.text
