"""The numbers of a text, in digits or in words, with all the values that they may have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

from ...extras import ai_extra
from .other_language import little_words
from .units import MONEY, PERCENT, unit_of

SPELLED_OUT = ("de", "en", "es", "fr", "it", "nl", "pt")
"""Languages whose numbers in words are read; in others they are taken for words."""

Rounding = Literal["", "about", "over", "under"]

_TOLERANCE = 0.06
"""How far "about 3,000" may be from the number that it rounds (ours); "more than" and "nearly" a little more."""
_TOLERANCE_ONE_SIDE = 0.1

SHARE = "share"
"""The unit of what is a part of a whole: one in five."""
_SQUARE = ("area-square-", "length-")
_LEAST_HALF = 10
_LEAST_FIGURES = 2

_NUMBER = re.compile(r"(?<![A-Za-zÀ-ÿ\d.,])\d+(?:[.,'\u2019]\d+)*(?:[ ](?=\d{3}(?!\d))\d{3})*")
_HALF = re.compile(
    r"^(?: ?[^\W\d]+)? (?:and a half|et demie?|y medi[oa]|e mezz[oa]|e mei[oa]|en een half)(?!\w)",
    re.IGNORECASE,
)
_GERMAN_HALF = re.compile(
    r"\b(andert|zwei|drei|vier|fünf|sechs|sieben|acht|neun)(?:und)?(?:ein)?halb\w*", re.IGNORECASE
)
_GERMAN_DIGITS = dict(
    zip(
        ["andert", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"],
        range(1, 10),
        strict=True,
    )
)
_MAGNITUDE = re.compile(
    r"^[ -]?(?:(?P<k>10{3}(?!\d)|k(?!\w)|thousand|tausend|tsd|mille(?!\w)|mil(?!\w)|mila(?!\w)|duizend|тыс|tysi|tys)"
    r"|(?P<m>10{6}(?!\d)|m(?!\w)|mn(?!\w)|mio|mln|mill?i?[oó]n|milh|miljo|millón|млн|миллион)"
    r"|(?P<b>10{9}(?!\d)|bn(?!\w)|billion|mrd|milliard|miliard|miljard|md(?!\w)|mia(?!\w)|млрд|миллиард))",
    re.IGNORECASE,
)
_POWERS = {"k": 1e3, "m": 1e6, "b": 1e9}
_EAST_ASIAN = re.compile(r"(?<![\d.,])(?:\d[\d.,]*(?:兆|億|亿|万|萬|千)){1,4}(?:\d[\d.,]*)?")
_EAST_ASIAN_POWERS = {"兆": 1e12, "億": 1e8, "亿": 1e8, "万": 1e4, "萬": 1e4, "千": 1e3}
_PERCENT_WORDS = re.compile(
    r"\b(?:per ?cent|pour ?cent|prozent|por ?ciento|por ?cento|per ?cento|procent\w*|процент\w*)\b",
    re.IGNORECASE,
)
_PART_OF_MANY = re.compile(
    r"\b(?:(?P<half>half an?|(?:eine? )?halbe|un demi|medio|mezzo|meio|een half)"
    r"|(?:a quarter of an?|a quarter|eine viertel|un quart de|un cuarto de|un quarto di|een kwart))"
    r"[ -](?P<many>10{3,9})\b",
    re.IGNORECASE,
)
_GERMAN_PART = re.compile(r"\b(halb|viertel)e?(?=million|milliarde|tausend)", re.IGNORECASE)
_MANY_OF_NO_NUMBER = re.compile(
    r"(?P<before>(?:^|\b[^\W\d_]+|[^\w\s]) ?)\b(?:thousands|millions|billions|tausende[nr]?|millionen"
    r"|milliarden|milliers|millones|miles|migliaia|milioni|miliardi|duizenden|miljoenen)\b",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(
    r"(?<=[a-z])-(?=(?:year|month|week|day|hour|minute|mile|met(?:er|re)|foot|storey|story|page|seat|bed)s?\b)"
)
_KANJI = re.compile(
    r"[一二三四五六七八九十百千]{2,}|[一二三四五六七八九十](?=[年月日人時分本冊割円社件回歳台頭匹枚戸室泊階])"
)
_KANJI_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九", 1)}
_KANJI_POWERS = {"十": 10, "百": 100, "千": 1000}
_LOW_ORDINAL = re.compile(r"(?:nd|rd|[ºª])(?!\w)")
_ONE = "a|an|one|ein|eine|einer|eines|jeder|un|une|uno|una|la|um|uma|een|één"
_SHARE = re.compile(
    rf"\b(?P<part>\d+|{_ONE})(?: [^\W\d]+)? "
    r"(?:in|out of|of every|sur|de cada|em cada|su|von|op de|op|av) (?P<whole>a 100|\d+)\b"
    rf"|\b(?P<parts>\d+|{_ONE}) (?:"
    r"(?P<third>3rds|3rd of|thirds?|drittel|tiers|tercios?|3º de|terz[oi]|3º dei?|ter[cç]os?|3º d[aoe]s?|derde)"
    r"|(?P<quarter>quarters? of|4ths|viertel|quarts?(?! d['\u2019]h)|cuartos?(?= de\b(?! hora))"
    r"|quart[io](?= d)(?! d['\u2019]ora)|quartos?(?= d)|kwart van)"
    r"|(?P<nth>\d+)(?:ths?|ème|e|º|°|ª)s?(?= (?:parte|of|de|du|des|dei|del|della|do|da|dos|das|van)\b| d['’]|[.,;!?]|$)"
    r"|(?P<german>fünf|sechs|acht|zehn|zwanzig)s?tel)\b",
    re.IGNORECASE,
)
_GERMAN_PARTS = {"fünf": 5, "sechs": 6, "acht": 8, "zehn": 10, "zwanzig": 20}
_WHOLES = (10, 100)
_MOST_PARTS = 10
"""Beyond it they are counted: nineteen of 85."""
_ROUNDINGS: dict[Rounding, str] = {
    "about": "about around some roughly approximately circa ca etwa rund ungefähr environ quelque unos unas cerca "
    "aproximadamente circa around ongeveer około ok около примерно 約 约 およそ",
    "over": "over more exceeding above über mehr plus más oltre più meer ponad więcej более больше свыше 超",
    "under": "nearly almost under fewer less below fast knapp beinahe unter weniger près presque moins casi menos "
    "quasi meno quase bijna minder niemal prawie blisko mniej почти менее меньше до",
}
_ROUNDING_OF = {word: kind for kind, words in _ROUNDINGS.items() for word in words.split()}
_SAID_OTHERWISE = (
    # Parts that stand in an article in one way and in a script in another.
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
    (re.compile(r"\bquart|\bviert\w*|\bcuart|\b4(?:th\b|\.(?=\s)|e\b|º)", re.I), (25.0, 0.25, 15.0)),
    (
        re.compile(
            r"\b(?:three|3|drei|trois|tres|tre)[ -]?(?:quarters?|viertel|quarts|cuartos|quarti)", re.I
        ),
        (75.0, 0.75),
    ),
    (re.compile(r"\bdouble|\btwice|\bdoppel|\bverdoppel|\bdoble|\bdoppio|\bdubbel", re.I), (2.0,)),
    (re.compile(r"\bdozen|\bdutzend|\bdouzaine|\bdocena|\bdozzina", re.I), (12.0,)),
    (re.compile(r"\bcentury|\bjahrhundert|\bsiècle|\bsiglo|\bsecolo", re.I), (100.0,)),
    (re.compile(r"\bdecade|\bjahrzehnt|\bdécennie|\bdécada|\bdecennio", re.I), (10.0,)),
)
_TIME = re.compile(
    r"\b(\d{1,2})(?:[:.h]([0-5]\d))? ?(?:[ap]\.?m\b|uhr|heures?|h\b|o'clock|uur|часов)|\b(\d{1,2})[:h]([0-5]\d)\b",
    re.IGNORECASE,
)
_CLOCK_FACE = 12


_LIST = re.compile(
    r"\b[^\W\d_]+(?:, [^\W\d_]+(?: [^\W\d_]+)?){1,6},? (?:and|und|et|y|e|och|en|i|og|и) [^\W\d_]+"
)
_ROMAN = re.compile(r"\b(?=[IVXLC]{2,7}(?:e|ème|th)?\b)[IVXLC]{2,7}")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class Number(NamedTuple):
    """A number of a text.

    :param text: as it is written, words turned into digits.
    :param values: what it may be: ``1.200`` is 1200 or 1.2.
    :param kind: ``year``, ``percent``, ``money``, ``ordinal`` or ``count``.
    :param rounding: what the word before it says, such as *nearly*.
    :param unit: what it counts, where that is a unit or a currency.
    :param counts: whether it counts something else that is named after it.
    """

    text: str
    values: frozenset[float]
    kind: str
    rounding: Rounding
    start: int
    end: int
    unit: str = ""
    counts: bool = False

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
        if not isinstance(other, Number) or not self.may_count_as(other):
            return False
        is_share_of_it = other.unit == SHARE and self.unit == ""
        values = self.values & (other.values | _inner_values(other.text) if is_share_of_it else other.values)
        return bool(values) or any(
            _rounds(mine, its, self.rounding)
            or (self.kind != "year" and (_is_half(mine, its) or _is_shorter(mine, its)))
            for mine, its in product(self.values, other.values)
        )


def in_digits(text: str, language: str | None) -> str:
    """A text whose numbers are written in digits (source: ours).

    :param text: as ``plain`` makes it.
    :param language: of the text; where its number words are not known the text stays as it is.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    if code == "de":
        text = _GERMAN_HALF.sub(lambda found: f"{_GERMAN_DIGITS[found[1].lower()]}.5", text)
        text = _GERMAN_PART.sub(lambda found: f"{found[1]}e ", text)
    if code == "ja":
        text = _KANJI.sub(lambda found: str(_of_kanji(found[0])), text)
    text = _PERCENT_WORDS.sub("%", text)
    if code not in SPELLED_OUT:
        return text
    with ai_extra():
        from text_to_num import alpha2digit
    text = _HYPHENATED.sub(" ", text)
    # "Millions" alone is no number.
    text = _MANY_OF_NO_NUMBER.sub(
        lambda found: (
            found["before"]
            if alpha2digit(found["before"], code, threshold=0) == found["before"]
            else found[0]
        ),
        text,
    )
    # "One" is more often a word than a number.
    converted: str = alpha2digit(text, code, threshold=1.5)
    return _PART_OF_MANY.sub(lambda found: str(int(found["many"]) // (2 if found["half"] else 4)), converted)


def numbers_in(text: str, language: str | None = None) -> list[Number]:
    """The numbers of a text in order (source: ours).

    :param text: as ``in_digits`` makes it.
    :param language: of the text; English where unknown.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    return sorted(_numbers(text, code), key=lambda number: number.start)


def values_said_otherwise(text: str) -> Iterator[float]:
    """Values that a text has without the number: half an hour is 30, 15:00 is 3 p.m. (source: ours).

    :param text: of the source, as ``in_digits`` makes it.
    """
    for words, values in _SAID_OTHERWISE:
        if words.search(text):
            yield from values
    for listed in _LIST.finditer(text):
        yield listed[0].count(", ") + 2.0
    for roman in _ROMAN.finditer(text):
        yield _roman(roman[0])
    for time in _TIME.finditer(text):
        hours, minutes = int(time[1] or time[3]), int(time[2] or time[4] or 0)
        if hours <= 2 * _CLOCK_FACE:
            if minutes == 30:
                yield from (hours + 0.5, hours % _CLOCK_FACE + 0.5)
            yield from (minutes, hours, (hours + _CLOCK_FACE) % 24, hours % _CLOCK_FACE or _CLOCK_FACE)
        if minutes > 30:
            yield from (60.0 - minutes, hours % _CLOCK_FACE + 1.0)


def speaks_of_half(text: str) -> bool:
    """Whether a text has a half of something (source: ours).

    :param text: as ``in_digits`` makes it.
    """
    return bool(_SAID_OTHERWISE[0][0].search(text))


def _numbers(text: str, code: str) -> Iterator[Number]:
    taken = 0
    shares = []
    for share in _SHARE.finditer(text):
        if part := _share(share):
            shares.append(share.span())
            said = frozenset([part, float(round(100 * part)), round(100 * part, 1)])
            yield Number(share[0], said, "percent", _rounding(text, share.start()), *share.span(), SHARE)
    for found in _EAST_ASIAN.finditer(text):
        value = sum(
            float(part.replace(",", "")) * _EAST_ASIAN_POWERS.get(power, 1.0)
            for part, power in re.findall(r"(\d[\d.,]*)([兆億亿万萬千]?)", found[0])
        )
        shares.append(found.span())
        unit = unit_of("", text[found.end() : found.end() + 1], code)
        rounding = _rounding(text, found.start())
        yield Number(found[0], frozenset([value]), _kind("", unit, ""), rounding, *found.span(), unit)
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if start < taken or any(first <= start < last for first, last in shares):
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
        yield Number(
            _in_figures(text[start:end].strip(), values),
            frozenset(values),
            _kind(found[0], unit, after),
            _rounding(text, start),
            start,
            end,
            unit,
            _counts(after, code),
        )


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


def _last_power(value: float) -> float:
    """A million and a half is 1.5 million; twelve and a half is 12.5."""
    return next((power for power in (1e9, 1e6, 1e3) if value >= power and value % power == 0), 1.0)


def _share(share: re.Match[str]) -> float:
    """The part of a whole, 0 where it counts something."""
    part = share["part"] or share["parts"]
    parts = int(part) if part.isdigit() else 1
    if share["whole"]:
        whole = int(share["whole"].removeprefix("a "))
        is_share = whole in _WHOLES or (parts == 1 and whole <= _MOST_PARTS)
        return parts / whole if is_share and 0 < parts < whole else 0.0
    if share["nth"]:
        whole = int(share["nth"])
    else:
        whole = 3 if share["third"] else 4 if share["quarter"] else _GERMAN_PARTS[share["german"].lower()]
    return parts / whole if 0 < parts < whole else 0.0


def _inner_values(share: str) -> frozenset[float]:
    """The five of one in five."""
    return frozenset(map(float, re.findall(r"\d+", share)))


def _kind(digits: str, unit: str, after: str) -> str:
    if unit == PERCENT:
        return PERCENT
    if _LOW_ORDINAL.match(after):
        return "ordinal"
    if unit.startswith(MONEY):
        return MONEY
    if re.fullmatch(r"1[1-9]\d\d|20\d\d", digits):
        return "year"
    return "count"


def _counts(after: str, code: str) -> bool:
    """Whether a word follows that may be what is counted."""
    word = re.match(r" ([^\W\d_]{3,})", after)
    return word is not None and word[1].casefold() not in little_words(code)


def _rounding(text: str, start: int) -> Rounding:
    before = text[max(0, start - 24) : start].casefold()
    words = re.findall(r"[^\W\d_]+", before.replace("$", " "))[-2:]
    return next((_ROUNDING_OF[word] for word in reversed(words) if word in _ROUNDING_OF), "")


def _of_kanji(digits: str) -> int:
    whole = last = 0
    for digit in digits:
        if power := _KANJI_POWERS.get(digit):
            whole, last = whole + (last or 1) * power, 0
        else:
            last = 10 * last + _KANJI_DIGITS[digit]
    return whole + last


def _roman(digits: str) -> float:
    values = [_ROMAN_DIGITS[digit] for digit in digits]
    return float(sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)))


def _is_half(mine: float, its: float) -> bool:
    """Whether eleven and a half is said for 11.4."""
    return mine >= _LEAST_HALF and mine % 1 == 0.5 and abs(its - mine) <= mine / 100


def _is_shorter(mine: float, its: float) -> bool:
    """Whether 1.2 million is said for 1,234,567."""
    figures = re.sub(r"\D|0+$", "", f"{mine:.10g}".partition("e")[0].rstrip("0").rstrip("."))
    return len(figures) >= _LEAST_FIGURES and float(f"{its:.{len(figures) - 1}e}") == mine


def _rounds(mine: float, its: float, rounding: Rounding) -> bool:
    if not rounding or not its or mine == its:
        return False
    gap = (its - mine) / its
    if rounding == "over":
        return 0 < gap <= _TOLERANCE_ONE_SIDE
    if rounding == "under":
        return -_TOLERANCE_ONE_SIDE <= gap < _TOLERANCE_ONE_SIDE / 2
    return abs(gap) <= _TOLERANCE
