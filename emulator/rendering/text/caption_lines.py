"""Text cut into captions of two short lines, which end where phrases end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
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
    """A word, and where it is in the text and in a single line of all words.

    :param place: of its first letter in that line
    """

    start: int
    text: str
    place: int

    @property
    def end(self) -> int:
        return self.place + len(self.text)

    @cached_property
    def ends_sentence(self) -> bool:
        return bool(_SENTENCE_END.search(self.text))

    @cached_property
    def ends_phrase(self) -> bool:
        return bool(_PHRASE_END.search(self.text))


def captions_of(text: str) -> list[Caption]:
    """Cut a text into captions, in order; every word is in one of them.

    :param text: may hold line ends
    """
    words = _words(text)
    # For each number of words: what their best captions cost, and with which word the last of them begins.
    best: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(words) + 1):
        choices = []
        sentences_inside = 0
        for start in range(end - 1, -1, -1):
            sentences_inside += start < end - 1 and words[start].ends_sentence
            if not _fits(words, start, end):
                break
            costs = _costs(words, start, end) + _SENTENCE_END_INSIDE * sentences_inside
            choices.append((best[start][0] + costs, start))
        best.append(min(choices))
    captions: list[Caption] = []
    end = len(words)
    while end:
        start = best[end][1]
        captions.append(Caption(words[start].start, _lines(words, start, end)))
        end = start
    return captions[::-1]


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    end = 0
    for found in _WORD.finditer(text):
        for offset in range(0, len(found[0]), LETTERS_PER_LINE):
            start, part = found.start() + offset, found[0][offset : offset + LETTERS_PER_LINE]
            gap = 1 if words and words[-1].start + len(words[-1].text) < start else 0
            words.append(_Word(start, part, end + gap))
            end = words[-1].end
    return words


def _costs(words: list[_Word], start: int, end: int) -> int:
    last = words[end - 1]
    costs = _EVERY_CAPTION
    if end < len(words) and not last.ends_sentence:
        costs += _END_AFTER_A_PHRASE if last.ends_phrase else _END_WITHIN_A_PHRASE
    if last.end - words[start].place < _SHORT_LETTERS:
        costs += _SHORT
    return costs


def _fits(words: list[_Word], start: int, end: int) -> bool:
    whole = words[end - 1].end - words[start].place
    return whole <= LETTERS_PER_LINE or (
        whole <= 2 * LETTERS_PER_LINE + 1 and any(_breaks(words, start, end))
    )


def _breaks(words: list[_Word], start: int, end: int) -> Iterator[int]:
    """The words with which a second line may begin such that both lines are short enough."""
    first = bisect_left(words, words[end - 1].end - LETTERS_PER_LINE, start + 1, end, key=_place)
    for place in range(first, end):
        if words[place - 1].end - words[start].place > LETTERS_PER_LINE:
            break
        yield place


def _lines(words: list[_Word], start: int, end: int) -> tuple[str, ...]:
    """Set words that fit in one line or in two about as long."""
    if words[end - 1].end - words[start].place <= LETTERS_PER_LINE:
        return (_joined(words[start:end]),)

    def unevenness(place: int) -> int:
        before = words[place - 1]
        difference = abs(before.end - words[start].place - (words[end - 1].end - words[place].place))
        return difference - (LETTERS_PER_LINE // 2 if before.ends_phrase or before.ends_sentence else 0)

    place = min(_breaks(words, start, end), key=unevenness)
    return _joined(words[start:place]), _joined(words[place:end])


def _place(word: _Word) -> int:
    return word.place


def _joined(words: list[_Word]) -> str:
    text = words[0].text
    for before, word in pairwise(words):
        text += word.text if before.end == word.place else f" {word.text}"
    return text
