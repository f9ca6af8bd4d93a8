"""Whether a date is said to be the beginning of something or its end."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from .calendar_words import CalendarWord
from .facts import Fact
from .numbers.number import Number

_SINCE = "since seit depuis desde dal dall sinds od sedan с"
_UNTIL = (
    "until till by before bis avant jusqu jusque hasta antes entro fino prima tot voor uiterlijk do przed före "
    "fram до к até"
)
_SIDES: dict[str, Literal["since", "until"]] = {
    **dict.fromkeys(_SINCE.split(), "since"),
    **dict.fromkeys(_UNTIL.split(), "until"),
}
_WINDOW = 20
_LAST_DAYS = {2: (28, 29), 4: (30,), 6: (30,), 9: (30,), 11: (30,)}
_LONG_MONTH = (31,)
_MONTHS = 12


def is_turned_round(text: str, year: Number, article: str, its: Iterable[Number]) -> bool:
    """Whether a text has *since 2033* where the article has nothing but *before 2033* (source: ours).

    :param text: of a script.
    :param year: of it.
    :param article: the whole of it.
    :param its: the same year's places in it.
    """
    mine = _side(text, year)
    sides = {_side(article, each) for each in its}
    return bool(mine and sides and None not in sides and mine not in sides)


def is_month_after_the_end(month: Fact, text: str, its: Sequence[Fact]) -> bool:
    """Whether a text ends something on the last day of the month before: until 30 November (source: ours).

    :param month: of a script, such as December.
    :param text: of the article.
    :param its: the numbers and dates of that text, in order.
    """
    if not isinstance(month, CalendarWord) or month.kind != "month":
        return False
    last_month = (month.number - 2) % _MONTHS + 1
    last_days = _LAST_DAYS.get(last_month, _LONG_MONTH)
    return any(
        {one.kind, other.kind} == {"day", "month"}
        and any(isinstance(part, CalendarWord) and part.number == last_month for part in (one, other))
        and any(isinstance(part, Number) and part.values & set(last_days) for part in (one, other))
        and _side(text, one) == "until"
        for one, other in pairwise(its)
    )


def _side(text: str, year: Fact) -> Literal["since", "until"] | None:
    words = re.findall(r"[^\W\d_]+", text[max(0, year.start - _WINDOW) : year.start].casefold())
    return next((_SIDES[word] for word in reversed(words[-2:]) if word in _SIDES), None)
