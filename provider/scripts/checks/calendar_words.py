"""The months and days of the week that a text names, and its dates in figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ...extras import ai_extra
from .plain_words import folded, letters_in_common, words_of

if TYPE_CHECKING:
    from babel import Locale

_INFLECTED = ("be", "bg", "cs", "hr", "lt", "lv", "pl", "ru", "sk", "sl", "sr", "uk")
_IN_FIGURES = re.compile(
    r"(?<!\d)(?:(\d{4})[-/.](\d\d?)[-/.](\d\d?)|(\d\d?)[-/.](\d\d?)[-/.](\d{2,4})|(\d\d?)月)"
)
_BESIDE_DAY = re.compile(
    r"(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)? ?(?:de )?([^\W\d_]{3,5})\b\.?|(?<![^\W\d_])([^\W\d_]{3,5})\.? \d{1,2}(?!\d)"
)
_MONTHS = 12
_SHORTEST_STEM = 3
_LONGEST_ENDING = 3


class CalendarWord(NamedTuple):
    """A month or a day of the week.

    :param kind: ``month`` or ``weekday``.
    :param number: from 1, and from 0 for Monday.
    """

    text: str
    kind: str
    number: int
    start: int
    end: int

    def may_count_as(self, other: object) -> bool:
        """Whether one may stand for the other (source: ours).

        :param other: a fact.
        """
        return isinstance(other, CalendarWord) and self.kind == other.kind

    def is_that_of(self, other: object) -> bool:
        """Whether it is the same month or day of the week (source: ours).

        :param other: a fact of the source.
        """
        return isinstance(other, CalendarWord) and (self.kind, self.number) == (other.kind, other.number)


def calendar_words(text: str, language: str | None) -> list[CalendarWord]:
    """The months and weekdays of a text in order, also those of dates in figures (source: ours).

    :param text: plain text.
    :param language: of the text; English where unknown.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    named = list(_named(text, code))
    taken = {word.start for word in named}
    shortened = (word for word in _shortened(text, code) if word.start not in taken)
    return sorted((*named, *shortened, *_in_figures(text)), key=lambda found: found.start)


def _named(text: str, code: str) -> Iterator[CalendarWord]:
    names = _names(code)
    for word in words_of(text):
        key = folded(word.text)
        # "may" and "march" are words, too.
        if code == "en" and not word.text[0].isupper():
            continue
        found = names.get(key)
        if found is None and code in _INFLECTED:
            found = next((names[name] for name in names if _is_form_of(key, name)), None)
        if found:
            yield CalendarWord(word.text, *found, word.start, word.end)


def _shortened(text: str, code: str) -> Iterator[CalendarWord]:
    """Months as they are written beside a day: Nov. 24."""
    months = _short_months(code)
    for found in _BESIDE_DAY.finditer(text):
        group = 1 if found[1] else 2
        word = found[group]
        if (number := months.get(word.casefold())) and (code != "en" or word[0].isupper()):
            yield CalendarWord(word, "month", number, *found.span(group))


def _is_form_of(word: str, name: str) -> bool:
    """Whether a word is a month or day in another case: marcu is marca."""
    same = letters_in_common(word, name)
    return same >= max(_SHORTEST_STEM, len(name) - 2) and len(word) - same <= _LONGEST_ENDING


def _in_figures(text: str) -> Iterator[CalendarWord]:
    for found in _IN_FIGURES.finditer(text):
        _, iso_month, _, first, second, _, east_asian = found.groups()
        for month in {iso_month or "", first or "", second or "", east_asian or ""} - {""}:
            if 1 <= int(month) <= _MONTHS:
                yield CalendarWord(found[0], "month", int(month), *found.span())


@cache
def _short_months(code: str) -> dict[str, int]:
    short = {
        name.rstrip(".").casefold(): int(number)
        for context in ("format", "stand-alone")
        for number, name in _locale(code).months[context]["abbreviated"].items()
        if name[0].isalpha()
    }
    return {**short, "sept": 9} if code == "en" else short


def _locale(code: str) -> Locale:
    with ai_extra():
        from babel import Locale, UnknownLocaleError
    try:
        return Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


@cache
def _names(code: str) -> dict[str, tuple[str, int]]:
    locale = _locale(code)
    names = {}
    for context in ("format", "stand-alone"):
        for kind, table in (("month", locale.months), ("weekday", locale.days)):
            for number, name in table[context]["wide"].items():
                if name and not name[0].isdigit() and " " not in name:
                    names[folded(name)] = (kind, int(number))
                    if code == "pt":
                        names[folded(name.partition("-")[0])] = (kind, int(number))
    return names
