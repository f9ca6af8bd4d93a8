"""What is behind a scene's text: a picture cut to the film's size, or a gradient."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from ..colours import Shades, parse_colour

_STRIP = 128
"""Rows that are drawn at once."""


def fill(picture: Image.Image, width: int, height: int) -> Image.Image:
    """Cut a picture so that it fills the film's; where it is transparent it becomes black.

    :param picture: any size and mode
    :param width: pixels
    :param height: pixels
    """
    fitted = ImageOps.fit(picture, (width, height), Image.Resampling.LANCZOS)
    if not fitted.has_transparency_data:
        return fitted.convert("RGB")
    opaque = Image.new("RGB", fitted.size)
    opaque.paste(fitted, mask=fitted.convert("RGBA").getchannel("A"))
    return opaque


def draw_gradient(width: int, height: int, shades: Shades) -> Image.Image:
    """Draw a diagonal gradient with two soft discs of light.

    :param width: pixels
    :param height: pixels
    :param shades: its two ends
    """
    # Strip by strip, since numbers with fractions take many times the memory of the picture.
    picture = np.empty((height, width, 3), np.uint8)
    chance = np.random.default_rng(0)
    for top in range(0, height, _STRIP):
        rows = slice(top, min(top + _STRIP, height))
        picture[rows] = _gradient_rows(rows, width, height, shades, chance)
    return Image.fromarray(picture)


def _gradient_rows(
    rows: slice, width: int, height: int, shades: Shades, chance: np.random.Generator
) -> NDArray[np.uint8]:
    dark = np.array(parse_colour(shades.dark)[:3], np.float32)
    light = np.array(parse_colour(shades.light)[:3], np.float32)
    y, x = np.mgrid[rows, 0:width].astype(np.float32)
    amount = 0.12 + 0.72 * (0.62 * x / width + 0.38 * (1 - y / height))
    unit = min(width, height)
    for centre_x, centre_y, radius, strength in ((0.82, 0.18, 0.55, 0.16), (0.58, 0.62, 0.34, 0.08)):
        distance = np.hypot(x - centre_x * width, y - centre_y * height) / unit
        amount += strength * np.clip((radius - distance) / 0.02, 0, 1)
    colours = dark + (light - dark) * np.clip(amount, 0, 1)[..., None]
    # Half a level of noise keeps the gradient free of bands.
    noise = chance.random((len(y), width, 1), np.float32)
    strip: NDArray[np.uint8] = (colours + noise).clip(0, 255).astype(np.uint8)
    return strip
