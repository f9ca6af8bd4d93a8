"""A name right after the words that an article has before another name: of Phoenix for of Tucson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..other_language import little_words
from ..passages import ArticleText
from ..plain_words import Word, are_alike, folded, folded_words, words_of
from .dictionary import is_common
from .runs_of_names import folded_name, runs_of_names
from .wrong_person import PRONOUNS

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
        runs = [folded_name(run) for each in sentences.sentences for run in runs_of_names(each, code)]
        self._in_names = {word for run in runs for word in run}
        self._runs = [run for run in runs if len(run) > 1]
        self._whole_names = {
            folded_name(run) for each in sentences.sentences for run in self._whole_names_in(each)
        }
        self._all = [folded(word.text) for each in sentences.sentences for word in words_of(each)]

    def mistaken(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """Names that replace others: each, and the one that it replaces (source: ours).

        :param text: of a script, as ``plain`` makes it.
        :param passage: the numbers of the sentences that it rests on.
        """
        yield from self._half_names(text)
        if not passage:
            return
        source = self._sentences.passage(passage)
        mine_words = folded_words(text)
        yield from self._in_another_place(text, mine_words, source, passage)
        its_leads = list(self._leads_in(source))
        for mine in self._leads_in(text):
            if not self._in_names.issuperset(mine.name) or any(
                _say_the_same(mine, its) and set(mine.name) & set(its.name) for its in self._leads
            ):
                continue
            for its in its_leads:
                if _say_the_same(mine, its) and not mine_words & set(its.name):
                    yield mine.text, its.text

    def _in_another_place(
        self, text: str, mine_words: frozenset[str], source: str, passage: tuple[int, ...]
    ) -> Iterator[tuple[str, str]]:
        """What one far sentence alone names, where the source names something else in full."""
        if self._code == "de" or PRONOUNS & folded_words(source):
            return
        its = [run for run in self._whole_names_in(source) if mine_words.isdisjoint(folded_name(run))]
        mine = list(self._whole_names_in(text))
        if not its or not mine:
            return
        near = folded_words(self._sentences.passage(self._sentences.around(passage)))
        if all(self._is_named_once(run) and near.isdisjoint(folded_name(run)) for run in mine):
            yield _text_of(mine[0]), _text_of(its[0])

    def _half_names(self, text: str) -> Iterator[tuple[str, str]]:
        """Mountain Home for Mountain Ferry: the article never has the first word without the second."""
        for run in runs_of_names(text, self._code):
            if len(run) != 2 or text[run[0].end : run[1].start] != " ":
                continue
            first, last = folded_name(run)
            following = {its[its.index(first) + 1] for its in self._runs if first in its[:-1]}
            if (
                len(following) == 1
                and last not in self._in_names
                and is_common(run[1].text, self._code)
                and self._all.count(first) == sum(its.count(first) for its in self._runs if first in its[:-1])
            ):
                yield run[1].text, following.pop()

    def _whole_names_in(self, text: str) -> Iterator[list[Word]]:
        """The names of two words and more; what begins a sentence may have a capital for that."""
        for run in runs_of_names(text, "de"):
            words = [word for word in run if folded(word.text) not in little_words(self._code)]
            if len(words) > 1:
                yield words

    def _is_named_once(self, run: list[Word]) -> bool:
        """Whether one sentence names it: whom several name may be said of all of them."""
        name = folded_name(run)
        return name in self._whole_names and self._all.count(name[-1]) == 1

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
                yield _Lead(folded(telling.text), joining, folded_name(run), _text_of(run))


def _say_the_same(mine: _Lead, its: _Lead) -> bool:
    return mine.joining == its.joining and are_alike(mine.telling, its.telling)


def _text_of(run: list[Word]) -> str:
    return " ".join(word.text for word in run)
