"""Whether a year is said to be the beginning of something or its end."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

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


def _side(text: str, year: Number) -> Literal["since", "until"] | None:
    words = re.findall(r"[^\W\d_]+", text[max(0, year.start - _WINDOW) : year.start].casefold())
    return next((_SIDES[word] for word in reversed(words[-2:]) if word in _SIDES), None)
