"""The facts of a text that can be compared: its numbers, months and weekdays."""

from __future__ import annotations

import re
from itertools import pairwise

from .calendar_words import CalendarWord, calendar_words
from .numbers.number import Number
from .numbers.reading import numbers_in

Fact = Number | CalendarWord
"""A number, a month or a weekday, as a text has it."""

_LAST_DAY = 31
_DAY_THEN_MONTH = re.compile(
    r"(?:st|nd|rd|th|er|º|ª|e|\.)?[ .]{0,2}(?:(?:de|of|di|do|d['\u2019]) ?)?", re.IGNORECASE
)
_MONTH_THEN_DAY = re.compile(r"\.? ?(?:the )?")
_MONTH_FIRST = ("en", "ja", "zh", "ko", "hu")
_LONGEST_BETWEEN = 8
_RANGE = re.compile(
    r"\.? ?(?:–|-|to|and|until|bis|und|y|al?|et|au|e|en|tot|och|till|i|do)(?: (?:the|zum|el|le|il|den))? ?"
)


def facts_of(text: str, language: str | None) -> list[Fact]:
    """The numbers, months and weekdays of a text in order; a number that is a day of a month is one (source: ours).

    :param text: whose numbers are in digits.
    :param language: of the text; English where unknown.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    words = calendar_words(text, language)
    months = [word for word in words if word.kind == "month"]
    code = re.split("[-_]", language or "en")[0].lower()
    ends = {month.end: month for month in months}
    starts = {month.start: month for month in months}
    numbers = [
        number._replace(kind="day") if _is_day(number, text, starts, ends, code) else number
        for number in numbers_in(text, language)
    ]
    for place, (first, last) in enumerate(pairwise(numbers)):
        # Both are days in "5 to 20 May".
        if last.kind == "day" and first.kind == "count" and _RANGE.fullmatch(text[first.end : last.start]):
            numbers[place] = first._replace(kind="day")
    return sorted((*numbers, *words), key=lambda fact: fact.start)


def _is_day(
    number: Number,
    text: str,
    starts: dict[int, CalendarWord],
    ends: dict[int, CalendarWord],
    code: str,
) -> bool:
    if number.kind not in ("count", "ordinal") or not any(1 <= value <= _LAST_DAY for value in number.values):
        return False
    for gap in range(_LONGEST_BETWEEN):
        if number.end + gap in starts and _DAY_THEN_MONTH.fullmatch(text[number.end : number.end + gap]):
            return True
        if (
            code in _MONTH_FIRST
            and not number.counts
            and number.start - gap in ends
            and _MONTH_THEN_DAY.fullmatch(text[number.start - gap : number.start])
        ):
            return True
    return False
