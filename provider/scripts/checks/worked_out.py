"""What a careful reader works out from the numbers of an article: 107 years later, a total, the rest of a hundred."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from .numbers import SHARE, Number
from .units import MONEY, PERCENT

_MOST = 12
"""How many numbers are combined (ours)."""
_FEWEST_YEARS = 5
"""Fewer are often said by the article, and then to be compared with it (ours)."""
_WHOLE = 100.0


def is_worked_out(mine: Number, passage: Sequence[Number], years: Sequence[Number], halves: bool) -> bool:
    """Whether a number follows from others (source: ours).

    :param mine: of a script.
    :param passage: the numbers that it rests on.
    :param years: of the whole article.
    :param halves: whether the passage speaks of a half.
    """
    if mine.unit in ("", "duration-year"):
        dates = sorted({max(year.values) for year in years})[-_MOST:]
        spans = {later - earlier for earlier, later in combinations(dates, 2)}
        if any(value in spans and value >= _FEWEST_YEARS for value in mine.values):
            return True
    return any(value in mine.values for value in _combined(mine, passage[:_MOST], halves))


def _combined(mine: Number, passage: Sequence[Number], halves: bool) -> Iterator[float]:
    shares = [number for number in passage if number.unit in (PERCENT, SHARE)]
    for number in passage:
        if mine.unit in (PERCENT, SHARE) and shares == [number]:
            yield from (_WHOLE - value for value in number.values)
        if halves and mine.unit.startswith(MONEY) and mine.unit == number.unit:
            yield from (value / 2 for value in number.values)
    if mine.unit == PERCENT or mine.unit.startswith(MONEY):
        same = [number for number in passage if number.unit == mine.unit]
        for one, other in combinations([*same, *same], 2):
            yield max(one.values) + max(other.values)
