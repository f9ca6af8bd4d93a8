"""The numbers and dates of a script beside those of its article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from .checks.calendar_words import CalendarWord
from .checks.facts import Fact, facts_of
from .checks.mixed_up import SENTENCE_END, is_year_of, mixed_up
from .checks.numbers.halves import halved_in, wrong_halves_in
from .checks.numbers.in_digits import in_digits
from .checks.numbers.multiples import wrong_multiples_in
from .checks.numbers.number import Number
from .checks.numbers.reading import numbers_in
from .checks.numbers.said_otherwise import values_said_otherwise
from .checks.numbers.units import MONEY, times_as_large
from .checks.numbers.worked_out import follows_from_like_numbers, is_one_more, is_worked_out
from .checks.other_language import little_words
from .checks.passages import ArticleText
from .checks.plain_words import are_alike, folded, words_of
from .checks.since_or_until import is_month_after_the_end, is_turned_round
from .report import Finding

_COMPARED_KINDS = ("year", "month", "weekday", "day", "percent", "money")
"""What is easily mistaken for another of its kind; other numbers of a passage may count other things."""
_MOST_FACTS = 1000
"""How many numbers and dates of an article are compared with a script's (ours)."""
_LARGE = 1e6
_FEWEST_SHARED = 3
_SHARED = 0.5
"""How many of a hook's words a sentence must have that it is compared with (measured)."""
_AGE = re.compile(
    r"(?:, |.[(\uff08])\d\d[,.)\uff09].*|.{2}\d\d(?:-Jähr|[ -]year-old| Jahre alte?| ans,| años,| anni,| jaar oud"
    r"|-jarige|-årige| år,| anos,| lat,|-lat|歳).*",
    re.DOTALL,
)
_OF_THE = re.compile(
    r"\b(?:(?:of|all)(?: the)?|(?:von )?den|der|aller?|(?:de |tou(?:te)?s )?l[eo]s|des|degli|delle|dei|tutt[ei] e"
    r"|(?:van|alle) de|alla|d[ao]s) $",
    re.IGNORECASE,
)
_WINDOW = 250
"""Characters on either side of a number in which its sentence is looked for (ours)."""


