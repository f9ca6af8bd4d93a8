"""A font file: which letters it has, and its letters at a size and weight."""

from __future__ import annotations

import io
from functools import cache, lru_cache
from pathlib import Path

from fontTools.ttLib import TTFont
from PIL import ImageFont

_BEGINNINGS = (b"\0\1\0\0", b"OTTO", b"true")
_SIZES_KEPT = 6
NORMAL_WEIGHT = 400


class UnusableFontError(Exception):
    """A font that cannot be used; the message says why."""


class Typeface:
    """One font file, fixed or variable.

    :param source: a .ttf or .otf file, or its content
    :raises UnusableFontError: when no letters can be drawn with it
    """

    def __init__(self, source: Path | bytes) -> None:
        self._source = source
        try:
            with TTFont(self._open(), lazy=True) as font:
                if isinstance(source, bytes) and _end_of_tables(font) > len(source):
                    raise UnusableFontError("its end is missing")
                self._letters = frozenset(font.getBestCmap() or ())
                self._axes = (
                    [
                        (axis.axisTag, axis.minValue, axis.defaultValue, axis.maxValue)
                        for axis in font["fvar"].axes
                    ]
                    if "fvar" in font
                    else []
                )
            self.font = lru_cache(_SIZES_KEPT)(self._font)
            # A family that is installed is whole.
            self._can_draw = cache(self._draws) if isinstance(source, bytes) else bool
            some = [chr(letter) for letter in sorted(self._letters) if chr(letter).isalnum()][:20]
            drawn = self.font(24, NORMAL_WEIGHT).getmask("".join(some))
        except UnusableFontError:
            raise
        except Exception as error:
            # Whatever is wrong in a foreign file, another font is at hand.
            raise UnusableFontError(f"it is not a .ttf or .otf font that can be read: {error}") from error
        if drawn.getbbox() is None:
            raise UnusableFontError("it has no letters that can be drawn")

    @property
    def has_weights(self) -> bool:
        """Whether it can be drawn in other weights than its own."""
        return any(tag == "wght" for tag, *_ in self._axes)

    def has(self, letter: str) -> bool:
        """Tell whether it has a letter of its own for a character, one that can be drawn.

        :param letter: one character
        """
        return ord(letter) in self._letters and self._can_draw(letter)

    def _draws(self, letter: str) -> bool:
        try:
            self.font(24, NORMAL_WEIGHT).getmask(letter)
        except (OSError, ValueError):
            return False
        return True

    def _font(self, pixels: int, weight: int) -> ImageFont.FreeTypeFont:
        font = ImageFont.truetype(self._open(), pixels)
        if self._axes:
            font.set_variation_by_axes(
                [
                    min(max(weight, low), high) if tag == "wght" else usual
                    for tag, low, usual, high in self._axes
                ]
            )
        return font

    def _open(self) -> str | io.BytesIO:
        if isinstance(self._source, Path):
            return str(self._source)
        if not self._source.startswith(_BEGINNINGS):
            raise UnusableFontError("its first bytes are not those of a font")
        return io.BytesIO(self._source)


def _end_of_tables(font: TTFont) -> int:
    return max(int(table.offset + table.length) for table in font.reader.tables.values())
