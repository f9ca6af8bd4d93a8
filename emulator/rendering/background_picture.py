"""Reading pictures that a storyboard names: of a size that can be drawn."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

MOST_PIXELS = 50_000_000

LONGEST_SIDE = 4096
"""A larger picture is kept at this size, a little more than the largest film's."""


class UnusablePictureError(Exception):
    """A picture that cannot be had; the message says why."""


def open_picture(content: bytes) -> Image.Image:
    """Read a picture, upright, with its transparency when it has any.

    :param content: a file of any format that Pillow knows
    :raises UnusablePictureError: when it has too many pixels
    """
    picture = Image.open(io.BytesIO(content))
    if picture.width * picture.height > MOST_PIXELS:
        raise UnusablePictureError(f"{picture.width} x {picture.height} pixels are too many")
    picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    return ImageOps.exif_transpose(picture).convert(mode)
