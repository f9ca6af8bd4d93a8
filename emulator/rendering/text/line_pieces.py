"""The pieces in which a line of text is drawn: each in one font and one colour, in the order of the eye."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from .font_stack import FontStack, Run

_WORD = re.compile(r"([$€£¥]?[^\W_](?:.*[^\W_])?[%€]?)")


@dataclass(frozen=True)
class Piece:
    """A run and whether it is a keyword."""

    run: Run
    is_keyword: bool


def pieces_of(line: str, fonts: FontStack, keywords: frozenset[str]) -> list[Piece]:
    """Part a line.

    A line that begins right to left is laid out from its last piece to its first, which is right as long as each
    piece reads in one direction. In a line with such letters no keyword is highlighted, since that would part words
    which are written as one.

    :param line: cleaned by `drawable`
    :param fonts: to draw it with
    :param keywords: words that are highlighted, without punctuation
    """
    first_direction = _direction_of(line)
    if first_direction is None:
        parts = _by_colour(line, keywords) if keywords else [(line, False)]
        return [Piece(run, is_keyword) for text, is_keyword in parts for run in fonts.runs(text)]
    if first_direction == "left-to-right":
        return [Piece(run, False) for run in fonts.runs(line)]
    pieces: list[Piece] = []
    for run in fonts.runs(line):
        # A space between runs belongs to neither, since its side would change with the order.
        words = run.text.rstrip()
        pieces += [Piece(Run(text, run.typeface), False) for text in (words, run.text[len(words) :]) if text]
    return pieces[::-1]


def core_of(word: str) -> str:
    """Return a word without the punctuation around it, but with the signs of money and per cent.

    :param word: without spaces
    :return: nothing when it has no letter or digit
    """
    found = _WORD.search(word)
    return found[1] if found else ""


def _by_colour(line: str, keywords: frozenset[str]) -> list[tuple[str, bool]]:
    parts: list[tuple[str, bool]] = []
    rest = ""
    for word in re.split(r"(\s+)", line):
        core = core_of(word)
        if core in keywords:
            before, _, after = word.partition(core)
            parts += [(rest + before, False), (core, True)]
            rest = after
        else:
            rest += word
    return [part for part in (*parts, (rest, False)) if part[0]]


def _direction_of(line: str) -> str | None:
    """The direction in which a line begins, when it holds letters that read right to left; otherwise None."""
    directions = [unicodedata.bidirectional(letter) for letter in line]
    if not {"R", "AL"} & set(directions):
        return None
    first = next(direction for direction in directions if direction in ("L", "R", "AL"))
    return "left-to-right" if first == "L" else "right-to-left"
