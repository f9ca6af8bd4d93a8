"""What a careful reader works out from the numbers of an article: a total, the rest, a third of it, 107 years later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from ..plain_words import are_alike, folded
from .number import SHARE, Number
from .rounding import is_rounded_to
from .units import CENT, MONEY, PERCENT, times_as_large

_MOST = 12
"""How many numbers are combined (ours)."""
_MOST_OF_ARTICLE = 40
_LEAST_OF_ARTICLE = 100
"""The smallest number that may follow from two that stand anywhere in an article (ours)."""
_FEWEST_YEARS = 5
"""Fewer are often said by the article, and then to be compared with it (ours)."""
_POWERS = (1e9, 1e6)
_WHOLE = 100.0
_NO_AMOUNTS = ("year", "day", "ordinal", "score")
_SHARE_TOLERANCE = 0.05
"""How near to a third a part of a whole must be where no word says that it is rounded (ours)."""
_SHARE_TOLERANCE_ROUNDED = 0.15
_SPAN_TOLERANCE = 0.06
_POINTS_WORDS = """
point points percentage prozentpunkte prozentpunkten punkte punkten puntos punti procentpunt procentpunten
procenteenheter punkty punktów pontos
"""
_TIMES_WORDS = "times fold mal fois veces volte keer vezes gånger ganger gange razy raza раз раза"
_TIMES = frozenset(_TIMES_WORDS.split())
_COUNTED_TOO = re.compile(
    r"\b(?:count|includ)ing (?:her|him|them|me)|\b(?:sie|ihn|ihr|ihm)(?: selbst)? (?:ein|mit|dazu)ge(?:rechne|zähl)t"
    r"|\bcont[aá]ndol[ao]|\bcontando (?:con )?(?:a )?(?:el[ae]|ella|él|lei|lui)\b"
    r"|\b(?:la|le) comptant|\bl(?:ei|ui) compres[ao]"
    r"|\b(?:elle|lui|ella|él) (?:comprise?|incluid[ao])|\b(?:haar|hem) meegerekend|\b(?:henne|honom) inräknad",
    re.IGNORECASE,
)
_RATIO_TOLERANCE = 0.1
"""How near two numbers must be to what is said of them: ten times as much (ours)."""
_POINTS = frozenset(_POINTS_WORDS.split())
"""What the difference of two percentages counts."""


def is_worked_out(
    mine: Number, passage: Sequence[Number], years: Sequence[Number], halved: Number | None
) -> bool:
    """Whether a number follows from others (source: ours).

    :param mine: of a script.
    :param passage: the numbers that it rests on.
    :param years: of the whole article.
    :param halved: of which the passage says a half, or twice as much.
    """
    if mine.unit in ("", "duration-year") and _is_span(mine, years):
        return True
    if mine.kind in _NO_AMOUNTS:
        return False
    if mine.counts.casefold() in _TIMES and _is_ratio(mine, passage):
        return True
    scores = [number for number in passage if number.kind == "score"]
    passage = [number for number in passage if number.kind not in _NO_AMOUNTS][:_MOST]
    mine = _in_units_of(mine, passage)
    if mine.unit in (PERCENT, SHARE) and _is_share(mine, passage):
        return True
    results = [*_results(mine, passage, halved), *_goals(mine, scores)]
    return any(
        abs(value - result) < 1e-9 * abs(result) or is_rounded_to(value, result, mine.rounding)
        for value, result in product(mine.values, results)
    )


def is_one_more(mine: Number, text: str, passage: Sequence[Number]) -> bool:
    """Whether a text counts the person too with whom the others of a passage are: five, counting her (source: ours).

    :param mine: a number of the text.
    :param text: of a script, as ``in_digits`` makes it.
    :param passage: the numbers that it rests on.
    """
    if mine.unit or mine.kind != "count" or not _COUNTED_TOO.search(text):
        return False
    return any(max(its.values) + 1 in mine.values for its in passage if mine.may_count_as(its) and its.counts)


def follows_from_like_numbers(mine: Number, article: Sequence[Number]) -> bool:
    """Whether a number is the rest, the sum or a share of two that an article counts alike (source: ours).

    75,000 homes are 210,000 homes without 135,000 homes, wherever these two stand; of small numbers too many are.

    :param mine: of a script.
    :param article: the numbers of an article.
    """
    if mine.kind in _NO_AMOUNTS or (mine.unit != SHARE and max(mine.values) < _LEAST_OF_ARTICLE):
        return False
    for one, other in combinations(article[:_MOST_OF_ARTICLE], 2):
        if not (
            one.unit == other.unit != "" or (one.counts and one.counts.casefold() == other.counts.casefold())
        ):
            continue
        if one.kind in _NO_AMOUNTS or other.kind in _NO_AMOUNTS or PERCENT in (one.unit, other.unit):
            continue
        if mine.unit == SHARE:
            if _is_share(mine._replace(rounding=""), [one, other]):
                return True
        elif mine.may_count_as(one):
            large, small = max(one.values), max(other.values)
            if {large + small, abs(large - small)} & mine.values:
                return True
    return False


def _in_units_of(mine: Number, passage: Sequence[Number]) -> Number:
    """A number of cents in the currency of a passage, and one of points in its per cent."""
    if mine.counts.casefold() in _POINTS and any(its.unit == PERCENT for its in passage):
        return mine._replace(unit=PERCENT)
    money = next((its.unit for its in passage if its.unit.startswith(MONEY)), "")
    if mine.unit == CENT and money and not any(its.unit == CENT for its in passage):
        times = times_as_large(CENT, money)
        return mine._replace(unit=money, values=frozenset(value * times for value in mine.values))
    return mine


def _is_ratio(mine: Number, passage: Sequence[Number]) -> bool:
    """Whether one number is so many times another: 142 kilos are ten times 14."""
    amounts = [number for number in passage if number.kind not in _NO_AMOUNTS and min(number.values) > 0][
        :_MOST
    ]
    ratios = [
        max(max(one.values), max(other.values)) / min(max(one.values), max(other.values))
        for one, other in combinations(amounts, 2)
        if one.may_count_as(other)
    ]
    return any(
        abs(value - ratio) <= _RATIO_TOLERANCE * ratio for value, ratio in product(mine.values, ratios)
    )


def _goals(mine: Number, scores: Sequence[Number]) -> Iterator[float]:
    """The five of 3-2, and what lies between the two."""
    if mine.unit:
        return
    for one, other in pairwise(scores):
        yield max(one.values) + max(other.values)
        yield abs(max(one.values) - max(other.values))


def _is_span(mine: Number, years: Sequence[Number]) -> bool:
    dates = sorted({max(year.values) for year in years})[-_MOST:]
    spans = {later - earlier for earlier, later in combinations(dates, 2)}
    return any(
        value >= _FEWEST_YEARS
        and (
            value in spans
            or any(
                is_rounded_to(value, span, mine.rounding) and abs(value - span) <= _SPAN_TOLERANCE * span
                for span in spans
            )
        )
        for value in mine.values
    )


def _is_share(mine: Number, passage: Sequence[Number]) -> bool:
    tolerance = _SHARE_TOLERANCE_ROUNDED if mine.rounding else _SHARE_TOLERANCE
    shares = {
        part / whole * (1 if mine.unit == SHARE else _WHOLE)
        for one, other in combinations(passage, 2)
        if one.may_count_as(other) and PERCENT not in (one.unit, other.unit)
        for part, whole in [sorted((max(one.values), max(other.values)))]
        if 0 < part < whole
    }
    # "Missed about eight per cent" of those of whom 92 were found; "two thirds" for "a third" is a mistake.
    if mine.unit == PERCENT and mine.rounding:
        shares |= {_WHOLE - share for share in shares}
    value = min(mine.values) if mine.unit == SHARE else max(mine.values)
    return any(abs(value - share) <= tolerance * share for share in shares)


def _results(mine: Number, passage: Sequence[Number], halved: Number | None) -> Iterator[float]:
    shares = [number for number in passage if number.unit in (PERCENT, SHARE)]
    for number in passage:
        if mine.unit in (PERCENT, SHARE) and shares == [number]:
            yield from (_WHOLE - value for value in number.values)
    for share, whole in product(shares, passage):
        if whole.may_count_as(mine) and whole not in shares:
            part = min(share.values) if share.unit == SHARE else max(share.values) / _WHOLE
            yield from (part * value for value in whole.values)
    if halved and mine.unit == halved.unit:
        yield from (value / 2 for value in halved.values)
        if mine.unit:
            yield from (value * 2 for value in halved.values)
    # "A donor gave the same again."
    if mine.unit.startswith(MONEY):
        yield from (2 * value for number in passage if number.unit == mine.unit for value in number.values)
    passage = [*passage, *_in_full(passage)]
    same = [number for number in passage if number.may_count_as(mine) and number.unit != SHARE]
    for one, other in combinations(same, 2):
        if not _count_one_thing(one, other):
            continue
        large, small = max(one.values), max(other.values)
        yield large + small
        if large != small:
            yield abs(large - small)


def _in_full(passage: Sequence[Number]) -> Iterator[Number]:
    """The 11 of "18 million, 11 of them from the state"."""
    for number in passage:
        for other in passage:
            power = next((power for power in _POWERS if max(other.values) >= power), 0.0)
            if power and not number.unit and not number.counts and max(number.values) < 1000:
                values = frozenset(value * power for value in number.values)
                yield number._replace(values=values, unit=other.unit)


def _count_one_thing(one: Number, other: Number) -> bool:
    """Whether two numbers may be added: not ten people and 30 seconds."""
    if one.unit != other.unit:
        bare = other if one.unit else one
        return one.may_count_as(other) and not bare.counts
    return not (one.counts and other.counts) or are_alike(folded(one.counts), folded(other.counts))
