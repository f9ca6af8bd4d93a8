"""What stands behind a scene's text: a picture cut to the film's size, or a gradient."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageOps

from .colours import Shades, parse_colour


def fill(picture: Image.Image, width: int, height: int) -> Image.Image:
    """Cut a picture so that it fills the film's; where it is clear it stands on black.

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
    dark = np.array(parse_colour(shades.dark)[:3], np.float32)
    light = np.array(parse_colour(shades.light)[:3], np.float32)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    amount = 0.12 + 0.72 * (0.62 * x / width + 0.38 * (1 - y / height))
    unit = min(width, height)
    for centre_x, centre_y, radius, strength in ((0.82, 0.18, 0.55, 0.16), (0.58, 0.62, 0.34, 0.08)):
        distance = np.hypot(x - centre_x * width, y - centre_y * height) / unit
        amount += strength * np.clip((radius - distance) / 0.02, 0, 1)
    colours = dark + (light - dark) * np.clip(amount, 0, 1)[..., None]
    # Half a level of noise keeps the gradient free of bands.
    noise = np.random.default_rng(0).random((height, width, 1), np.float32)
    return Image.fromarray((colours + noise).clip(0, 255).astype(np.uint8))
