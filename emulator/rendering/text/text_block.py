"""Text set in lines: wrapped to a width, evened out, and shrunk until it fits."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from .font_stack import FontStack, drawable

LINE_HEIGHT = 1.32
SMALLEST_PIXELS = 7
"""Smaller letters are tried only for what is wider than its room even by itself."""

MAX_LETTERS = 5000
"""More letters than this are not tried: no picture holds them."""

# A dash stays with the word before it, so that no line begins with one.
_WORDS = re.compile(r"\s+(?![–—-]\s)")


@dataclass(frozen=True)
class TextBlock:
    """Lines in fonts, ready to draw; sizes in pixels.

    :param pixels: size of the em square
    :param is_cut: whether the end is missing, since even the smallest letters did not fit
    """

    lines: tuple[str, ...]
    fonts: FontStack
    pixels: int
    width: int
    line_height: int
    is_cut: bool = False

    @property
    def height(self) -> int:
        """Height of all lines."""
        return self.line_height * len(self.lines)

    def baseline(self, number: int) -> int:
        """Where the letters of a line stand, from the block's top.

        :param number: of the line, from 0
        """
        ascent, descent = self.fonts.font(self.pixels).getmetrics()
        # A font may say anything of its height; no letters are that far from the line.
        height = min(max(ascent - descent, self.pixels // 2), self.pixels)
        return self.line_height * number + (self.line_height + height) // 2


def set_text(
    text: str, pixels: int, fonts: FontStack, max_width: int, max_height: int, overhang: int = 0
) -> TextBlock:
    """Set `text` in lines of at most `max_width`, in smaller letters when it is higher than `max_height`.

    :param text: may hold line ends
    :param pixels: the font size asked for
    :param fonts: to draw it with
    :param max_width: pixels
    :param max_height: pixels
    :param overhang: pixels that parts of letters, such as a swash or an accent, may stand out of the block
    """
    text = drawable(text)
    is_too_long = len(text) > MAX_LETTERS
    text = text[:MAX_LETTERS]
    pixels = _first_guess(text, pixels, fonts, max_width * max_height)
    while True:
        line_height = max(round(pixels * LINE_HEIGHT), 1)
        room = max(max_height // line_height, 1)
        lines = _wrap(text, fonts, pixels, max_width)
        is_cut = is_too_long or len(lines) > room
        if len(lines) * line_height <= max_height or pixels <= SMALLEST_PIXELS:
            shown = (
                _cut(lines[:room], fonts, pixels, max_width)
                if is_cut
                else _evened_out(text, fonts, pixels, lines, max_width)
            )
            width = round(max((fonts.width(line, pixels) for line in shown), default=0))
            block = TextBlock(tuple(shown), fonts, pixels, min(width, max_width), line_height, is_cut)
            if pixels == 1 or (width <= max_width and not _stands_out(block, overhang)):
                return block
        smaller = min(round(pixels * 0.92), pixels - 1)
        pixels = max(smaller, SMALLEST_PIXELS) if pixels > SMALLEST_PIXELS else smaller


def _stands_out(block: TextBlock, overhang: int) -> bool:
    """Whether a part of some letter is farther from the block than it may be."""
    for number, line in enumerate(block.lines):
        pen = 0.0
        baseline = block.baseline(number)
        for run in block.fonts.runs(line):
            if run.typeface is not None:
                left, top, right, bottom = block.fonts.font(block.pixels, run.typeface).getbbox(
                    run.text, anchor="ls"
                )
                if pen + left < -overhang or pen + right > block.width + overhang:
                    return True
                if baseline + top < -overhang or baseline + bottom > block.height + overhang:
                    return True
            pen += block.fonts.run_width(run, block.pixels)
    return False


def _first_guess(text: str, pixels: int, fonts: FontStack, area: int) -> int:
    """The size asked for, or a little more than the one at which the letters alone would fill the area."""
    needed = fonts.width(" ".join(text.split()), pixels) * pixels * LINE_HEIGHT
    likely = pixels * math.sqrt(area / needed) if needed > area else pixels
    return max(min(pixels, round(likely * 1.2)), SMALLEST_PIXELS) if pixels > SMALLEST_PIXELS else pixels


def _wrap(text: str, fonts: FontStack, pixels: int, max_width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in _WORDS.split(paragraph.strip()):
            for part in _parts(word, fonts, pixels, max_width):
                longer = f"{line} {part}" if line else part
                if line and fonts.width(longer, pixels) > max_width:
                    lines.append(line)
                    line = part
                else:
                    line = longer
        if line:
            lines.append(line)
    return lines


def _cut(lines: list[str], fonts: FontStack, pixels: int, max_width: float) -> list[str]:
    """Let the last line end with a sign that there was more."""
    last = lines[-1]
    while last and fonts.width(f"{last}…", pixels) > max_width:
        last = last[:-1]
    return [*lines[:-1], f"{last.rstrip()}…"]


def _parts(word: str, fonts: FontStack, pixels: int, max_width: float) -> list[str]:
    """Cut a word which is longer than a line."""
    if fonts.width(word, pixels) <= max_width:
        return [word]
    parts, part = [], ""
    for letter in word:
        is_mark = unicodedata.category(letter).startswith("M")
        if part and not is_mark and fonts.width(part + letter, pixels) > max_width:
            parts.append(part)
            part = ""
        part += letter
    return [*parts, part]


def _evened_out(text: str, fonts: FontStack, pixels: int, lines: list[str], max_width: int) -> list[str]:
    """Find the narrowest width with the same number of lines, so that no line is left with a single word."""
    narrow, wide, best = max_width // 2, max_width, lines
    while wide - narrow > 4 and len(lines) > 1:
        middle = (narrow + wide) // 2
        candidate = _wrap(text, fonts, pixels, middle)
        if len(candidate) <= len(lines):
            wide, best = middle, candidate
        else:
            narrow = middle
    return best
