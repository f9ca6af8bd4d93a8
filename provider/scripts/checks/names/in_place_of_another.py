"""A name right after the words that an article has before another name: of Phoenix for of Tucson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..other_language import little_words
from ..passages import ArticleText
from ..plain_words import are_alike, folded, words_of
from .dictionary import is_common
from .runs_of_names import runs_of_names

_SHORTEST_TELLING = 4
"""Letters of a word that says something of the name after it (ours)."""
_MOST_WORDS = 4
_OF = [[word] for word in ["of", "de", "von", "di", "van", "av", "do", "da", "del", "della", "du", "des"]]
"""After a common word they say whose or where: the bridge of Vilar is Rui Sampaio's bridge, too."""


class _Lead(NamedTuple):
    """A name with the words before it: a pass from Sorrell, paid by the Hart Trust.

    :param telling: the first of these words.
    :param joining: the little ones after it.
    :param name: as ``folded`` makes its words.
    """

    telling: str
    joining: str
    name: tuple[str, ...]
    text: str


class ArticleLeads:
    """Which names stand after which words in an article.

    :param sentences: of the article.
    :param code: of its language, such as ``de``.
    """

    def __init__(self, sentences: ArticleText, code: str) -> None:
        self._sentences = sentences
        self._code = code
        self._leads = [lead for each in sentences.sentences for lead in self._leads_in(each)]
        runs = [
            [folded(word.text) for word in run]
            for sentence in sentences.sentences
            for run in runs_of_names(sentence, code)
        ]
        self._in_names = {word for run in runs for word in run}
        self._runs = [run for run in runs if len(run) > 1]
        self._all = [folded(word.text) for each in sentences.sentences for word in words_of(each)]

    def mistaken(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """Names that replace others: each, and the one that it replaces (source: ours).

        :param text: of a script, as ``plain`` makes it.
        :param passage: the numbers of the sentences that it rests on.
        """
        yield from self._half_names(text)
        if not passage:
            return
        its_leads = list(self._leads_in(self._sentences.passage(passage)))
        mine_words = {folded(word.text) for word in words_of(text)}
        for mine in self._leads_in(text):
            if not self._in_names.issuperset(mine.name) or any(
                _say_the_same(mine, its) and set(mine.name) & set(its.name) for its in self._leads
            ):
                continue
            for its in its_leads:
                if _say_the_same(mine, its) and not mine_words & set(its.name):
                    yield mine.text, its.text

    def _half_names(self, text: str) -> Iterator[tuple[str, str]]:
        """Mountain Home for Mountain Ferry: the article never has the first word without the second."""
        for run in runs_of_names(text, self._code):
            if len(run) != 2 or text[run[0].end : run[1].start] != " ":
                continue
            first, last = (folded(word.text) for word in run)
            following = {its[its.index(first) + 1] for its in self._runs if first in its[:-1]}
            if (
                len(following) == 1
                and last not in self._in_names
                and is_common(run[1].text, self._code)
                and self._all.count(first) == sum(its.count(first) for its in self._runs if first in its[:-1])
            ):
                yield run[1].text, following.pop()

    def _leads_in(self, text: str) -> Iterator[_Lead]:
        little = little_words(self._code)
        words = words_of(text)
        places = {word.start: place for place, word in enumerate(words)}
        # "Quintero of Tucson" is two names.
        for run in runs_of_names(text, "de"):
            place = places[run[0].start]
            before = [
                each for each in words[max(0, place - _MOST_WORDS) : place] if folded(each.text) not in little
            ]
            if not before or before[-1] == words[place - 1]:
                continue
            telling = before[-1]
            joining = text[telling.end : run[0].start].strip().casefold()
            is_whose = joining.split()[:1] in _OF and telling.text.islower()
            is_near = joining.replace(" ", "").isalpha() and not is_whose
            if is_near and len(telling.text) >= _SHORTEST_TELLING:
                name = tuple(folded(word.text) for word in run)
                yield _Lead(folded(telling.text), joining, name, " ".join(word.text for word in run))


def _say_the_same(mine: _Lead, its: _Lead) -> bool:
    return mine.joining == its.joining and are_alike(mine.telling, its.telling)
