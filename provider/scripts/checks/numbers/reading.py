"""The numbers of a text, with all the values that they may have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..other_language import little_words
from .number import CENTURY, DECADE, SHARE, Number
from .rounding import rounding_at
from .units import MONEY, PERCENT, unit_of

_NUMBER = re.compile(r"(?<![A-Za-zÀ-ÿ\d.,])\d+(?:[.,'\u2019]\d+)*(?:[ ](?=\d{3}(?!\d))\d{3})*")
_HALF = re.compile(
    r"^(?: ?[^\W\d]+)? (?:and a half|et demie?|y medi[oa]|e mezz[oa]|e mei[oa]|en een half|i pół"
    r"|\u0441 половиной|och en halv|og en halv)(?!\w)",
    re.IGNORECASE,
)
_MAGNITUDE = re.compile(
    r"^[ -]?(?:(?P<k>10{3}(?!\d)|k(?!\w)|thousand|tausend|tsd|mille(?!\w)|mil(?!\w)|mila(?!\w)|duizend|тыс|tysi|tys)"
    r"|(?P<m>10{6}(?!\d)|m(?!\w)|mn(?!\w)|mio|mln|mill?i?[oó]n|milh|miljo|millón|млн|миллион)"
    r"|(?P<b>10{9}(?!\d)|bn(?!\w)|billion|mrd|mld(?!\w)|milliard|miliard|miljard|md(?!\w)|mia(?!\w)|млрд|миллиард))",
    re.IGNORECASE,
)
_POWERS = {"k": 1e3, "m": 1e6, "b": 1e9}
_EAST_ASIAN = re.compile(r"(?<![\d.,])(?:\d[\d.,]*[兆億亿万萬千百]{1,2}){1,6}(?:\d[\d.,]*)?")
_EAST_ASIAN_PART = re.compile(r"(\d[\d.,]*)([千百]?)([兆億亿万萬]?)")
_EAST_ASIAN_SHARE = re.compile(r"(?<!\d)(\d{1,3})分の(\d{1,3})(?!\d)")
_SCORE = re.compile(
    r"(?<![\d.,–-])\d{1,2}([-–:])\d{1,2}(?![\d–-]|[.,]\d|\s?(?:uhr|am|pm|h\b))", re.IGNORECASE
)
_EAST_ASIAN_POWERS = {"兆": 1e12, "億": 1e8, "亿": 1e8, "万": 1e4, "萬": 1e4, "千": 1e3, "百": 1e2}
_LOW_ORDINAL = re.compile(r"(?:nd|rd|[ºª])(?!\w)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|[ºª]|e|ème|er)(?!\w)")
_ONE = "a|an|one|ein|eine|einer|eines|jeder|un|une|uno|una|la|um|uma|een|één|en|ett|et|jedna"
_SHARE = re.compile(
    rf"\b(?P<part>\d+|{_ONE})(?P<thing> [^\W\d]+)? "
    r"(?P<of_few>in|out of|of every|sur|de cada|em cada|su|von|op de|op|av) (?P<whole>a 100|\d+)\b"
    rf"|\b(?P<parts>\d+|{_ONE}) (?:"
    r"(?P<third>3rds|3rd of|thirds|third(?!-| (?:time|tier|place|party|person|term|day|year|child)\b)|drittel"
    r"|tiers|tercios?|3º de|terz[oi]|3º dei?|ter[cç]os?|3º d[aoe]s?|derde)"
    r"|(?P<quarter>quarters? of|4ths|viertel|quarts?(?! d['\u2019]h)|cuartos?(?= de\b(?! hora))"
    r"|quart[io](?= d)(?! d['\u2019]ora)|quartos?(?= d)|kwart van)"
    r"|(?P<nth>\d+)(?:ths?|ème|e|º|°|ª)s?"
    r"(?= (?:parte|of|de|du|des|dei|del|della|do|da|dos|das|van|more|less|fewer|higher|lower)\b| d['’]|[.,;!?]|$)"
    r"|(?P<nordic_third>tredjedel(?:ar|er|e)?|trzecia|trzecie|треть|трети)|(?P<nordic_quarter>fjärdedel(?:ar)?|fjerdedele?r?|czwarta|czwarte|четверт[ьи])"
    r"|(?P<german>fünf|sechs|acht|zehn|zwanzig)s?tel)\b"
    r"|\b(?:jede[rs]?|every) (?P<each>\d{1,2})(?:\.|rd|th)(?= [^\W\d])"
    r"(?! (?:days?|weeks?|months?|years?|minutes?|hours?|tag|woche|monat|jahr|stunde|minute|time|mal)\b)",
    re.IGNORECASE,
)
_GERMAN_PARTS = {"fünf": 5, "sechs": 6, "acht": 8, "zehn": 10, "zwanzig": 20}
_DECADE_AFTER = re.compile(r"^['\u2019]?(?:s|ern?|-talet|-tallet)(?!\w)")
_DECADE_BEFORE = re.compile(r"\b(?:années|años|anni|jaren|anos|lata|lat|latach) ['\u2019]?$", re.IGNORECASE)
_CENTURY_AFTER = re.compile(
    r"^(?:st|nd|rd|th|\.|e|ème)?[ -](?:century|jahrhunderts?|siècle|eeuw|århundradet|århundrede)\b",
    re.IGNORECASE,
)
_WHOLES = (10, 100)
_WHOSE_WORDS = "ihrer seiner ihren seinen leurs ses sus suoi seus hans hennes deras swoich their its his her"
_WHOSE = frozenset(_WHOSE_WORDS.split())
_MOST_PARTS = 10
"""Beyond it they are counted: nineteen of 85."""


def numbers_in(text: str, language: str | None = None) -> list[Number]:
    """The numbers of a text in order (source: ours).

    :param text: as ``in_digits`` makes it.
    :param language: of the text; English where unknown.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    return sorted(_numbers(text, code), key=lambda number: number.start)


