"""A scene's still picture: its background, and its text on a panel."""

from __future__ import annotations

import logging

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from .colours import Rgba, Shades, parse_colour
from .text_block import TextBlock, set_text
from .text_style import TextStyle

log = logging.getLogger(__name__)

MARGIN = 0.06
"""Distance of the text from the edges, as a part of the shorter side."""

PIXELS_PER_SIZE = 1 / 432
"""Font size 24 is a letter height of a 18th of the shorter side: 40 pixels at 720p."""


def draw_scene(
    text: str,
    style: TextStyle,
    width: int,
    height: int,
    shades: Shades,
    background: Image.Image | None = None,
) -> Image.Image:
    """Draw a scene.

    :param text: without SSML tags; may be empty
    :param style: how the text looks and where it stands
    :param width: pixels
    :param height: pixels
    :param shades: colours when there is no background picture
    :param background: picture which is cut to fill the scene
    """
    if background is None:
        picture = _gradient(width, height, shades)
    else:
        picture = ImageOps.fit(background.convert("RGB"), (width, height), Image.Resampling.LANCZOS)
    if text.strip():
        _draw_text(picture, text, style)
    return picture


def _gradient(width: int, height: int, shades: Shades) -> Image.Image:
    """A diagonal gradient with two soft discs of light."""
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


def _draw_text(picture: Image.Image, text: str, style: TextStyle) -> None:
    width, height = picture.size
    short_side = min(width, height)
    margin = round(short_side * MARGIN)
    pixels = max(round(style.size * short_side * PIXELS_PER_SIZE), 1)
    # A font that was asked for larger than the picture starts at the picture's size.
    pixels = min(pixels, short_side)
    pad_x, pad_y = _padding(pixels, short_side)
    block = set_text(
        text,
        pixels,
        style.weight,
        max(min(width - 2 * margin, round(height * 1.5)) - 2 * pad_x, 1),
        max(height - 2 * margin - 2 * pad_y, 1),
    )
    if block.is_cut:
        log.warning(
            "A text of %d letters does not fit a picture of %d x %d and is cut", len(text), width, height
        )
    pad_x, pad_y = _padding(block.font.size, short_side)
    left = _place(style.horizontal, width, block.width + 2 * pad_x, margin)
    top = _place(style.vertical, height, block.height + 2 * pad_y, margin)
    panel = Image.new("L", picture.size)
    right, bottom = left + block.width + 2 * pad_x, top + block.height + 2 * pad_y
    ImageDraw.Draw(panel).rounded_rectangle((left, top, right, bottom), max(pad_y // 2, 1), fill=255)
    _paint(picture, panel, style.background)
    _paint(picture, _letters(block, style, picture.size, left + pad_x, top + pad_y), style.colour)


def _letters(block: TextBlock, style: TextStyle, size: tuple[int, int], left: int, top: int) -> Image.Image:
    """A mask of the text's letters."""
    mask = Image.new("L", size)
    pen = ImageDraw.Draw(mask)
    for number, line in enumerate(block.lines):
        slack = block.width - round(block.font.getlength(line))
        shift = {"left": 0, "center": slack // 2, "right": slack}[style.horizontal]
        middle = top + block.line_height * number + block.line_height // 2
        pen.text((left + shift, middle), line, 255, block.font, anchor="lm")
    return mask


def _paint(picture: Image.Image, mask: Image.Image, colour: Rgba) -> None:
    red, green, blue, alpha = colour
    if alpha < 255:
        mask = mask.point(lambda covered: covered * alpha // 255)
    picture.paste((red, green, blue), mask=mask)


def _padding(pixels: float, short_side: int) -> tuple[int, int]:
    return min(round(pixels * 0.7), short_side // 16), min(round(pixels * 0.45), short_side // 20)


def _place(alignment: str, whole: int, part: int, margin: int) -> int:
    if alignment in ("left", "top"):
        return margin
    if alignment == "center":
        return (whole - part) // 2
    return whole - margin - part
