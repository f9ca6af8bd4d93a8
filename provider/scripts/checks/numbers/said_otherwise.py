"""Values that a text has without the number: half an hour, a dozen, 15:00, a list of four."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SAID_OTHERWISE = (
    # Parts that an article writes in one way and a script in another.
    (
        re.compile(
            r"\bhal(?:f|b\w*)\b|\bdemi|\bmedi[oa]s?\b|\bmezz|\bmoitié|\bmitad|\bmetà|\bhälfte|\bmetade|\bhelft",
            re.I,
        ),
        (0.5, 50.0, 30.0, 6.0),
    ),
    (
        re.compile(r"\b(?:one|a|ein|un|uno?) (?:third|3rd|drittel|tiers|tercio|terzo|derde)", re.I),
        (33.0, 1 / 3),
    ),
    (re.compile(r"\bquart|\bviert\w*|\bcuart|\b4(?:th\b|\.(?=\s)|e\b|º)", re.I), (25.0, 0.25, 15.0, 3.0)),
    (
        re.compile(
            r"\b(?:three|3|drei|trois|tres|tre)[ -]?(?:quarters?|viertel|quarts|cuartos|quarti)", re.I
        ),
        (75.0, 0.75),
    ),
    (
        re.compile(
            r"\bdouble|\btwice|\bdoppel|\bverdoppel|\bdoble|\bdoppio|\bdubbel|\bdobro|\bdobbel|倍", re.I
        ),
        (2.0,),
    ),
    (re.compile(r"\bdozen|\bdutzend|\bdouzaine|\bdocena|\bdozzina", re.I), (12.0,)),
    (
        re.compile(
            r"\b(?:first|a|one|1st|ersten|erstes|ein|première|un|primer|primo|eerste|een|första|ett) "
            r"(?:year|jahr|année|an|año|anno|jaar|året|år)\b|\brok(?:u|iem)?\b|初年度|1年",
            re.I,
        ),
        (12.0,),
    ),
    (
        re.compile(
            r"\b(?:a|one|another|per|every|eine|pro|une|por|una|per|een|en)"
            r" (?:week|woche|semaine|semana|settimana|vecka)\b",
            re.I,
        ),
        (7.0,),
    ),
    (
        re.compile(
            r"\b(?:a|an|one|eine|une|una|een|en|per) (?:hour|stunde|heure|hora|ora|uur|timme)\b", re.I
        ),
        (60.0,),
    ),
    (re.compile(r"\bfortnight|\bquinzaine de jours|\bquincena", re.I), (14.0, 2.0)),
    (re.compile(r"\bcentury|\bjahrhundert|\bsiècle|\bsiglo|\bsecolo", re.I), (100.0,)),
    (re.compile(r"\bdecade|\bjahrzehnt|\bdécennie|\bdécada|\bdecennio", re.I), (10.0,)),
)
_TIME = re.compile(
    r"\b(\d{1,2})(?:[:.h]([0-5]\d))? ?(?:[ap]\.?m\b|uhr|heures?|h\b|o'clock|uur|часов)|\b(\d{1,2})[:h]([0-5]\d)\b"
    r"|\b(?:a las?|kl\.?|alle|às|om|at|um) (\d{1,2})\.([0-5]\d)\b",
    re.IGNORECASE,
)
_CLOCK_FACE = 12


_LIST = re.compile(
    r"\b[^\W\d_]+(?:, [^\W\d_]+(?: [^\W\d_]+)?){1,6},? (?:and|und|et|y|e|och|en|i|og|и) [^\W\d_]+"
)
_PAIR = re.compile(
    r"\b[A-ZÀ-Þ][^\W\d_]+ (?:and|und|et|y|e|och|og|en|i|и) (?:[^\W\d_]+ ){0,2}[A-ZÀ-Þ][^\W\d_]+"
)
_ROMAN = re.compile(r"\b(?=[IVXLC]{2,7}(?:e|ème|th)?\b)[IVXLC]{2,7}")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def values_said_otherwise(text: str) -> Iterator[float]:
    """Values that a text has without the number: half an hour is 30, 15:00 is 3 p.m. (source: ours).

    :param text: of the source, as ``in_digits`` makes it.
    """
    for words, values in _SAID_OTHERWISE:
        if words.search(text):
            yield from values
    for listed in _LIST.finditer(text):
        yield listed[0].count(", ") + 2.0
    if _PAIR.search(text):
        yield 2.0
    for roman in _ROMAN.finditer(text):
        yield _roman(roman[0])
    for time in _TIME.finditer(text):
        hours, minutes = int(time[1] or time[3] or time[5]), int(time[2] or time[4] or time[6] or 0)
        if hours <= 2 * _CLOCK_FACE:
            if minutes == 30:
                yield from (hours + 0.5, hours % _CLOCK_FACE + 0.5)
            # In English "at 4.15" is a time, too.
            yield from (
                minutes,
                hours,
                hours + minutes / 100,
                (hours + _CLOCK_FACE) % 24,
                hours % _CLOCK_FACE or _CLOCK_FACE,
            )
        if minutes > 30:
            yield from (60.0 - minutes, hours % _CLOCK_FACE + 1.0)


def _roman(digits: str) -> float:
    values = [_ROMAN_DIGITS[digit] for digit in digits]
    return float(sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)))
