"""A number of a text, and whether it says the same as one of another text."""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from .rounding import Rounding, is_cut, is_rounded_to
from .units import MONEY, PERCENT, are_of_one_system, times_as_large

SHARE = "share"
"""The unit of what is a part of a whole: one in five."""
DECADE = "decade"
CENTURY = "century"
_SQUARE = ("area-square-", "length-")
_SAME = 0.005
"""How exact one unit is another one: 52 weeks are a year (ours)."""
_SHARE_FOR_PERCENT = 0.05
"""How near to a third a percentage must be that a third is said for (ours)."""
_SAME_ROUGHLY = 0.03
"""The same for 24 miles, which are 38.6 kilometres (ours)."""


class Number(NamedTuple):
    """A number of a text.

    :param text: as it is written, words turned into digits.
    :param values: what it may be: ``1.200`` is 1200 or 1.2.
    :param kind: ``year``, ``day``, ``percent``, ``money``, ``ordinal``, ``score`` or ``count``.
    :param rounding: what the word before it says, such as *nearly*.
    :param unit: what it counts, where that is a unit or a currency.
    :param counts: the word after it that names what it counts, if there is one.
    :param is_ordinal: whether it is written as one: 4th.
    """

    text: str
    values: frozenset[float]
    kind: str
    rounding: Rounding
    start: int
    end: int
    unit: str = ""
    counts: str = ""
    is_ordinal: bool = False

    def may_count_as(self, other: object) -> bool:
        """Whether it may count the same as another number, by their units (source: ours).

        :param other: a fact.
        """
        if not isinstance(other, Number):
            return False
        if SHARE in (self.unit, other.unit):
            return True
        if self.unit and other.unit:
            # "m²" is "m" in plain text.
            return self.unit.replace(*_SQUARE) == other.unit.replace(*_SQUARE)
        if PERCENT in (self.unit, other.unit):
            return False
        with_unit, bare = (self, other) if self.unit else (other, self)
        return not (with_unit.unit.startswith(MONEY) and bare.counts)

    def is_that_of(self, other: object) -> bool:
        """Whether a number says the same as one of the source, which may be rounded here (source: ours).

        :param other: a fact of the source.
        """
        if not isinstance(other, Number):
            return False
        if self.unit in (DECADE, CENTURY) and other.kind == "year":
            return any(mine in self._periods_of(year) for mine, year in product(self.values, other.values))
        if not self.may_count_as(other):
            times = times_as_large(other.unit, self.unit)
            exact = _SAME if are_of_one_system(other.unit, self.unit) else _SAME_ROUGHLY
            return bool(times) and any(
                abs(mine - its * times) <= exact * mine or is_rounded_to(mine, its * times, self.rounding)
                for mine, its in product(self.values, other.values)
            )
        is_share_of_it = other.unit == SHARE and self.unit == ""
        values = self.values & (other.values | _inner_values(other.text) if is_share_of_it else other.values)
        return (
            bool(values)
            or self.is_short_for(other)
            or (self.unit == SHARE and other.unit == PERCENT and self._is_nearly(other))
            or any(
                is_rounded_to(mine, its, self.rounding, is_rounder=self.unit == SHARE)
                or (self.kind != "year" and is_cut(mine, its))
                for mine, its in product(self.values, other.values)
            )
        )

    def _is_nearly(self, percent: Number) -> bool:
        """Whether a third is said for 34 per cent."""
        return any(
            abs(mine - its) <= _SHARE_FOR_PERCENT * its for mine, its in product(self.values, percent.values)
        )

    def _periods_of(self, year: float) -> tuple[float, ...]:
        """What a year's decade or century is called."""
        if self.unit == CENTURY:
            return ((year - 1) // 100 + 1,)
        decade = year // 10 * 10
        return decade, decade % 100

    def is_short_for(self, year: Number) -> bool:
        """Whether it is a year without its century: 63 for 1963 (source: ours).

        :param year: a number of the source.
        """
        if year.kind != "year" or self.unit or self.counts or not re.fullmatch(r"\d\d", self.text):
            return False
        return any(its % 100 in self.values for its in year.values)


def _inner_values(share: str) -> frozenset[float]:
    """The five of one in five."""
    return frozenset(map(float, re.findall(r"\d+", share)))
