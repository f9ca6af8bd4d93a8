"""The names that a text has and its article has not."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..other_language import little_words
from ..plain_words import Word, folded, letters_in_common, words_of
from .dictionary import (
    countries_of,
    has_forms_of_names,
    is_common,
    is_name_anywhere,
    is_place_adjective,
    is_unknown,
    names_of_countries,
    nationalities_in,
)
from .runs_of_names import folded_name, runs_of_names
from .same_name import is_form_of, is_short_for, parts_of

_LONGEST_NAME = 8
_SHORTEST_COMPOUND = 8
_SHORTEST_GERMAN_ROOT = 5
"""Words of one root are parts of longer ones: Bäckerei, Bäckersterben."""
_EVERYWHERE_WORDS = """
i mr mrs ms dr prof sir madam mme mlle m sig sra sr herr frau dhr mevr ceo cfo tv ai it ok km kg cm mm ha
kmh kwh mwh euro euros dollar dollars pfund uhr prozent meter kilometer kilogramm tonnen jahr jahre jahren
monate monaten wochen tage tagen stunden minuten millionen milliarden million milliarde mio mrd quadratmeter
seemeilen liter litern kilo gramm grad celsius cent sorte sorten art arten anfang ende mitte stück paar
sie ihnen ihr ihre ihrer ihrem ihren
hektar zentimeter kubikmeter kilowattstunden megawatt prozentpunkte seiten god internet
combien pourquoi comment plusieurs beaucoup ja nein instagram youtube tiktok facebook whatsapp
"""
_EVERYWHERE = frozenset(_EVERYWHERE_WORDS.split())
_ACRONYM = re.compile(r"[A-ZÀ-ÞА-Я]{1,6}s?")
_ROMAN = re.compile(r"[IVXLC]+e?")
_SHORT_BEFORE_NUMBER = re.compile(r"\b([A-Z]{1,3}) ?(\d+)\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:;。！？]['\")\]»“”’]*\s|[\n«“„\"‘(¿¡–—-]\s*|\d\.\s)\s*$")
_TITLES = re.compile(r"(?:\b(?:herrn?|frau|dr|prof|kapitän|firma|familie|professorin)\.?) $", re.IGNORECASE)
_LINKS = ("zu", "von", "van", "de")
_DETERMINERS_WORDS = """
der die das dem den des ein eine einen einem einer eines kein keine keinen im am zum zur vom beim ins ans
seine ihre sein ihr seinen ihren seiner ihrer seinem ihrem mein meine unser unsere diese dieser dieses
diesen diesem jede jeder jedes jeden alle allen viele mehr zwei drei
"""
_DETERMINERS = frozenset(_DETERMINERS_WORDS.split())
_GERMAN_STARTS = _DETERMINERS | little_words("de")
_OCCUPATION = re.compile(
    r"(?:er|erin|or|orin|ist|istin|eur|eurin|ant|antin|ent|entin|mann|frau|chef\w*|meister\w*|rat|rätin|wirt\w*)$"
)
_GERMAN_PLACE = re.compile(
    r"\b(?:in|aus|nach|bei|vor|von|auf|gegen|bis|ab|über|nahe|durch|zwischen) $", re.IGNORECASE
)
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_EAST_ASIAN_TITLES = (
    "さん|ちゃん|くん|氏|様|先生|(?:[社市町村区会校園所館学議部課院団駅店船]|理事|委員|実行委員|事務局)長|知事|大臣|首相|大統領"
    "|教授|准教授|選手|監督|議員|容疑者|被告|住職|代表|記者|博士|研究員"
)
_EAST_ASIAN_NAME = re.compile(
    rf"([\u3005\u4e00-\u9fff]{{1,6}}?)(?:{_EAST_ASIAN_TITLES}"
    r"|(?:[都道府県市町村区島駅]|大学|高校|中学|小学校|川|山)(?![\u3005\u4e00-\u9fff]))"
)
_EAST_ASIAN_PERSON = re.compile(
    r"(?:支配人|女将|店主|代表|農家|漁師|作家|選手|監督|教授|研究員|職員|社員|社長|市長|町長|村長|会長|校長|園長|所長|館長"
    r"|学長|議長|知事|大臣|住職|担当者|責任者|卒業生|住民|主婦|妻|夫|長男|長女)の([\u3005\u4e00-\u9fff]{2,6})"
)
_SHORTEST_EAST_ASIAN_PART = 2
_CODE = re.compile(r"\b[A-Z]{2,6}-?\d{1,5}\b")
"""What a thing is called in letters and figures: HX60."""
_IDIOMS = re.compile(r"\bWall Street\b")
"""Names that stand for something else: what beats Wall Street need not be in New York."""
_FEWEST_OF_HEADING = 3


class _Candidate(NamedTuple):
    """A word that may be a name, and the whole name that it is a part of."""

    text: str
    run: tuple[str, ...] = ()


class ArticleNames:
    """What an article names, and a way to find what it does not.

    :param article: title, author, site and text, as ``plain`` makes them.
    :param language: of the article; English where unknown.
    """

    def __init__(self, article: str, language: str | None) -> None:
        words = words_of(article)
        self.code = re.split("[-_]", language or "en")[0].lower()
        self.text = article
        self.folded = folded(article)
        self.squeezed = _squeezed(article)
        self.words = frozenset(folded(word.text) for word in words)
        self.acronyms = frozenset(folded(word.text) for word in words if _is_odd(word.text))
        self.initials = "".join(word.text[0].casefold() for word in words)
        runs = {folded_name(run[:_LONGEST_NAME]) for run in runs_of_names(article, "en")}
        self.runs = runs
        self.parts = {tuple(part) for run in runs for part in parts_of(run)}

    def has_in_a_name(self, words: Sequence[str], *, after: bool) -> bool:
        """Whether a common word is a part of names here, such as Street (source: ours).

        :param words: that are in this place: one or none.
        :param after: whether another part comes before it.
        """
        return any(
            is_common(word, self.code) and any(word in run[int(after) :] for run in self.runs)
            for word in words
        )

    def missing(self, text: str, *, is_title: bool = False) -> list[str]:
        """The names in a text that the article does not have, in order (source: ours).

        In German, which writes every noun with a capital, only what stands where a name stands counts as one.

        :param text: of a script, as ``plain`` makes it.
        :param is_title: whether English may write each word with a capital there.
        """
        text = _SHORT_BEFORE_NUMBER.sub(
            lambda found: found[2] if _has_long_form(found, self.text) else found[0], text
        )
        text = _IDIOMS.sub(lambda found: found[0].lower(), text)
        candidates = _german_names(text) if self.code == "de" else _names(text, self, is_title=is_title)
        nationalities = (_Candidate(word) for word in nationalities_in(text, self.code))
        found = [*candidates, *nationalities, *map(_Candidate, _east_asian_names(text))]
        codes = [code for code in _CODE.findall(text) if _squeezed(code) not in self.squeezed]
        return list(dict.fromkeys([*(name.text for name in found if not _is_known(name, self)), *codes]))


def _squeezed(text: str) -> str:
    return re.sub(r"[\s-]", "", text.casefold())


def _names(text: str, known: ArticleNames, *, is_title: bool) -> Iterator[_Candidate]:
    code = known.code
    is_heading = _is_in_title_case(text, fewest=0 if is_title and code == "en" else _FEWEST_OF_HEADING)
    for run in runs_of_names(text, code):
        if is_heading:
            yield from (
                _Candidate(word.text)
                for word in run
                if is_name_anywhere(word.text, code) or (is_title and is_unknown(word.text, code))
            )
            continue
        starts = _starts_sentence(text, run[0])
        whole = folded_name(run)
        for number, word in enumerate(run):
            # At the start of a sentence every word has a capital.
            if (
                number
                or not starts
                or _is_odd(word.text)
                or is_name_anywhere(word.text, code)
                # "Skipper Joe Hart" begins with no name, "Bell Street" with one.
                or (_is_first_of_two(text, run) and known.has_in_a_name(whole[1:], after=True))
            ):
                yield _Candidate(word.text, whole)


def _is_first_of_two(text: str, run: Sequence[Word]) -> bool:
    """Whether a name has two words, which nothing parts: not so "Can the Comets"."""
    return len(run) == 2 and text[run[0].end : run[1].start] == " "


def _german_names(text: str) -> Iterator[_Candidate]:
    for words in runs_of_names(text, "de"):
        starts = _starts_sentence(text, words[0])
        no_names = _GERMAN_STARTS if starts else _EVERYWHERE
        first_name = next((n for n, word in enumerate(words) if folded(word.text) not in no_names), -1)
        run = words[first_name:]
        if first_name < 0:
            continue
        for adjective, noun in pairwise(run):
            if is_place_adjective(adjective.text, noun.text):
                yield _Candidate(adjective.text)
        if starts and first_name == 0 and is_common(run[0].text, "de"):
            # Hätte Lausch ...: a verb.
            run = run[1:]
        if not run:
            continue
        whole = folded_name(run)
        first, last = run[0], run[-1]
        if text[last.start - 1 : last.start] == "-" and not has_forms_of_names(last.text, "de"):
            # Im Zwei-Wochen-Takt.
            continue
        before = text[max(0, first.start - 30) : first.start]
        if (
            len(run) > 1
            and text[run[-2].end : last.start].strip() in _LINKS
            and not has_forms_of_names(last.text, "de")
        ):
            # Das kam in Oberweiden zu Ohren.
            continue
        if len(run) > 1:
            is_of_place = len(run) == 2 and run[0].text.endswith("er")
            if not (_last_word(before) in _DETERMINERS and is_of_place):
                yield _Candidate(last.text, whole)
            described = (_last_word(before) in _DETERMINERS, _OCCUPATION.search(run[-2].text.casefold()))
            if not any(described) and not (starts and len(run) > 2):
                yield _Candidate(run[-2].text, whole)
        elif (
            _TITLES.search(before)
            or _is_odd(first.text)
            or (not starts and _is_place(first, text))
            or is_name_anywhere(first.text, "de")
        ):
            yield _Candidate(first.text, whole)


def _is_place(word: Word, text: str) -> bool:
    """Whether it stands after such a word as *in* or another name, and is declined like a name."""
    before = text[max(0, word.start - 30) : word.start]
    joined = re.search(r"([^\W\d_]+) und $", before)
    stands = _GERMAN_PLACE.search(before) or (
        joined and joined[1][0].isupper() and has_forms_of_names(joined[1], "de", or_unknown=True)
    )
    return bool(stands) and has_forms_of_names(word.text, "de")


def _starts_sentence(text: str, word: Word) -> bool:
    return bool(_SENTENCE_START.search(text[max(0, word.start - 12) : word.start]))


def _is_odd(word: str) -> bool:
    """Whether no common word is written like this one: NorthGrid, EPA."""
    return sum(letter.isupper() for letter in word) > 1


def _is_in_title_case(text: str, fewest: int) -> bool:
    words = [word.text for word in words_of(text) if len(word.text) > 3 and word.text[0].isalpha()]
    return len(words) >= fewest and all(word[0].isupper() for word in words)


def _last_word(text: str) -> str:
    found = re.search(r"([^\W\d_]+)\W*$", text)
    return found[1].casefold() if found else ""


def _east_asian_names(text: str) -> Iterator[str]:
    yield from _KATAKANA.findall(text)
    yield from _EAST_ASIAN_NAME.findall(text)
    yield from _EAST_ASIAN_PERSON.findall(text)


def _is_known(name: _Candidate, known: ArticleNames) -> bool:
    code = known.code
    key = folded(name.text)
    if key in known.words or key in _EVERYWHERE or len(key) == 1 or _ROMAN.fullmatch(name.text):
        return True
    if code == "de" and any(letters_in_common(key, word) >= _SHORTEST_GERMAN_ROOT for word in known.words):
        return True
    if _ACRONYM.fullmatch(name.text):
        letters = folded(name.text.replace(".", "").removesuffix("s"))
        if letters in known.words:
            return True
        if code == "de" and any(
            len(word) > _SHORTEST_COMPOUND and is_short_for(letters, (word,)) for word in known.words
        ):
            return True
        return (len(letters) > 2 and letters in known.initials) or any(
            is_short_for(letters, part) for part in known.parts
        )
    same = [key, *names_of_countries(countries_of(key, code), code)]
    if any(word == form or is_form_of(form, word, code) for form in same for word in known.words):
        return True
    if any(" " in form and form in known.folded for form in same):
        return True
    # The article may have the short form of a name that is written in full here.
    spelled_out = (part for part in parts_of(name.run[:_LONGEST_NAME]) if key in part)
    return any("".join(word[0] for word in part) in known.acronyms for part in spelled_out) or (
        not key.isascii() and _is_made_of(name.text, known.text)
    )


def _is_made_of(name: str, article: str) -> bool:
    """Whether an article has a name without spaces, or its parts: 卒業生大槻."""
    if name in article:
        return True
    cuts = range(_SHORTEST_EAST_ASIAN_PART, len(name) - _SHORTEST_EAST_ASIAN_PART + 1)
    return not _KATAKANA.fullmatch(name) and any(
        name[:cut] in article and name[cut:] in article for cut in cuts
    )


def _has_long_form(short: re.Match[str], article: str) -> bool:
    """Whether SS 12 is the statale 12 of the article."""
    return bool(re.search(rf"\b{short[1][0]}\w+ {short[2]}\b", article, re.IGNORECASE))
