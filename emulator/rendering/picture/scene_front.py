"""What is in front of a scene's background: its text on a panel, drawn once, however many pictures pass behind."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from ..colours import Rgba
from ..text.font_stack import BOX_WIDTH, FontStack, drawable
from ..text.line_pieces import pieces_of
from ..text.text_block import TextBlock, set_text
from ..text.text_style import TextStyle

log = logging.getLogger(__name__)

MARGIN = 0.06
"""Distance of text and logo from the edges, as a part of the shorter side."""

PIXELS_PER_SIZE = 1 / 432
"""Font size 24 is a letter height of a 18th of the shorter side: 40 pixels at 720p."""

SHADOW_OFFSET = 0.06
SHADOW_BLUR = 0.05
"""In parts of the font size."""


def draw_front(
    text: str,
    style: TextStyle,
    width: int,
    height: int,
    fonts: FontStack,
    keywords: frozenset[str] = frozenset(),
    report_cut: Callable[[], None] = lambda: None,
) -> Image.Image:
    """Draw a scene's text on its panel; all else is clear.

    :param text: without SSML tags; may be empty
    :param style: how the text looks and where it stands
    :param width: pixels
    :param height: pixels
    :param fonts: to draw it with
    :param keywords: words that have the keywords' colour
    :param report_cut: called when the end of the text does not fit and is missing
    :return: a picture with transparency
    """
    front = Image.new("RGBA", (width, height))
    if not text.strip():
        return front
    short_side = min(width, height)
    margin = margin_of(width, height)
    pixels = max(round(style.size * short_side * PIXELS_PER_SIZE), 1)
    # A font that was asked for larger than the picture starts at the picture's size.
    pixels = min(pixels, short_side)
    pad_x, pad_y = _padding(pixels, short_side)
    block = set_text(
        text,
        pixels,
        fonts,
        max(min(width - 2 * margin, max(round(height * 1.5), width // 2)) - 2 * pad_x, 1),
        max(height - 2 * margin - 2 * pad_y, 1),
        overhang=margin,
    )
    if block.is_cut:
        report_cut()
        log.warning(
            "A text of %d letters does not fit a picture of %d x %d and is cut", len(text), width, height
        )
    if not block.lines:
        return front
    keywords = frozenset(map(drawable, keywords))
    pad_x, pad_y = _padding(block.pixels, short_side)
    left = place(style.horizontal, width, block.width + 2 * pad_x, margin)
    top = place(style.vertical, height, block.height + 2 * pad_y, margin)
    right, bottom = left + block.width + 2 * pad_x, top + block.height + 2 * pad_y
    panel = Image.new("L", front.size)
    ImageDraw.Draw(panel).rounded_rectangle((left, top, right, bottom), max(pad_y // 2, 1), fill=255)
    plain, highlighted = _letters(block, style, keywords, front.size, left + pad_x, top + pad_y)
    _paint(front, panel, style.background)
    if style.shadow:
        all_letters = ImageChops.lighter(plain, highlighted) if highlighted else plain
        _paint(front, _shadow(all_letters, block.pixels), style.shadow)
    _paint(front, plain, style.colour)
    if highlighted:
        _paint(front, highlighted, style.keyword_colour)
    return front


def margin_of(width: int, height: int) -> int:
    """Return the distance of text and logo from the edges.

    :param width: pixels
    :param height: pixels
    """
    return round(min(width, height) * MARGIN)


def place(alignment: str, whole: int, part: int, margin: int) -> int:
    """Say where a part begins that is aligned in a whole.

    :param alignment: `left`, `top`, `center`, `right` or `bottom`
    :param whole: pixels
    :param part: pixels
    :param margin: pixels
    """
    if alignment in ("left", "top"):
        return margin
    if alignment == "center":
        return (whole - part) // 2
    return whole - margin - part


def _letters(
    block: TextBlock, style: TextStyle, keywords: frozenset[str], size: tuple[int, int], left: int, top: int
) -> tuple[Image.Image, Image.Image | None]:
    """Masks of the text's letters and of its keywords."""
    plain = Image.new("L", size)
    highlighted = Image.new("L", size) if keywords else None
    for number, line in enumerate(block.lines):
        pieces = pieces_of(line, block.fonts, keywords)
        widths = [block.fonts.run_width(piece.run, block.pixels) for piece in pieces]
        slack = block.width - round(sum(widths))
        pen: float = left + {"left": 0, "center": slack // 2, "right": slack}[style.horizontal]
        baseline = top + block.baseline(number)
        for piece, width in zip(pieces, widths, strict=True):
            mask = highlighted if highlighted and piece.is_keyword else plain
            if piece.run.typeface is None:
                _draw_boxes(mask, len(piece.run.text), pen, baseline, block.pixels)
            else:
                font = block.fonts.font(block.pixels, piece.run.typeface)
                ImageDraw.Draw(mask).text((pen, baseline), piece.run.text, 255, font, anchor="ls")
            pen += width
    return plain, highlighted


def _draw_boxes(mask: Image.Image, count: int, left: float, baseline: int, pixels: int) -> None:
    """Boxes for letters that no font has."""
    pen = ImageDraw.Draw(mask)
    line = max(round(pixels * 0.06), 1)
    for number in range(count):
        start = left + number * BOX_WIDTH * pixels
        box = (start + pixels * 0.06, baseline - pixels * 0.7, start + pixels * (BOX_WIDTH - 0.06), baseline)
        pen.rectangle(box, outline=255, width=line)


def _shadow(mask: Image.Image, pixels: int) -> Image.Image:
    away = max(round(pixels * SHADOW_OFFSET), 1)
    shadow = Image.new("L", mask.size)
    box = mask.getbbox()
    if box:
        room = 2 * away
        letters = ImageOps.expand(mask.crop(box), room)
        shadow.paste(
            letters.filter(ImageFilter.GaussianBlur(pixels * SHADOW_BLUR)),
            (box[0] + away - room, box[1] + away - room),
        )
    return shadow


def _paint(front: Image.Image, mask: Image.Image, colour: Rgba) -> None:
    """Put a colour over what is there, where the mask says."""
    box = mask.getbbox()
    if box is None:
        return
    red, green, blue, alpha = colour
    mask = mask.crop(box)
    layer = Image.new("RGBA", mask.size, (red, green, blue, 0))
    layer.putalpha(mask.point(lambda covered: covered * alpha // 255) if alpha < 255 else mask)
    front.alpha_composite(layer, box[:2])


def _padding(pixels: float, short_side: int) -> tuple[int, int]:
    return min(round(pixels * 0.7), short_side // 16), min(round(pixels * 0.45), short_side // 20)