def _numbers(text: str, code: str) -> Iterator[Number]:
    taken = 0
    shares: set[int] = set()
    for share in _SHARE.finditer(text):
        if part := _share(share):
            shares.update(range(*share.span()))
            yield _share_of(share, part, text)
    for share in _EAST_ASIAN_SHARE.finditer(text):
        whole, part = int(share[1]), int(share[2])
        if 0 < part < whole:
            shares.update(range(*share.span()))
            yield _share_of(share, part / whole, text)
    scores = {number for score in _SCORE.finditer(text) for number in range(*score.span())}
    for found in _EAST_ASIAN.finditer(text):
        value = _of_east_asian(found[0])
        shares.update(range(*found.span()))
        unit = unit_of("", text[found.end() : found.end() + 2], code)
        rounding = rounding_at(text, *found.span())
        yield Number(found[0], frozenset([value]), _kind("", unit, ""), rounding, *found.span(), unit)
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if start < taken or start in shares:
            continue
        values: set[float] = set(_readings(found[0]))
        if half := _HALF.match(text[end:]):
            values = {value + max(0.5, _last_power(value) / 2) for value in values}
            end += half.end()
        unit = ""
        if power := _MAGNITUDE.match(text[end:]):
            unit = unit_of(text[max(0, start - 2) : start], text[end : end + 30], code)
            many = {value * _POWERS[power.lastgroup or "k"] for value in values}
            # 40 m may be metres.
            values = values | many if power[0].strip() == "m" else many
            end += power.end()
        before, after = text[max(0, start - 2) : start], text[end : end + 30]
        if re.search(r"['\u2019]$", before) and re.fullmatch(r"\d\d", found[0]):
            values |= {1900 + value for value in values} | {2000 + value for value in values}
        taken = end
        unit = unit or unit_of(before, after, code)
        if after.startswith("割"):
            values, unit = {10 * value for value in values}, PERCENT
        unit = _period(found[0], text[max(0, start - 12) : start], after) or unit
        # 2014年 is a year, 14年 are fourteen.
        if unit == "duration-year" and code == "ja" and len(found[0]) == len("2014"):
            unit = ""
        yield Number(
            _in_figures(text[start:end].strip(), values),
            frozenset(values),
            "score" if start in scores and len(found[0]) <= 2 and not unit else _kind(found[0], unit, after),
            rounding_at(text, start, end),
            start,
            end,
            unit,
            _counts(after, code),
            bool(_ORDINAL.match(after)),
        )