class FactCheck:
    """What an article says in numbers and dates, and a way to find what it does not.

    :param article: title, author, site, date and text, as ``plain`` makes them.
    :param sentences: of its text.
    :param language: of the article; English where unknown.
    """

    def __init__(self, article: str, sentences: ArticleText, language: str | None, code: str) -> None:
        self._sentences = sentences
        self._language = language
        self._code = code
        self._digits = in_digits(article, language)

    def findings(
        self, place: str, text: str, passage: tuple[int, ...], has_source: bool
    ) -> Iterator[Finding]:
        """What is wrong in one text of a script (source: ours).

        :param place: of the text in the script.
        :param text: as ``plain`` makes it.
        :param passage: the numbers of the sentences that it rests on.
        :param has_source: whether it names what it rests on, as a scene does.
        """
        digits = in_digits(text, self._language)
        near = in_digits(self._sentences.passage(passage or self._sentences.nearest(text)), self._language)
        near_facts = facts_of(near, self._language)
        # A hook names no source: what says most of it is one.
        rests_on = passage or self._nearly_said_in(digits)
        facts = facts_of(digits, self._language)
        facts = [_in_full(fact, facts, near_facts) for fact in facts]
        near_numbers = [its for its in near_facts if isinstance(its, Number)]
        # "Of 24 colonies, twelve": half of what the text names itself.
        named = [its for its in facts if isinstance(its, Number) and any(map(its.is_that_of, self._facts))]
        halved = halved_in(near, near_numbers or named)
        said_otherwise = set(values_said_otherwise(near if has_source else self._digits))
        for fact in facts:
            if any(fact.is_that_of(its) for its in near_facts):
                continue
            if isinstance(fact, Number):
                if fact.kind == "ordinal":
                    if fourth := _other_ordinal(fact, facts, near_numbers):
                        yield Finding(place, "number", fact.text, f"is {fourth.text} in the source")
                    continue
                # Nobody wins nothing: a goalless side is told as it is.
                if fact.values & said_otherwise or fact.values == {0.0}:
                    continue
                if is_worked_out(fact, near_numbers, self._years, halved):
                    continue
                if follows_from_like_numbers(fact, self._numbers):
                    continue
                if not has_source and any(self._follows_from(fact, each) for each in self._sentence_texts):
                    continue
                if is_one_more(fact, digits, near_numbers):
                    continue
            elif is_month_after_the_end(fact, near, near_facts):
                continue
            if not any(fact.is_that_of(its) for its in self._facts):
                yield Finding(place, _kind_of(fact), fact.text, "stands nowhere in the article")
            elif (
                rests_on
                and (
                    other := self._what_its_source_says(
                        fact,
                        facts,
                        near_facts
                        if passage
                        else [its for its in near_facts if _count_in_one_unit(fact, its)],
                        digits,
                        near,
                    )
                )
                and not self._is_a_known_group(fact, digits)
            ):
                yield Finding(
                    place, _kind_of(fact), fact.text, f"is not what its source says there: {other.text}"
                )
        if passage:
            for half in wrong_halves_in(digits, near, near_numbers):
                yield Finding(place, "number", half, "is no half in the source: compare its numbers")
            around = in_digits(self._sentences.passage(self._sentences.around(passage)), self._language)
            for times, its_times in wrong_multiples_in(digits, near, around):
                yield Finding(place, "number", times, f"is not what its source says there: {its_times}")
        for month, year in self._of_another_year(facts, digits):
            yield Finding(place, "date", month.text, f"has another year in the article: {year.text}")
        yield from self._turned_round(place, digits, facts)
        for one, its in mixed_up(digits, facts, near, near_facts, little_words(self._code), self._code):
            yield Finding(
                place,
                _kind_of(one),
                one.text,
                f"stands where the article says {its.text}: compare them with the source",
            )

    def _nearly_said_in(self, text: str) -> tuple[int, ...]:
        """The number of the sentence that has most words of a text; none where there is none."""
        nearest = self._sentences.nearest(text)
        its = self._words(self._sentences.passage(nearest))
        mine = self._words(text)
        shared = [word for word in mine if any(are_alike(word, other) for other in its)]
        return nearest if len(shared) >= max(_FEWEST_SHARED, len(mine) * _SHARED) else ()

    @cached_property
    def _facts(self) -> list[Fact]:
        """Of the article, each once."""
        seen = {str(fact._replace(text="", start=0, end=0)): fact for fact in self._every}
        return list(seen.values())[:_MOST_FACTS]

    @cached_property
    def _numbers(self) -> list[Number]:
        """Of the article, each once."""
        return [its for its in self._facts if isinstance(its, Number)]

    @cached_property
    def _sentence_texts(self) -> list[tuple[str, list[Number]]]:
        """The sentences of the article with their numbers, those that have any."""
        digits = (in_digits(sentence, self._language) for sentence in self._sentences.sentences)
        read = ((each, numbers_in(each, self._language)) for each in digits)
        return [(text, numbers) for text, numbers in read if numbers][:_MOST_FACTS]

    def _follows_from(self, number: Number, sentence: tuple[str, list[Number]]) -> bool:
        text, numbers = sentence
        return is_worked_out(number, numbers, (), halved_in(text, numbers))

    @cached_property
    def _years(self) -> list[Number]:
        """Of the article, each wherever it stands."""
        return [its for its in self._every if isinstance(its, Number) and its.kind == "year"]

    def _what_its_source_says(
        self, fact: Fact, facts: Sequence[Fact], near_facts: Sequence[Fact], text: str, near: str
    ) -> Fact | None:
        """What the source says where a script has a number of another sentence; None where it may be of that one."""
        unused = [its for its in near_facts if not any(mine.is_that_of(its) for mine in facts)]
        if same := next(
            (its for its in unused if fact.kind == its.kind and fact.kind in _COMPARED_KINDS), None
        ):
            return same
        other = next((its for its in unused if _may_be_of_one_thing(fact, its)), None)
        if other is None or self._is_age(fact):
            return None
        if counted_alike := next((its for its in unused if self._counts_what_only(fact, its)), None):
            return counted_alike
        return None if self._is_about_its_sentence(fact, text, near, _unit_word(fact, other)) else other

    def _counts_what_only(self, fact: Fact, its: Fact) -> bool:
        """Whether the source has another number of people, and no sentence has so many of them."""
        return (
            isinstance(fact, Number)
            and isinstance(its, Number)
            and not fact.unit
            and _count_one_thing(fact, its)
            and not any(
                fact.is_that_of(other) and not _counts_another_thing(fact, other) for other in self._every
            )
        )

    def _is_a_known_group(self, fact: Fact, text: str) -> bool:
        """Whether a number names those of whom the article has told: the best of the eight."""
        return (
            isinstance(fact, Number)
            and fact.kind == "count"
            and not (fact.unit or fact.rounding)
            and not any(_count_one_thing(fact, its) for its in self._numbers)
            and bool(_OF_THE.search(text[: fact.start]))
            and any(fact.is_that_of(its) and its.counts for its in self._numbers)
        )

    def _is_age(self, fact: Fact) -> bool:
        """Whether the article has a number as an age: Ann Keller, 66, says."""
        return fact.kind == "count" and any(
            fact.is_that_of(its) and _AGE.fullmatch(self._digits[its.start - 2 : its.end + 10])
            for its in self._every
            if its.start > 1
        )

    def _is_about_its_sentence(self, fact: Fact, text: str, near: str, unit: str) -> bool:
        """Whether a text has a word of a sentence that has a number, and the source of the text has it not."""
        mine, its_source = self._words(text), self._words(near)
        own = [word for word in mine - {unit} if not any(are_alike(word, other) for other in its_source)]
        return any(
            are_alike(word, other)
            for its in self._every
            if fact.is_that_of(its)
            for other in self._words(_sentence_at(self._digits, its))
            for word in own
        )

    def _words(self, text: str) -> frozenset[str]:
        little = little_words(self._code)
        return frozenset(folded(word.text) for word in words_of(text) if word.text[0].isalpha()) - little

    @cached_property
    def _every(self) -> list[Fact]:
        return facts_of(self._digits, self._language)[: 2 * _MOST_FACTS]

    @cached_property
    def _dates(self) -> list[tuple[Fact, Fact | None]]:
        """The months of the article, each with its year."""
        return list(_months_with_years(self._every, self._digits))

    def _of_another_year(self, facts: Sequence[Fact], digits: str) -> Iterator[tuple[Fact, Fact]]:
        """A month with a year that the article gives to other months only, and the year that it has there."""
        for month, year in _months_with_years(facts, digits):
            its_years = [its_year for its, its_year in self._dates if month.is_that_of(its)]
            other = next(iter(its_years), None)
            if year and other and all(its and not year.is_that_of(its) for its in its_years):
                yield month, other

    def _turned_round(self, place: str, digits: str, facts: Sequence[Fact]) -> Iterator[Finding]:
        for fact in facts:
            if isinstance(fact, Number) and fact.kind == "year":
                its = [year for year in self._years if fact.is_that_of(year)]
                if is_turned_round(digits, fact, self._digits, its):
                    yield Finding(
                        place,
                        "date",
                        fact.text,
                        "is the beginning here and the end in the article, or the other way round",
                    )


