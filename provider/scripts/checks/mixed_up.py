"""Whether a number or date of a text says what another one of its article says, by the words of its clause."""
# ruff: noqa: RUF001 - it knows the marks of other languages

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations

from .facts import Fact
from .numbers.number import Number
from .plain_words import are_alike, folded, words_of

_MOST_FACTS = 20
"""How many of a text are compared with each other (ours): a scene of two sentences has fewer."""
_WINDOW = 150
"""Characters on either side of a number in which its clause is looked for (ours)."""
_MORE_ALIKE = 0.3
"""How much more of another one's clause than of its own a text must have (measured)."""
_BOTH_MORE_ALIKE = 0.3
"""The same for two that are swapped (measured)."""
_DATES = ("day", "month", "weekday", "year")
_WITHIN_DATE = 4
"""Characters between a month and its year: October of 2026 (ours)."""
_NUMBERS_SAY = 3
"""How much more than a word another number says of which one is meant (ours)."""
SENTENCE_END = re.compile(r"[.!?…](?=\s)|[。！？\n]")
"""Where a sentence ends, in all languages."""
_MARK = r"[,;:()–—、](?!\d)"
_JOINING = {
    "de": "und aber doch während",
    "en": "and but while",
    "es": "y e pero mientras",
    "fr": "et mais tandis",
    "it": "e ma mentre",
    "nl": "en maar terwijl",
    "pl": "i a ale",
    "pt": "e mas enquanto",
    "ru": "и а но",
    "sv": "och men medan",
}


def mixed_up(
    text: str,
    facts: Sequence[Fact],
    passage: str,
    its_facts: Sequence[Fact],
    little: Collection[str],
    code: str,
) -> Iterator[tuple[Fact, Fact]]:
    """Facts of a text, each with the one of the passage in whose place it stands (source: ours).

    :param text: of a script.
    :param facts: of it, in order.
    :param passage: of the article.
    :param its_facts: of it, in order.
    :param little: words that say nothing about a number.
    :param code: of the language, such as ``de``.
    """
    clause_end = _clause_end(code)
    facts, its_facts = facts[:_MOST_FACTS], its_facts[: 2 * _MOST_FACTS]
    clauses = {fact: _clause(passage, fact, its_facts, little, clause_end) for fact in its_facts}
    found = []
    for mine in facts:
        # The passage may also have what a rounded number stands for.
        twins = [its for its in its_facts if _are_of_one_kind(mine, its) and mine.is_that_of(its)]
        if twins:
            own = _clause(text, mine, facts, little, clause_end, alone=True)
            own = own or _clause(text, mine, facts, little, clause_end)
            found.append((mine, twins, own))
    for mine, twins, own in found:
        for its in its_facts:
            if its in twins or any(fact.is_that_of(its) for fact in facts):
                continue
            if not all(
                _count_the_same(one, its) and _is_apart(passage, one, its, clause_end) for one in twins
            ):
                continue
            gained = min(_more_alike(own, clauses[its], clauses[twin]) for twin in twins)
            is_of_it = mine.kind in _DATES and all(
                _is_only_of(own, clauses[its], clauses[twin]) for twin in twins
            )
            if _count_the_same(mine, its) and (gained > _MORE_ALIKE or is_of_it):
                yield mine, its
    for (mine, twins, own), (other, other_twins, others) in combinations(found, 2):
        if set(twins) & set(other_twins) or not _count_the_same(mine, other):
            continue
        if any(_are_listed(passage, its, its_other, little) for its in twins for its_other in other_twins):
            continue
        gained = min(
            _more_alike(own, clauses[its_other], clauses[its])
            + _more_alike(others, clauses[its], clauses[its_other])
            if (joining := _joining(passage, its, its_other)) is None
            # All words are said of both: they are swapped if their order is.
            else float(_joining(text, mine, other) == joining and its.start > its_other.start)
            for its in twins
            for its_other in other_twins
        )
        if gained > _BOTH_MORE_ALIKE:
            yield mine, other_twins[0]


@cache
def _clause_end(code: str) -> re.Pattern[str]:
    joining = "|".join(_JOINING.get(code, "").split())
    return re.compile(rf"{_MARK}|\b(?:{joining})\b" if joining else _MARK, re.IGNORECASE)


def _count_the_same(one: Fact, other: Fact) -> bool:
    """Whether one may be taken for the other."""
    return _are_of_one_kind(one, other) and one.may_count_as(other)


def _are_of_one_kind(one: Fact, other: Fact) -> bool:
    """Whether two are numbers of one kind; 1870 people are no year."""
    if one.kind == other.kind:
        return True
    is_counted = isinstance(one, Number) and isinstance(other, Number) and one.counts and other.counts
    return bool(is_counted) and {one.kind, other.kind} == {"year", "count"}


