"""A text -> pieces of the length of a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..speech_rate import spoken_words
from .readable_text import readable
from .sentences import sentences_of

# Comma, semicolon, colon and dashes; then the East Asian ones, which no space follows.
_AFTER_CLAUSE = re.compile(r"(?<=[,;:\u2013\u2014] )|(?<=[\u3001\uff0c\uff1a\uff1b])")
_WORD = re.compile(r" *\S+ *")


class Piece(NamedTuple):
    """A piece of a text, and whether a sentence ends with it (False: the sentence goes on in the next piece)."""

    text: str
    ends_sentence: bool


def scene_pieces(text: str, *, language: str | None = None, words_per_scene: int = 30) -> list[Piece]:
    """Return a text cut into pieces that can be read and spoken as one scene, in order, no word lost.

    A piece is as many whole sentences of one paragraph as fit. A sentence that is longer than a scene is cut
    after a comma or similar, and only where it has none between words. Two wide characters (Chinese,
    Japanese, Korean) count as a word; where no spaces are written a sentence is cut at its commas only.
    docs/measured/sentences.md says how sentences are found, and in which languages it was tried (source: ours).

    :param text: plain text, one paragraph a line.
    :param language: its language, such as ``en`` or ``en-GB``; English rules where unknown.
    :param words_per_scene: the largest number of words in a piece, 1 or more.
    :raises ValueError: ``words_per_scene`` is less than 1.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    if words_per_scene < 1:
        raise ValueError(f"words_per_scene is {words_per_scene}: a scene needs at least one word.")
    pieces: list[Piece] = []
    for line in text.splitlines():
        sentences = sentences_of(one_line(line), language)
        parts = (part for sentence in sentences for part in _parts(sentence, words_per_scene))
        pieces += _filled(parts, words_per_scene)
    return [Piece(text.strip(), ends) for text, ends in pieces if text.strip()]


def one_line(text: str) -> str:
    """Return a text on one line: runs of white space become one space, what XML cannot hold is dropped.

    :param text: any text.
    """
    return " ".join(readable(text).split())


def _parts(sentence: str, limit: int) -> list[Piece]:
    """Return a sentence whole, or cut into parts that fit a scene."""
    if spoken_words(sentence) <= limit:
        return [Piece(sentence, True)]
    clauses = _AFTER_CLAUSE.split(sentence)
    short = (part for c in clauses for part in ([c] if spoken_words(c) <= limit else _WORD.findall(c)))
    cut = _filled((Piece(part, False) for part in short), limit)
    return [*cut[:-1], Piece(cut[-1].text, True)]


def _filled(parts: Iterable[Piece], limit: int) -> list[Piece]:
    """Return consecutive parts joined as long as they fit together."""
    filled: list[Piece] = []
    for part in parts:
        if filled and spoken_words(filled[-1].text + part.text) <= limit:
            filled[-1] = Piece(filled[-1].text + part.text, part.ends_sentence)
        else:
            filled.append(part)
    return filled
