"""A name of the article that stands with another person's office, first name or words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ..mixed_up import SENTENCE_END
from ..other_language import little_words
from ..passages import ArticleText
from ..plain_words import Word, are_alike, folded, folded_words, words_of
from ..quotations import SAID, quotations_in
from .dictionary import has_forms_of_names, is_common
from .runs_of_names import folded_name, runs_of_names

_OFFICES_WORDS = """
governor gouvern gobernador gobernadora governador mayor burgermeister oberburgermeister maire alcald sindac
burgemeester borgmast borgmest burmistrz presiden prasident prezydent prezes minist chancell kanzler premier
director direct direkt dirett dyrektor manager trainer coach entrenador allenator tranar captain kapitan capita
kapten kaptein sheriff senator profess profes judge juez giudice richter rechter domare bishop bischof eveque obispo
vescovo bisschop biskup spokes sprecher portavoz portavoce woordvoerder talesperson talesman rzecznik chair
vorsitzend ordforand sekretar secretar king konig koning queen konigin rektor rector ingenieur ingenier ingenjor
engineer architect architekt architett arquitect arkitekt librarian founder grunder fundador fondat oprichter
consejer councillor commission kommissar inspector inspektor professor husband widow chef leader lider referee
pupil schuler apprentice lehrling curator conservator restaurator
"""
_OFFICES = tuple(_OFFICES_WORDS.split())
_CHIEF = re.compile(r"\bchief (?:(e)xecutive(?: officer)?|([a-z])[a-z]+ officer)\b", re.IGNORECASE)
_CHIEF_OFFICER = re.compile(r"c[a-z]o")
_FORMER = re.compile(
    r"\b(?:ex|former|previous|erstwhile|früher\w*|ehemalig\w*|ancien\w*|antigu[oa]|antig[oa]|precedente|voormalig\w*|tidigare"
    r"|były|była)[ -]$",
    re.IGNORECASE,
)
_LONGEST_FORMER = 14
_OF_WHOM = re.compile(r"['\u2019]s?$")
_SAID_AFTER = re.compile(rf",? (?:{SAID})\b")
_SAID_BEFORE = re.compile(rf"\b(?:{SAID}),?(?: [^\W\d_A-Z]+(?:-[^\W\d_]+)?,?){{0,3}} $")
_NAME_END = re.compile(r"\s*(?:[.,;:!?(]|$)")
_SHORTEST_NAME = 3
_BETWEEN = re.compile(r",? ?(?:(?:the|der|die|le|la|el|il|de|den|det) )?")
_AFTER_NAME = re.compile(r"^, ((?:[^\W\d_]+['\u2019]?[^\W\d_]* ?){1,5})")
_NEAR_QUOTATION = 60
_AGE = re.compile(r"(?:, (?:aged |de |von )?| ?[(\uff08])\d\d\b|, \d\d")
_PLACE_BEFORE = re.compile(
    r"\b(?:in|at|from|near|of|to|for|aus|bei|nach|à|en|desde|hasta|a|da|di|te|uit|i|på|från|w|z|em|de|do)"
    r"(?: the| la| le| el| den| der| dem)? $",
    re.IGNORECASE,
)
_BESIDE = 4
"""Words on either side of a name that say who somebody is (ours)."""
_PRONOUN_WORDS = """
he she they him her his hers their them er sie ihm ihn ihr ihre ihrer ihrem ihren sein seine seiner seinem il elle
lui ils elles leur sa son ses su sus ella lei suo sua loro hij zij ze zijn haar hun han hon hans hennes de deras
jego jej ich mu ele ela seu seus
"""
PRONOUNS = frozenset(_PRONOUN_WORDS.split())
"""Words for whoever was named before."""
_QUOTATION = re.compile(r"[“„«»”「][^“„«»”」\n]{0,600}[”“»«」]")


class _Person(NamedTuple):
    """A name beside an office."""

    office: str
    name: frozenset[str]
    text: str


class ArticlePersons:
    """Who has which office and says what, in an article.

    :param sentences: of the article.
    :param code: of its language, such as ``de``.
    """

    def __init__(self, sentences: ArticleText, code: str) -> None:
        self._sentences = sentences
        self._little = little_words(code)
        self._words = [folded_words(_with_short_offices(each)) for each in sentences.sentences]
        self._persons = [person for each in sentences.sentences for person in self._persons_in(each)]
        self._runs = [
            [folded(word.text) for word in run]
            for each in sentences.sentences
            for run in runs_of_names(each, code)
        ]
        self._code = code
        self._known = self._known_persons()
        self._named = self._known | self._names_in_full()

    def mistaken(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """Names of the article that replace others: each, and the one that it replaces (source: ours).

        :param text: of a script, as ``plain`` makes it.
        :param passage: the numbers of the sentences that it rests on.
        """
        for person in self._persons_in(text):
            its = [other for other in self._persons if are_alike(other.office, person.office)]
            if (
                its
                and not any(person.name & other.name for other in its)
                and not self._stand_together(person)
            ):
                yield person.text, its[0].text
        yield from self._mixed(text)
        yield from self._wrong_speakers(text, passage)
        yield from self._wrong_reporters(text, passage)
        yield from self._in_place_of_others(text, passage)

    def _stand_together(self, person: _Person) -> bool:
        """Whether a sentence has an office and a name, or the article has not the name: another check says that."""
        with_name = [words for words in self._words if person.name & words]
        if any(person.name & its.name and not are_alike(its.office, person.office) for its in self._persons):
            return False
        return not with_name or any(
            are_alike(word, person.office) for words in with_name for word in words if _is_office(word)
        )

    def _persons_in(self, text: str) -> Iterator[_Person]:
        text = _with_short_offices(text)
        for run in _runs_of_persons(text):
            offices = [word for word in run if _is_office(folded(word.text))]
            names = [word for word in run if self._is_name(word)]
            first = (offices or run)[0].start
            # Who had an office is not who has it.
            if not names or _FORMER.search(text[max(0, first - _LONGEST_FORMER) : first]):
                continue
            told = " ".join(word.text for word in names)
            name = frozenset(folded_name(names))
            if offices and offices[0].start < names[0].start:
                yield _Person(folded(offices[0].text), name, told)
                continue
            before = text[max(0, run[0].start - 40) : run[0].start]
            last = words_of(before)[-1:]
            if last and _BETWEEN.fullmatch(before[last[0].end :]) and _is_office(folded(last[0].text)):
                yield _Person(folded(last[0].text), name, told)
            if after := _AFTER_NAME.match(text[run[-1].end : run[-1].end + 80]):
                words = words_of(after[1])
                for word, following in zip(words, [*words[1:], None], strict=True):
                    # "In Kelby, the mayor Ann Hart": another name follows.
                    if _is_office(folded(word.text)) and not (following and following.text[0].isupper()):
                        yield _Person(folded(word.text), name, told)

    def _is_name(self, word: Word) -> bool:
        key = folded(word.text)
        return len(key) >= _SHORTEST_NAME and key not in self._little and not _is_office(key)

    def _mixed(self, text: str) -> Iterator[tuple[str, str]]:
        """The first name of one with the last name of another."""
        for run in runs_of_names(text, self._code):
            for first, last in pairwise(run):
                one, other = folded(first.text), folded(last.text)
                if text[first.end : last.start] != " " or not (self._is_name(first) and self._is_name(last)):
                    continue
                if self._code == "de" and not (
                    has_forms_of_names(first.text, "de") and has_forms_of_names(last.text, "de")
                ):
                    continue
                its = [each for each in self._runs if one in each[:-1]]
                others = [each for each in self._runs if other in each[1:]]
                # Whoever has a name of one word somewhere may have any word before it.
                is_of_others = its and others and not any(other in each for each in its)
                if is_of_others and all(
                    (each[-1] != one or each == [one]) and each[0] != other for each in self._runs
                ):
                    yield last.text, " ".join(its[0])

    def _known_persons(self) -> frozenset[str]:
        """The names of whom the article gives an office, an age or a quotation."""
        known: set[str] = set()
        for person in self._persons:
            known |= person.name
        for sentence in self._sentences.sentences:
            bare = _QUOTATION.sub(lambda found: " " * len(found[0]), sentence)
            for run in _runs_of_persons(bare):
                is_whole = sum(map(self._is_name, run)) > 1 and not self._is_place(bare, run)
                speaks = is_whole and bare != sentence
                is_called_so = is_whole and self._stands_alone(run[-1])
                if speaks or is_called_so or _AGE.match(bare[run[-1].end :]):
                    known |= {folded(word.text) for word in run if self._is_name(word)}
        return frozenset(known)

    def _names_in_full(self) -> frozenset[str]:
        """The last names of those who seem to be persons: two words that are no common ones, and no place."""
        return frozenset(
            folded(run[-1].text)
            for sentence in self._sentences.sentences
            for run in _runs_of_persons(sentence)
            if len(run) > 1
            and not any(is_common(word.text, self._code) for word in run)
            and not self._is_place(sentence, run)
        )

    def _stands_alone(self, word: Word) -> bool:
        """Whether the article has a last name alone, too."""
        alone = [folded(word.text)]
        return not is_common(word.text, self._code) and any(run == alone for run in self._runs)

    def _is_place(self, text: str, run: list[Word]) -> bool:
        return bool(_PLACE_BEFORE.search(text[max(0, run[0].start - 12) : run[0].start]))

    def _in_place_of_others(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """A person of another sentence, beside words that the source has beside somebody else."""
        if not passage:
            return
        source = self._sentences.passage(passage)
        its_words, mine_words = folded_words(source), folded_words(text)
        others = [
            run
            for run in _runs_of_persons(source)
            if sum(map(self._is_name, run)) > 1
            and not self._is_place(source, run)
            and folded(run[-1].text) not in mine_words
        ]
        if not others:
            return
        for run in _runs_of_persons(text):
            name = folded(run[-1].text)
            if name in its_words or name not in (self._named if len(run) > 1 else self._known):
                continue
            # "Ann Hart's lawyer" is somebody else.
            if _OF_WHOM.search(run[-1].text) or self._may_be_the_pronoun(name, passage, source):
                continue
            own = {word for words in self._words if name in words for word in words}
            beside = self._beside(text, run) - own
            for other in others:
                if any(are_alike(one, two) for one in beside for two in self._beside(source, other)):
                    yield run[-1].text, other[-1].text
                    break

    def _may_be_the_pronoun(self, name: str, passage: tuple[int, ...], source: str) -> bool:
        """Whether the source says "she" of whom the article named last."""
        named = (words & self._known for words in reversed(self._words[: passage[0]]))
        names = (run[0].start for run in _runs_of_persons(source) if sum(map(self._is_name, run)) > 1)
        said = (word.start for word in words_of(source) if folded(word.text) in PRONOUNS)
        is_first = next(said, len(source)) < next(names, len(source))
        return is_first and name in next(filter(None, named), ())

    def _beside(self, text: str, run: list[Word]) -> set[str]:
        """The words of a name's sentence that stand near it, other names and little words aside."""
        before = SENTENCE_END.split(text[: run[0].start])[-1]
        after = SENTENCE_END.split(text[run[-1].end :], maxsplit=1)[0]
        return {*self._telling(before)[-_BESIDE:], *self._telling(after)[:_BESIDE]}

    def _telling(self, text: str) -> list[str]:
        words = (folded(word.text) for word in words_of(text))
        known = self._known | self._little
        return [word for word in words if len(word) > _SHORTEST_NAME and word.isalpha() and word not in known]

    def _wrong_speakers(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """A quotation with the name of somebody who stands elsewhere in the article."""
        quoted = [found for found in _QUOTATION.finditer(text) if quotations_in(found[0])]
        if not passage or not quoted:
            return
        around = {near for number in passage for near in (number - 1, number, number + 1)}
        known = {word for number in around if 0 <= number < len(self._words) for word in self._words[number]}
        bare = _QUOTATION.sub(lambda found: " " * len(found[0]), text)
        names = [
            word
            for run in runs_of_names(bare, self._code)
            for word in run
            if self._is_name(word)
            and min(min(abs(word.start - found.end()), abs(found.start() - word.end)) for found in quoted)
            < _NEAR_QUOTATION
        ]
        names = [word for word in names if any(folded(word.text) in words for words in self._words)]
        if not names or any(folded(word.text) in known for word in names):
            return
        source = _QUOTATION.sub(" ", self._sentences.passage(passage))
        its = [
            word
            for run in runs_of_names(source, self._code)
            for word in run[-1:]
            if self._is_name(word) and folded(word.text) not in {folded(name.text) for name in names}
        ]
        if its:
            yield names[-1].text, its[0].text

    def _wrong_reporters(self, text: str, passage: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """Who says without marks what the source has from somebody else: roads must close, says Ann Hart."""
        source = self._sentences.passage(passage)
        mine_words, its_words = folded_words(text), folded_words(source)
        its = [run for run in _speakers_in(source) if mine_words.isdisjoint(folded_name(run))]
        for run in _speakers_in(text):
            last = folded(run[-1].text)
            if its and last in self._known and last not in its_words:
                yield run[-1].text, its[0][-1].text


def _speakers_in(text: str) -> Iterator[list[Word]]:
    for run in _runs_of_persons(text):
        before, after = text[: run[0].start], text[run[-1].end :]
        if _SAID_AFTER.match(after) or (_SAID_BEFORE.search(before) and _NAME_END.match(after)):
            yield run


def _runs_of_persons(text: str) -> Iterator[list[Word]]:
    """Names without where they are from: Ann Hart of the University of Kelby is two."""
    return runs_of_names(text, "de")


def _is_office(word: str) -> bool:
    return word.startswith(_OFFICES) or bool(_CHIEF_OFFICER.fullmatch(word))


def _with_short_offices(text: str) -> str:
    """A text with CEO for Chief Executive, and CFO for Chief Financial Officer."""
    return _CHIEF.sub(lambda found: f"C{(found[1] or found[2]).upper()}O", text)