def _is_apart(passage: str, one: Fact, other: Fact, clause_end: re.Pattern[str]) -> bool:
    """Whether two are in separate clauses: what comes before "from 1,120 to 580" is said of both."""
    between = passage[min(one.end, other.end) : max(one.start, other.start)]
    return bool(clause_end.search(between) or SENTENCE_END.search(between))


def _joining(text: str, one: Fact, other: Fact) -> str | None:
    """The word between two numbers that are said of one thing, as in *by 31 to 22 votes*; None for others."""
    between = text[min(one.end, other.end) : max(one.start, other.start)].strip()
    return between if re.fullmatch(r"[^\W\d]{1,7}|[-–:]", between) else None


def _are_listed(text: str, one: Fact, other: Fact, little: Collection[str]) -> bool:
    """Whether two weekdays are in one list: on Monday, Wednesday and Friday."""
    between = words_of(text[min(one.end, other.end) : max(one.start, other.start)])
    return one.kind == "weekday" and len([word for word in between if folded(word.text) not in little]) <= 1


def _more_alike(mine: frozenset[str], its: frozenset[str], own: frozenset[str]) -> float:
    """How much more of a clause has what another says than what its own does, beside what both say."""
    return _share(mine, _beside(its, own)) - _share(mine, _beside(own, its))


def _is_only_of(mine: frozenset[str], its: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a clause says only what another says, as *opens* does of *the opening is planned for May*."""
    others = _beside(its, own)
    return bool(mine) and all(any(are_alike(word, other) for other in others) for word in mine)


def _beside(its: frozenset[str], others: frozenset[str]) -> list[str]:
    """The words that only one clause has, in whatever form."""
    return [word for word in its if not any(are_alike(word, other) for other in others)]


def _clause(
    text: str,
    fact: Fact,
    facts: Sequence[Fact],
    little: Collection[str],
    clause_end: re.Pattern[str],
    *,
    alone: bool = False,
) -> frozenset[str]:
    """The words that stand with a fact, and not with another of its kind in the sentence.

    :param alone: nor in another clause.
    """
    before = text[max(fact.start - _WINDOW, 0) : fact.start]
    after = text[fact.end : fact.end + _WINDOW]
    if ends := list(SENTENCE_END.finditer(before)):
        before = before[ends[-1].end() :]
    if end := SENTENCE_END.search(after):
        after = after[: end.start()]
    for other in facts:
        if not _are_of_one_kind(other, fact):
            continue
        between = text[other.end : fact.start]
        if other.end <= fact.start and len(between) <= len(before):
            cut = clause_end.search(between)
            before = between[cut.end() :] if cut else _parted(between)[1]
        between = text[fact.end : other.start]
        if other.start >= fact.end and len(between) <= len(after):
            cut = clause_end.search(between)
            after = between[: cut.start()] if cut else _parted(between)[0]
    if alone:
        before = before[max((cut.end() for cut in clause_end.finditer(before)), default=0) :]
        after = after[: cut.start()] if (cut := clause_end.search(after)) else after
    its_kind = {
        word.text
        for other in facts
        if other.kind == fact.kind or _are_one_date(text, fact, other)
        for word in words_of(other.text)
    }
    words = {word.text for word in (*words_of(before), *words_of(after))} - its_kind
    return frozenset(map(folded, words)) - frozenset(little)


def _are_one_date(text: str, one: Fact, other: Fact) -> bool:
    """Whether two are a day and a month, or a month and its year, which are mixed up together."""
    kinds = {one.kind, other.kind}
    return kinds == {"day", "month"} or (kinds == {"month", "year"} and is_year_of(text, one, other))


def is_year_of(text: str, month: Fact, year: Fact) -> bool:
    """Whether a month and a year are one date, by how near they are (source: ours).

    :param text: that has them.
    :param month: of it.
    :param year: of it.
    """
    return max(month.start, year.start) - min(month.end, year.end) <= _WITHIN_DATE


def _parted(between: str) -> tuple[str, str]:
    """What stands between two numbers, as of each: 412 people | have borrowed 1,906 tools."""
    words = words_of(between)
    first = words[0].end if words else 0
    return between[:first], between[first:]


def _share(mine: Collection[str], its: Collection[str]) -> float:
    """How much of a clause another one has; a short one needs a little less."""
    weights = {word: _NUMBERS_SAY if word[0].isdigit() else 1 for word in its}
    shared = sum(weight for word, weight in weights.items() if any(are_alike(word, other) for other in mine))
    return shared / (sum(weights.values()) + 1)
