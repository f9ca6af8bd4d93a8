"""Which words of a text are its keywords. The rule is ours: the service's own is not known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .line_pieces import core_of

MAX_KEYWORDS = 3
WORDS_PER_KEYWORD = 4
LONG_WORD = 7

_COUNTED = """
percent per million billion trillion thousand hundred euros dollars pounds people years days hours minutes km kg tons
tonnes metres meters miles degrees
prozent millionen milliarden tausend hundert euro dollar menschen jahre tage stunden minuten tonnen meter kilometer grad
"""
_COMMON = """
this that these those they there then with from into about after before because through between against without another
however although during where which while what when others several already perhaps therefore otherwise whether
themselves yourself himself herself something anything everything nothing someone
dieser dieses allerdings dennoch deshalb während zwischen trotzdem weiterhin bereits vielleicht gegenüber außerdem
inzwischen konnten sollten wollten müssen können
"""
_GERMAN = "der das und ist nicht ein eine einen mit sich auf für von zu den dem im"

UNITS, FUNCTION_WORDS, GERMAN_WORDS = (frozenset(words.split()) for words in (_COUNTED, _COMMON, _GERMAN))


@dataclass(frozen=True)
class _Candidate:
    """One word, or several that belong together; `rank` is lower for what is more telling."""

    words: tuple[str, ...]
    rank: int
    times: int
    position: int

    @property
    def order(self) -> tuple[int, int, int, int]:
        return self.rank, self.times, -sum(map(len, self.words)), self.position


def keywords_of(text: str) -> frozenset[str]:
    """Choose up to three keywords of a scene, one for every four words: numbers with what they count, then names,
    then the longest words.

    A name is what begins with a capital within a sentence; in German, where every noun does, length decides.

    :param text: without SSML tags
    :return: words as they are in the text, without punctuation
    """
    words = text.split()
    most = max(min(len(words) // WORDS_PER_KEYWORD, MAX_KEYWORDS), 1)
    chosen = sorted(_candidates(words), key=lambda candidate: candidate.order)[:most]
    return frozenset(word for candidate in chosen for word in candidate.words)


def _candidates(words: list[str]) -> Iterator[_Candidate]:
    cores = [core_of(word) for word in words]
    counts = Counter(core.casefold() for core in cores)
    names = _names(words, cores)
    index = 0
    while index < len(cores):
        core, length = cores[index], 1
        rank = None
        if any(map(str.isdecimal, core)):
            has_unit = index + 1 < len(cores) and cores[index + 1].casefold() in UNITS
            length = 2 if has_unit else 1
            rank = 1 if core.isdecimal() and not has_unit else 0
        elif names[index]:
            while (
                index + length < len(cores)
                and names[index + length]
                and words[index + length - 1][-1].isalnum()
            ):
                length += 1
            rank = 1
        elif len(core) >= LONG_WORD and core.casefold() not in FUNCTION_WORDS:
            rank = 2
        if rank is not None:
            yield _Candidate(tuple(cores[index : index + length]), rank, counts[core.casefold()], index)
        index += length


def _names(words: list[str], cores: list[str]) -> list[bool]:
    """Which of the words are names, as far as their capitals tell."""
    starts = {0, *(index + 1 for index, word in enumerate(words) if re.search(r"[.!?:…]\W*$", word))}
    is_german = any(core.casefold() in GERMAN_WORDS for core in cores)
    return [
        len(core) > 1
        and index not in starts
        and core[0].isupper()
        and (core.isupper() or not is_german)
        and core.casefold() not in FUNCTION_WORDS
        for index, core in enumerate(cores)
    ]
