"""Whether what a text calls a half is one in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from .number import SHARE, Number
from .rounding import Rounding, rounding_at
from .units import PERCENT

_HALF = re.compile(
    r"\b(?:half|halv|halb|hälft|demi|moitié|medi[oa]s?\b|mitad|mezz|metà|dimezz|helft|metade|połow|halver|gehalveerd)|半",
    re.IGNORECASE,
)
_TWICE = re.compile(r"\b(?:doubl|twice|doppelt|verdoppel|doble|doppio|dubbel|dobro|dobbel)|倍", re.IGNORECASE)
_CALLED_HALF = re.compile(
    r"\b(?:half (?:of|the|its|their|his|her|all|as)\b|halved\b|in half\b|hälfte\b|halbiert\w*|halb so\b|la moitié\b"
    r"|divisée?s? par 2\b|la mitad\b|(?:l|d)a metà\b|dimezzat\w*|de helft\b|gehalveerd\w*|half zo\b|metade\b|hälften\b"
    r"|halverat\w*|halvdelen\b|połow[aęy]\b)",
    re.IGNORECASE,
)
_MOST = 12
"""How many numbers of a source are compared with each other (ours)."""
_TIME = re.compile(r" ?(?:an? )?(?:hour|minute|day|year|century|decade|time)\b")
_NEARLY: dict[Rounding, tuple[float, float]] = {
    "": (0.4, 0.6),
    "about": (0.4, 0.6),
    "over": (0.5, 1.0),
    "under": (0.35, 0.5),
}
"""From which part to which one a half may be said for, by the word before it (ours)."""


def halved_in(text: str, numbers: Sequence[Number]) -> Number | None:
    """The number of a text that a half, or twice as much, is said of: the nearest one (source: ours).

    :param text: as ``in_digits`` makes it.
    :param numbers: of it.
    """
    said = _HALF.search(text) or _TWICE.search(text)
    if not said:
        return None
    # "Twice as many as 25 years ago" doubles no years.
    return min(
        [number for number in numbers if not number.unit.startswith("duration")] or numbers,
        key=lambda number: min(abs(number.end - said.start()), abs(number.start - said.end())),
        default=None,
    )


def wrong_halves_in(text: str, source: str, numbers: Sequence[Number]) -> Iterator[str]:
    """What a text calls a half where the numbers of its source are no half of each other (source: ours).

    :param text: of a script, as ``in_digits`` makes it.
    :param source: that it rests on, as ``in_digits`` makes it.
    :param numbers: of the source.
    """
    called_half = list(_CALLED_HALF.finditer(text))
    if not called_half:
        return
    parts = list(_parts(numbers[:_MOST]))
    is_of_double = _TWICE.search(source) and not any(number.unit == PERCENT for number in numbers)
    if _HALF.search(source) or is_of_double or not parts:
        return
    for called in called_half:
        least, most = _NEARLY[rounding_at(text, *called.span())]
        is_of_time = _TIME.match(text, called.end())
        if not is_of_time and not any(least <= part <= most for part in parts):
            yield called[0]


def _parts(numbers: Sequence[Number]) -> Iterator[float]:
    """The parts of a whole that a source has, in numbers of one kind or in per cent."""
    for number in numbers:
        if number.unit == SHARE:
            yield min(number.values)
        elif number.unit == PERCENT:
            yield max(number.values) / 100
    amounts = [number for number in numbers if number.kind in ("count", "money")]
    for one, other in combinations(amounts, 2):
        small, large = sorted((max(one.values), max(other.values)))
        if one.may_count_as(other) and large:
            yield small / large
