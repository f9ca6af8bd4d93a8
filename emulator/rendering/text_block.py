"""Text set in lines: wrapped to a width, evened out, and shrunk until it fits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import ImageFont

LINE_HEIGHT = 1.32
SMALLEST_PIXELS = 7
MOST_LETTERS = 5000
"""More letters than this are not tried: no picture holds them."""

# A dash stays with the word before it, so that no line begins with one.
_WORDS = re.compile(r"\s+(?![–—-]\s)")


@dataclass(frozen=True)
class TextBlock:
    """Lines in a font, ready to draw; sizes in pixels.

    :param is_cut: whether the end is missing, since even the smallest letters did not fit
    """

    lines: tuple[str, ...]
    font: ImageFont.FreeTypeFont
    width: int
    line_height: int
    is_cut: bool = False

    @property
    def height(self) -> int:
        """Height of all lines."""
        return self.line_height * len(self.lines)


@lru_cache(maxsize=64)
def load_font(pixels: int, weight: int) -> ImageFont.FreeTypeFont:
    """Load Noto Sans, a variable font.

    :param pixels: size of the em square
    :param weight: 100 to 900
    """
    with as_file(files("fontpkg_noto_sans") / "files" / "NotoSans[wdth,wght].ttf") as path:
        font = ImageFont.truetype(str(path), pixels)
    font.set_variation_by_axes([weight, 100])
    return font


def set_text(text: str, pixels: int, weight: int, max_width: int, max_height: int) -> TextBlock:
    """Set `text` in lines of at most `max_width`, in a smaller font when it is higher than `max_height`.

    :param text: may hold line ends
    :param pixels: the font size asked for
    :param weight: 100 to 900
    :param max_width: pixels
    :param max_height: pixels
    """
    is_too_long = len(text) > MOST_LETTERS
    text = text[:MOST_LETTERS]
    pixels = _first_guess(text, pixels, weight, max_width * max_height)
    while True:
        font = load_font(pixels, weight)
        line_height = max(round(pixels * LINE_HEIGHT), 1)
        room = max(max_height // line_height, 1)
        lines = _wrap(text, font, max_width)
        if len(lines) <= room or pixels <= SMALLEST_PIXELS:
            break
        pixels = max(round(pixels * 0.92), SMALLEST_PIXELS)
    is_cut = is_too_long or len(lines) > room
    lines = _cut(lines, room) if is_cut else _evened_out(text, font, lines, max_width)
    width = min(round(max(map(font.getlength, lines), default=0)), max_width)
    return TextBlock(tuple(lines), font, width, line_height, is_cut)


def _first_guess(text: str, pixels: int, weight: int, area: int) -> int:
    """The size asked for, or a little more than the one at which the letters alone would fill the area."""
    needed = load_font(pixels, weight).getlength(" ".join(text.split())) * pixels * LINE_HEIGHT
    likely = pixels * math.sqrt(area / needed) if needed > area else pixels
    return max(min(pixels, round(likely * 1.2)), SMALLEST_PIXELS) if pixels > SMALLEST_PIXELS else pixels


def _wrap(text: str, font: ImageFont.FreeTypeFont, max_width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in _WORDS.split(paragraph.strip()):
            for part in _parts(word, font, max_width):
                longer = f"{line} {part}" if line else part
                if line and font.getlength(longer) > max_width:
                    lines.append(line)
                    line = part
                else:
                    line = longer
        if line:
            lines.append(line)
    return lines


def _cut(lines: list[str], room: int) -> list[str]:
    return [*lines[: room - 1], lines[room - 1].rstrip() + "…"]


def _parts(word: str, font: ImageFont.FreeTypeFont, max_width: float) -> list[str]:
    """Cut a word which is longer than a line."""
    if font.getlength(word) <= max_width:
        return [word]
    parts, part = [], ""
    for letter in word:
        if part and font.getlength(part + letter) > max_width:
            parts.append(part)
            part = ""
        part += letter
    return [*parts, part]


def _evened_out(text: str, font: ImageFont.FreeTypeFont, lines: list[str], max_width: int) -> list[str]:
    """Find the narrowest width with the same number of lines, so that no line is left with a single word."""
    narrow, wide, best = max_width // 2, max_width, lines
    while wide - narrow > 4 and len(lines) > 1:
        middle = (narrow + wide) // 2
        candidate = _wrap(text, font, middle)
        if len(candidate) <= len(lines):
            wide, best = middle, candidate
        else:
            narrow = middle
    return best
