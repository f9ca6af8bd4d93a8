"""A picture is read upright, in its own brightness, and no larger than it is needed."""

import io

import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.rendering.picture.background_picture import (
    UnusablePictureError,
    open_picture,
)


def content(picture: Image.Image, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    picture.save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    ("size", "side", "kept"),
    [
        ((4000, 3000), 1280, (1707, 1280)),
        ((3000, 4000), 1280, (1280, 1707)),
        ((1200, 1000), 1280, (1200, 1000)),
        ((9000, 10), 1280, (4096, 5)),
    ],
)
def test_it_is_kept_as_large_as_it_is_needed(size: tuple[int, int], side: int, kept: tuple[int, int]) -> None:
    assert open_picture(content(Image.new("RGB", size)), side).size == kept


def test_sixteen_bits_of_grey_keep_their_brightness() -> None:
    grey = Image.fromarray(np.full((4, 4), 20_000, np.uint16))
    assert open_picture(content(grey)).getpixel((1, 1)) == (78, 78, 78)


@pytest.mark.parametrize(
    "file", [b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n", b"<svg/>", b"\0ftypmp42"]
)
def test_what_would_need_another_program_is_refused(file: bytes) -> None:
    with pytest.raises(UnusablePictureError, match="not a picture that can be read"):
        open_picture(file)