def _months_with_years(facts: Sequence[Fact], text: str) -> Iterator[tuple[Fact, Fact | None]]:
    """The months of a text, each with the year beside it, if there is one."""
    for month in facts:
        if isinstance(month, CalendarWord) and month.kind == "month":
            yield (
                month,
                next((its for its in facts if its.kind == "year" and is_year_of(text, month, its)), None),
            )


def _kind_of(fact: Fact) -> str:
    """The kind of a finding about it."""
    return "date" if isinstance(fact, CalendarWord) or fact.kind in ("year", "day") else "number"


def _unit_word(fact: Fact, its: Fact) -> str:
    """The "minutes" of a number, which do not say that it is of another thing than the hours of the source."""
    if not (isinstance(fact, Number) and isinstance(its, Number) and times_as_large(fact.unit, its.unit)):
        return ""
    return folded(fact.counts)


def _may_be_of_one_thing(fact: Fact, its: Fact) -> bool:
    """Whether one number may replace another one."""
    return (
        isinstance(fact, Number)
        and isinstance(its, Number)
        and (fact.may_count_as(its) or bool(times_as_large(fact.unit, its.unit)))
        and not {fact.kind, its.kind} & {"year", "day", "score"}
        and (fact.unit == its.unit or _are_of_one_size(fact, its))
    )


def _count_one_thing(fact: Number, its: Number) -> bool:
    """Whether both have the same word after them: 300 people, 120 people."""
    return bool(fact.counts and its.counts) and are_alike(folded(fact.counts), folded(its.counts))


def _counts_another_thing(fact: Number, other: Fact) -> bool:
    """Whether a number has another word after it: 300 people, 300 drivers."""
    return isinstance(other, Number) and bool(other.counts) and not _count_one_thing(fact, other)


def _are_of_one_size(fact: Number, its: Number) -> bool:
    """Whether one may lack the unit of the other: 290 of £467 million; but no seven trimmers are £94."""
    are_large = [max(number.values) >= _LARGE for number in (fact, its)]
    is_money = any(number.unit.startswith(MONEY) for number in (fact, its))
    return all(are_large) or not (any(are_large) or is_money)


def _count_in_one_unit(fact: Fact, its: Fact) -> bool:
    if not isinstance(fact, Number) or not isinstance(its, Number):
        return fact.kind == its.kind
    return fact.kind == its.kind and fact.unit == its.unit and bool(fact.unit or fact.kind in _COMPARED_KINDS)


def _sentence_at(text: str, fact: Fact) -> str:
    before = SENTENCE_END.split(text[max(fact.start - _WINDOW, 0) : fact.start])[-1]
    after = SENTENCE_END.split(text[fact.end : fact.end + _WINDOW], maxsplit=1)[0]
    return f"{before} {after}"


def _other_ordinal(mine: Number, facts: Sequence[Fact], near: Sequence[Number]) -> Number | None:
    """The fourth of the source where a script has the third."""
    ordinals = [its for its in near if its.is_ordinal]
    if any(its.values & mine.values for its in near):
        return None
    return next((its for its in ordinals if not any(fact.is_that_of(its) for fact in facts)), None)


def _in_full(fact: Fact, facts: Sequence[Fact], near_facts: Sequence[Fact]) -> Fact:
    """A number with what belongs to another one only: £318 million, of which 72 from the state."""
    if not isinstance(fact, Number) or fact.unit or any(fact.is_that_of(its) for its in near_facts):
        return fact
    others = [other for other in facts if isinstance(other, Number)]
    powers = [power for power in (1e3, 1e6, 1e9) if any(max(other.values) >= power for other in others)]
    for other in others:
        for power in [1.0, *(powers if max(fact.values) < 1e3 else [])]:
            values = frozenset(value * power for value in fact.values)
            full = fact._replace(values=values, unit=other.unit, kind=other.kind)
            if any(full.is_that_of(its) for its in near_facts):
                return full
    return fact
