"""Reading pictures that a storyboard names: of a size that can be drawn."""

from __future__ import annotations

import io
import math

from PIL import Image, ImageOps, UnidentifiedImageError

MAX_PIXELS = 50_000_000

MAX_SIDE = 4096
"""A little more than the largest film's; a longer picture is kept at this size."""

FORMATS = ("AVIF", "BMP", "GIF", "JPEG", "JPEG2000", "PNG", "PPM", "TIFF", "WEBP")
"""Not all that Pillow knows: it hands some, such as .eps, over to other programs."""


class UnusablePictureError(Exception):
    """A picture that cannot be used; the message says why."""


def open_picture(content: bytes, side: int = MAX_SIDE) -> Image.Image:
    """Read a picture, upright, with its transparency when it has any, and no larger than it is needed.

    :param content: a file of one of `FORMATS`
    :param side: pixels; a picture with a shorter side of more is made smaller, until that is as long
    :raises UnusablePictureError: when it is none that can be read, or has too many pixels
    """
    Image.init()
    try:
        picture: Image.Image = Image.open(io.BytesIO(content), formats=FORMATS)
    except UnidentifiedImageError:
        raise UnusablePictureError(f"it is not a picture that can be read ({', '.join(FORMATS)})") from None
    if picture.width * picture.height > MAX_PIXELS:
        raise UnusablePictureError(f"{picture.width} x {picture.height} pixels are too many")
    picture.draft("RGB", (side, side))
    if picture.mode.startswith("I;16"):
        # Pillow would take every grey above 255 of 65,535 for white.
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")
    scale = min(side / min(picture.size), MAX_SIDE / max(picture.size), 1)
    if scale < 1:
        picture.thumbnail((math.ceil(picture.width * scale), math.ceil(picture.height * scale)))
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    return ImageOps.exif_transpose(picture).convert(mode)