def _of_east_asian(digits: str) -> float:
    """320 million for 3億2千万."""
    whole = part = 0.0
    for number, power, large in _EAST_ASIAN_PART.findall(digits):
        part += float(number.replace(",", "")) * _EAST_ASIAN_POWERS.get(power, 1.0)
        if large:
            whole, part = whole + part * _EAST_ASIAN_POWERS[large], 0.0
    return whole + part


def _share_of(share: re.Match[str], part: float, text: str) -> Number:
    said = frozenset([part, float(round(100 * part)), round(100 * part, 1)])
    return Number(share[0], said, "percent", rounding_at(text, *share.span()), *share.span(), SHARE)


def _in_figures(text: str, values: set[float]) -> str:
    """As a person writes it: 4.2 million has become 4.2 1000000."""
    return f"{max(values):,.0f}" if re.search(r" 10{3,9}$", text) else text


def _readings(digits: str) -> Iterator[float]:
    """What the figures may mean, as nobody knows which mark is which."""
    bare = re.sub(r"['\u2019 ]", "", digits)
    marks = re.findall(r"[.,]", bare)
    whole = re.sub(r"[.,]", "", bare)
    groups = re.split(r"[.,]", bare)
    if not marks or all(len(group) == 3 for group in groups[1:]):
        yield float(whole)
    if len(marks) == 1:
        yield float(bare.replace(",", "."))
    elif len(set(marks)) > 1:
        yield float("".join(groups[:-1]) + "." + groups[-1])
    elif marks:
        yield from map(float, groups)


def _period(digits: str, before: str, after: str) -> str:
    """Whether a number is a decade or a century: the 1950s, the 18th century."""
    if _CENTURY_AFTER.match(after):
        return CENTURY
    is_round = re.fullmatch(r"(?:1\d|20)?\d0", digits)
    return DECADE if is_round and (_DECADE_AFTER.match(after) or _DECADE_BEFORE.search(before)) else ""


def _last_power(value: float) -> float:
    """A million and a half is 1.5 million; twelve and a half is 12.5."""
    return next((power for power in (1e9, 1e6, 1e3) if value >= power and value % power == 0), 1.0)


def _share(share: re.Match[str]) -> float:
    """The part of a whole, 0 where it counts something."""
    if share["each"]:
        return 1 / int(share["each"]) if int(share["each"]) > 1 else 0.0
    part = share["part"] or share["parts"]
    parts = int(part) if part.isdigit() else 1
    if share["whole"]:
        whole = int(share["whole"].removeprefix("a "))
        # "Won 4 in 7 days" is none.
        is_of_few = parts == 1 or share["of_few"].lower() != "in"
        most = max(_WHOLES) if parts == 1 and not share["thing"] else _MOST_PARTS
        is_share = whole in _WHOLES or (is_of_few and whole <= most)
        return parts / whole if is_share and 0 < parts < whole else 0.0
    if share["nth"]:
        whole = int(share["nth"])
    else:
        is_third, is_quarter = (share[part] or share[f"nordic_{part}"] for part in ("third", "quarter"))
        whole = 3 if is_third else 4 if is_quarter else _GERMAN_PARTS[share["german"].lower()]
    return parts / whole if 0 < parts < whole else 0.0


def _kind(digits: str, unit: str, after: str) -> str:
    if unit == PERCENT:
        return PERCENT
    if _LOW_ORDINAL.match(after):
        return "ordinal"
    if unit.startswith(MONEY):
        return MONEY
    if unit in (DECADE, CENTURY):
        return unit
    if re.fullmatch(r"1[1-9]\d\d|20\d\d", digits):
        return "year"
    return "count"


def _counts(after: str, code: str) -> str:
    """The word that follows, which may be what is counted."""
    word = re.match(r" ([^\W\d_]{3,})", after)
    if not word or word[1].casefold() in (little_words(code) | _WHOSE):
        return ""
    return word[1]
