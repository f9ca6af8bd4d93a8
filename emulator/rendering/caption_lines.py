"""Text cut into captions of two short lines, which end where phrases end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

LETTERS_PER_LINE = 42

_WIDE_SENTENCE_ENDS, _WIDE_PHRASE_ENDS = "\u3002\uff01\uff1f", "\uff0c\u3001\uff1b\uff1a"
_WIDE_ENDS = f"[{_WIDE_SENTENCE_ENDS}{_WIDE_PHRASE_ENDS}]"
# Chinese and Japanese know no spaces: there a phrase is what a word is elsewhere.
_WORD = re.compile(rf"(?:(?!{_WIDE_ENDS})\S)+{_WIDE_ENDS}*|{_WIDE_ENDS}+")
_CLOSING = "['\"”’»)\\]]*$"
_SENTENCE_END = re.compile(f"[.!?…{_WIDE_SENTENCE_ENDS}]{_CLOSING}")
_PHRASE_END = re.compile(f"[,;:–—{_WIDE_PHRASE_ENDS}]{_CLOSING}")

_EVERY_CAPTION = 20
_END_WITHIN_A_PHRASE, _END_AFTER_A_PHRASE = 100, 30
_SENTENCE_END_INSIDE = 30
_SHORT_LETTERS, _SHORT = 16, 25


@dataclass(frozen=True)
class Caption:
    """A piece of a text.

    :param start: position of its first letter in the text
    :param lines: at most two, of at most `LETTERS_PER_LINE` letters
    """

    start: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Word:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def captions_of(text: str) -> list[Caption]:
    """Cut a text into captions, in order; every word is in one of them.

    :param text: may hold line ends
    """
    words = [
        _Word(found.start() + offset, found[0][offset : offset + LETTERS_PER_LINE])
        for found in _WORD.finditer(text)
        for offset in range(0, len(found[0]), LETTERS_PER_LINE)
    ]
    # For each number of words: what their best captions cost, and with which word the last of them begins.
    best: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(words) + 1):
        choices = []
        for start in range(end - 1, -1, -1):
            lines = _lines(words[start:end])
            if lines is None:
                break
            choices.append((best[start][0] + _costs(words[start:end], end == len(words)), start))
        best.append(min(choices))
    captions: list[Caption] = []
    end = len(words)
    while end:
        start = best[end][1]
        captions.append(Caption(words[start].start, _lines(words[start:end]) or ()))
        end = start
    return captions[::-1]


def _costs(words: list[_Word], is_last: bool) -> int:
    costs = _EVERY_CAPTION
    if not is_last and not _SENTENCE_END.search(words[-1].text):
        costs += _END_AFTER_A_PHRASE if _PHRASE_END.search(words[-1].text) else _END_WITHIN_A_PHRASE
    costs += _SENTENCE_END_INSIDE * sum(bool(_SENTENCE_END.search(word.text)) for word in words[:-1])
    if words[-1].end - words[0].start < _SHORT_LETTERS:
        costs += _SHORT
    return costs


def _lines(words: list[_Word]) -> tuple[str, ...] | None:
    """Set words in one line or in two about as long; None when they do not fit."""
    whole = _joined(words)
    if len(whole) <= LETTERS_PER_LINE:
        return (whole,)
    if len(whole) > 2 * LETTERS_PER_LINE + 1:
        return None
    pairs = [(_joined(words[:place]), _joined(words[place:])) for place in range(1, len(words))]
    fitting = [pair for pair in pairs if max(map(len, pair)) <= LETTERS_PER_LINE]
    return min(fitting, key=_unevenness, default=None)


def _unevenness(lines: tuple[str, str]) -> int:
    ends_a_phrase = _PHRASE_END.search(lines[0]) or _SENTENCE_END.search(lines[0])
    return abs(len(lines[0]) - len(lines[1])) - (LETTERS_PER_LINE // 2 if ends_a_phrase else 0)


def _joined(words: list[_Word]) -> str:
    text = words[0].text
    for before, word in pairwise(words):
        text += word.text if before.end == word.start else f" {word.text}"
    return text
