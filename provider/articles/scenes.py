"""A text -> pieces of the length of a scene."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from .errors import articles_extra

# Characters that XML 1.0 cannot hold, not even as a reference; scene text is read as XML (SSML).
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Comma, semicolon, colon and dashes; then the East Asian ones, which no space follows.
_AFTER_CLAUSE = re.compile(r"(?<=[,;:\u2013\u2014] )|(?<=[\u3001\uff0c\uff1a\uff1b])")
_WORD = re.compile(r" *\S+ *")


def scene_texts(text: str, *, language: str | None = None, words_per_scene: int = 30) -> list[str]:
    """Return a text cut into pieces that can be read and spoken as one scene, in order, no word lost.

    A piece is as many whole sentences of one paragraph as fit. A sentence that is longer than a scene is cut
    after a comma or the like, and only where it has none between words. Two wide characters (Chinese,
    Japanese, Korean) count as a word; where no spaces are written a sentence is cut at its commas only.
    Sentences are found by sentencex; tried with English, German, French, Spanish, Italian, Russian and
    Japanese (source: ours).

    :param text: plain text, one paragraph a line.
    :param language: its language, such as ``en`` or ``en-GB``; English rules where unknown.
    :param words_per_scene: the largest number of words in a piece, 1 or more.
    :raises ValueError: ``words_per_scene`` is less than 1.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    with articles_extra():
        import sentencex
    if words_per_scene < 1:
        raise ValueError(f"words_per_scene is {words_per_scene}: a scene needs at least one word.")

    code = re.split("[-_]", language or "en")[0].lower()
    pieces: list[str] = []
    for line in text.splitlines():
        paragraph = one_line(line)
        sentences = sentencex.segment(code, paragraph)
        parts = (part for sentence in sentences for part in _parts(sentence, words_per_scene))
        pieces += (piece.strip() for piece in _filled(parts, words_per_scene))
    return [piece for piece in pieces if piece]


def one_line(text: str) -> str:
    """Return a text on one line: runs of white space become one space, what XML cannot hold is dropped.

    :param text: any text.
    """
    return " ".join(_NOT_XML.sub("", text).split())


def _length(text: str) -> float:
    """Return a text's length in words."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text.split()) + wide / 2


def _parts(sentence: str, limit: int) -> list[str]:
    """Return a sentence whole, or cut into parts that fit a scene."""
    if _length(sentence) <= limit:
        return [sentence]
    clauses = _AFTER_CLAUSE.split(sentence)
    short = (part for c in clauses for part in ([c] if _length(c) <= limit else _WORD.findall(c)))
    return _filled(short, limit)


def _filled(parts: Iterable[str], limit: int) -> list[str]:
    """Return consecutive parts joined as long as they fit together."""
    filled: list[str] = []
    for part in parts:
        if filled and _length(filled[-1] + part) <= limit:
            filled[-1] += part
        else:
            filled.append(part)
    return filled
