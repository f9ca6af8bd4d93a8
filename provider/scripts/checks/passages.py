"""Where in an article a sentence stands that a script names as its source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby

from ...text.sentences import sentences_of
from .plain_words import folded, plain, stem, words_of
from .quotations import quotations_in

LEAST_LIKENESS = 0.8
"""Share of a source's words that the article must have, in order and close together (docs/sources/scripts.md)."""
_MOST_PLACES = 50
_MOST_BEGINNINGS = 4
_STEP = 4
"""Words by which a beginning is known only roughly, since the model may have left some out."""
_LEFT_OUT = re.compile(r"\s{0,3}(?:\.{3}|…|\[\s{0,3}\.{3}\s{0,3}\])\s{0,3}")


class ArticleText:
    """An article's sentences, and a way to find one by its words.

    :param text: one paragraph a line.
    :param language: of the text; English rules where unknown.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """

    def __init__(self, text: str, language: str | None) -> None:
        self._language = language
        self._text = plain(text)
        self.sentences = [
            sentence.strip()
            for line in self._text.splitlines()
            for sentence in sentences_of(" ".join(line.split()), language)
            if sentence.strip()
        ]
        words = [[folded(word.text) for word in words_of(sentence)] for sentence in self.sentences]
        self._words = [word for sentence in words for word in sentence]
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            self._places.setdefault(word, []).append(place)
        self._sentence_of = [number for number, sentence in enumerate(words) for _ in sentence]
        self._stems = [{stem(word) for word in sentence} for sentence in words]

    def likeness_and_passage(self, source: str) -> tuple[float, tuple[int, ...]]:
        """How much of a source the article has, from 0 to 1, and the numbers of its sentences there (source: ours).

        :param source: a sentence, a part of one, or several; what is left out may be marked by three dots.
        """
        parts = [part for part in _LEFT_OUT.split(plain(source)) if words_of(part)]
        found = [each for part in parts for each in self._found_whole_or_by_sentence(part)]
        if not found:
            return 0.0, ()
        passage = sorted({number for _, numbers in found for number in numbers})
        return min(likeness for likeness, _ in found), tuple(passage)

    def says(self, quotation: str) -> bool:
        """Whether the article has each word of a quotation, one after the other (source: ours).

        What the article puts between two parts of what is said may be missing: *“Yes,” said Ann, “and no.”*

        :param quotation: without its marks; what is left out may be marked by three dots.
        """
        parts = [_in_order(part) for part in _LEFT_OUT.split(re.sub(r"\[[^\]]*\]", "…", plain(quotation)))]
        return any(all(part in text for part in parts) for text in self._said)

    @cached_property
    def _said(self) -> tuple[str, str]:
        return _in_order(self._text), _in_order(" ".join(quotations_in(self._text)))

    def nearest(self, text: str) -> tuple[int, ...]:
        """The number of the sentence that has most words in common with a text; none where nothing is (source: ours).

        :param text: of a script.
        """
        stems = {stem(word.text) for word in words_of(plain(text))}
        shared = [len(stems & own) / (len(own) + 8) for own in self._stems]
        best = max(shared, default=0.0)
        return (shared.index(best),) if best else ()

    def passage(self, numbers: Sequence[int]) -> str:
        """The text of some sentences; those that follow each other stand together (source: ours).

        :param numbers: of the sentences, in order.
        """
        runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
        return "\n".join(" ".join(self.sentences[number] for _, number in run) for _, run in runs)

    def around(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Some sentences with the ones before and after them: "it" is said of what they name (source: ours).

        :param numbers: of the sentences, in order.
        """
        near = {each + step for each in numbers for step in (-1, 0, 1)}
        return tuple(each for each in sorted(near) if 0 <= each < len(self.sentences))

    def _found_whole_or_by_sentence(self, part: str) -> list[tuple[float, tuple[int, ...]]]:
        whole = self._found(part)
        if whole[0] >= LEAST_LIKENESS:
            return [whole]
        sentences = [
            sentence
            for sentence in sentences_of(" ".join(part.split()), self._language)
            if words_of(sentence)
        ]
        return [self._found(sentence) for sentence in sentences] if sentences[1:] else [whole]

    def _found(self, part: str) -> tuple[float, tuple[int, ...]]:
        wanted = [folded(word.text) for word in words_of(part)]
        best, place = 0.0, (0, 0)
        for start in self._beginnings(wanted):
            # Some words more than the source has: the model may have left one out.
            end = min(start + len(wanted) + len(wanted) // 4 + _STEP + 2, len(self._words))
            blocks = SequenceMatcher(
                None, wanted, self._words[start:end], autojunk=False
            ).get_matching_blocks()
            likeness = sum(block.size for block in blocks) / len(wanted)
            if likeness > best:
                best = likeness
                place = (
                    start + blocks[0].b,
                    start + max(block.b + block.size for block in blocks if block.size),
                )
        return best, tuple(sorted(set(self._sentence_of[place[0] : place[1]])))

    def _beginnings(self, wanted: Sequence[str]) -> list[int]:
        """Where in the article the source may begin: where most of its words stand as far apart as they do in it."""
        votes: Counter[int] = Counter()
        for place, word in enumerate(wanted):
            # A word that stands everywhere says nothing of the place.
            for found in self._places.get(word, ())[:_MOST_PLACES]:
                votes[max(found - place, 0) // _STEP] += 1
        return [max(start * _STEP - 2, 0) for start, _ in votes.most_common(_MOST_BEGINNINGS)]


def _in_order(text: str) -> str:
    return f" {' '.join(folded(word.text) for word in words_of(text))} "
