"""The fonts that a text is drawn in: the one asked for, and for a letter that it lacks the first that has it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import chain

from PIL import ImageFont

from .font_families import other_typefaces
from .typeface import Typeface

BOX_WIDTH = 0.62
"""Width of the box that stands for a letter which no font has, in parts of the font size."""

_JOINERS = "\u200c\u200d"
_MAX_MARKS = 4


@dataclass(frozen=True)
class Run:
    """Letters that follow each other in one font; without a typeface each of them is a box."""

    text: str
    typeface: Typeface | None


class FontStack:
    """The fonts of a text.

    :param first: the typeface asked for
    :param weight: 100 to 900
    """

    def __init__(self, first: Typeface, weight: int) -> None:
        self.first = first
        self.weight = weight
        self._found: dict[str, Typeface | None] = {}

    def font(self, pixels: int, typeface: Typeface | None = None) -> ImageFont.FreeTypeFont:
        """Return a font to draw with.

        :param pixels: size of the em square
        :param typeface: absent: the first
        """
        return (typeface or self.first).font(pixels, self.weight)

    def runs(self, text: str) -> list[Run]:
        """Part a text by the fonts in which its letters are drawn.

        :param text: cleaned by `drawable`
        """
        if all(map(self.first.has, text)):
            return [Run(text, self.first)] if text else []
        runs: list[Run] = []
        for letter in text:
            before = runs[-1].typeface if runs else None
            stays = before is not None and _belongs_to_neighbour(letter) and before.has(letter)
            typeface = before if stays else self._typeface_with(letter)
            if typeface is None and letter in _JOINERS:
                continue
            if runs and before is typeface:
                runs[-1] = Run(runs[-1].text + letter, typeface)
            else:
                runs.append(Run(letter, typeface))
        return runs

    def width(self, text: str, pixels: int) -> float:
        """Measure a line in pixels.

        :param text: cleaned by `drawable`
        :param pixels: size of the em square
        """
        return sum(self.run_width(run, pixels) for run in self.runs(text))

    def run_width(self, run: Run, pixels: int) -> float:
        """Measure a run in pixels.

        :param run: of this stack
        :param pixels: size of the em square
        """
        if run.typeface is None:
            return len(run.text) * BOX_WIDTH * pixels
        return self.font(pixels, run.typeface).getlength(run.text)

    def missing(self, text: str) -> set[str]:
        """Return the letters that no font at hand has.

        :param text: cleaned by `drawable`
        """
        return {letter for run in self.runs(text) if run.typeface is None for letter in run.text}

    def _typeface_with(self, letter: str) -> Typeface | None:
        if letter not in self._found:
            at_hand = chain((self.first,), other_typefaces(self.weight))
            self._found[letter] = next((typeface for typeface in at_hand if typeface.has(letter)), None)
        return self._found[letter]


def drawable(text: str) -> str:
    """Leave out what is not seen, such as control characters, and more marks on a letter than a line has room for.

    :param text: any; line ends stay
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        is_hidden = category in ("Cc", "Cf", "Cs") and letter not in _JOINERS and not letter.isspace()
        if not is_hidden and marks <= _MAX_MARKS and not 0xFE00 <= ord(letter) <= 0xFE0F:
            kept.append(letter)
    return "".join(kept)


def _belongs_to_neighbour(letter: str) -> bool:
    """Whether a letter, such as a space or an accent, looks best in the font of the letter before it."""
    return letter.isspace() or letter in _JOINERS or unicodedata.category(letter).startswith("M")
