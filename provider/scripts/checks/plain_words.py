"""A text -> its words as they can be compared: whatever their case, accents, ending and kind of quotation mark."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(
    # Chinese and Japanese write no spaces: there a character is a word, but runs of katakana are one.
    # So are l'Italie and Italie.
    r"(?:[CDJLMNSTcdjlmnst]|[Qq]u|[Dd]ell|[Aa]ll|[Nn]ell|[Dd]all|[Ss]ull|[Uu]n|[Qq]uell)['\u2019](?=[^\W\d_]{2})"
    r"|[\u30a1-\u30fa\u30fc]+|[\u3041-\u309f\u3400-\u9fff]"
    r"|[^\W\d_\u3041-\u30ff\u3400-\u9fff]+(?:['\u2019][^\W\d_]+)*|\d+(?:[.,]\d+)*"
)
_UNSEEN = re.compile("[\u00ad\u00b2\u00b3\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Characters that have no width or change the direction, and raised digits."""
_SHORTEST_STEM = 3
_STEM = 5
"""Letters by which two forms of a word are known as one (ours)."""


class Word(NamedTuple):
    """A word, and where it stands."""

    text: str
    start: int
    end: int


def plain(text: str) -> str:
    """A text with one kind of each character: no full-width forms, hard spaces or ligatures (source: ours).

    :param text: any text.
    """
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text))


def words_of(text: str) -> list[Word]:
    """The words and numbers of a text in order (source: ours).

    :param text: plain text.
    """
    return [Word(found[0], found.start(), found.end()) for found in _WORD.finditer(text)]


@lru_cache(maxsize=16_384)
def folded(word: str) -> str:
    """A word without case, accents and the s of possession (source: ours).

    :param word: of a text.
    """
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return re.sub(r"['\u2019]s?$", "", letters)


def folded_words(text: str) -> frozenset[str]:
    """The words and numbers of a text as ``folded`` makes them (source: ours).

    :param text: plain text.
    """
    return frozenset(folded(word.text) for word in words_of(text))


def are_alike(mine: str, its: str) -> bool:
    """Whether two words are forms of one, roughly (source: ours).

    :param mine: as ``folded`` makes it.
    :param its: as ``folded`` makes it.
    """
    shorter = min(len(mine), len(its))
    return mine == its or letters_in_common(mine, its) >= max(_SHORTEST_STEM, min(shorter - 1, _STEM))


def letters_in_common(mine: str, its: str) -> int:
    """How many letters two words begin with in common (source: ours).

    :param mine: a word.
    :param its: another.
    """
    pairs = enumerate(zip(mine, its, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(mine), len(its)))


def stem(word: str) -> str:
    """What the forms of a word have in common, roughly (source: ours).

    :param word: of a text.
    """
    return folded(word)[:_STEM]
